import { ContentsTally } from '../../../domain/survey/contentsTally'
import { classOfFile, type FileClass } from '../../../domain/survey/fileClass'
import { modifiedYear } from '../../../domain/survey/modifiedYear'
import type { ExcludedPath } from '../../../domain/survey/rules/rules'
import type { SourceFolder, SourceRow } from '../../../domain/survey/sourceWalk'
import { extensionOf } from '../../../domain/survey/typeTable'
import { AppError } from '../../../primitives/appError'
import { isBelow } from '../../../primitives/isBelow'
import { pathForDisplay, pathFromBytes, pathToBytes } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import { sameBytes } from '../../../primitives/sameBytes'
import { type EntryBatch, NATIVE_KIND } from '../../native/addon'

/** The files of a folder that have a row of their own: the largest. */
const LARGEST_FILES = 100

/** The rows of a folder, so that one with 100,000 folders is a small message too. */
const MOST_ROWS = 1000

interface LargeFile {
  readonly name: string
  readonly bytes: number
  /** Null for a file that a rule leaves out, as its year. */
  readonly fileClass: FileClass | null
  readonly year: number | null
  readonly rule: number | null
}

interface Sums {
  files: number
  bytes: number
  excludedFiles: number
  excludedBytes: number
}

interface Folder extends Sums {
  readonly below: Map<string, Folder>
  /** Files that are directly in it, those left out among them. */
  readonly own: Sums
  /** The kept files that are directly in it. */
  readonly contents: ContentsTally
  /** With all below it, once everything is summed up. */
  all: ContentsTally
  largest: LargeFile[]
  rule: number | null
}

/**
 * A source by folders: what each holds, and the largest of its files. Memory grows with the number
 * of folders, not of files.
 */
export class SourceTree {
  readonly #roots: readonly string[]
  readonly #tops: readonly Folder[]
  /** Files of one folder mostly come one after the other. */
  #last: { rootIndex: number; prefix: Uint8Array; folder: Folder } | null = null

  constructor(roots: readonly string[]) {
    this.#roots = roots
    this.#tops = roots.map(emptyFolder)
  }

  /** Files and folders that are kept. */
  add(batch: EntryBatch): void {
    let start = 0
    for (let index = 0; index < batch.count; index++) {
      const kind = batch.kinds[index]
      const end = batch.pathEnds[index] as number
      if (kind === NATIVE_KIND.file) this.#addFile(batch, index, start, end)
      else if (kind === NATIVE_KIND.folder)
        this.#folderAt(batch.rootIndex[index] ?? 0, pathFromBytes(batch.pathBytes.subarray(start, end)))
      start = end
    }
  }

  /** Adds what rules left out, once, after everything that is kept. */
  addExcluded(paths: readonly ExcludedPath[]): void {
    for (const { path, isFolder, files = 1, bytes = 0, rule } of paths) {
      const rootIndex = this.#roots.findIndex((root) => isBelow(path, root))
      const below = path.slice(withSlash(this.#roots[rootIndex] ?? '').length)
      if (isFolder) {
        const folder = this.#folderAt(rootIndex, below)
        folder.rule = rule
        folder.own.excludedFiles += files
        folder.own.excludedBytes += bytes
      } else {
        const slash = below.lastIndexOf('/')
        const folder = this.#folderAt(rootIndex, below.slice(0, Math.max(0, slash)))
        folder.own.excludedFiles += 1
        folder.own.excludedBytes += bytes
        const name = below.slice(slash + 1)
        keepLargest(folder, { name, bytes, fileClass: null, year: null, rule })
      }
    }
  }

  /** To be called when everything was added: sums up what is in the folders. */
  finish(): void {
    for (const top of this.#tops) {
      const order: Folder[] = [top]
      for (let at = 0; at < order.length; at++) order.push(...(order[at]?.below.values() ?? []))
      for (const folder of order.toReversed()) {
        Object.assign(folder, folder.own)
        if (folder.below.size === 0) continue
        folder.all = new ContentsTally()
        folder.all.addAll(folder.contents)
        for (const below of folder.below.values()) {
          addTo(folder, below)
          folder.all.addAll(below.all)
        }
      }
    }
  }

  /**
   * The content of a folder; the sources for null.
   * @throws AppError `not-found` for a path that the walk did not meet as a folder
   */
  folder(path: string | null): SourceFolder {
    if (path === null) {
      const rows = this.#roots.map((root, at) => rowOf(root, root, this.#tops[at] as Folder))
      const all = new ContentsTally()
      for (const top of this.#tops) all.addAll(top.all)
      return { rows, others: { ...noSums(), ...new ContentsTally().sum() }, ...all.contents() }
    }
    const folder = this.#find(path)
    const entries = [
      ...[...folder.below].map(([name, each]) => ({
        row: rowOf(withSlash(path) + name, name, each),
        all: each.all,
      })),
      ...folder.largest.map((file) => ({
        row: fileRow(withSlash(path) + file.name, file),
        all: contentsOf(file),
      })),
    ].toSorted((one, other) => largerFirst(one.row, other.row))
    const sums = { ...folder.own }
    const contents = new ContentsTally()
    contents.addAll(folder.contents)
    // The folder's own sums hold what was left out of it as a whole.
    if (folder.rule !== null) Object.assign(sums, noSums())
    for (const { rule, bytes, fileClass, year } of folder.largest) {
      sums[rule === null ? 'files' : 'excludedFiles'] -= 1
      sums[rule === null ? 'bytes' : 'excludedBytes'] -= bytes
      if (fileClass !== null && year !== null) contents.add(fileClass, year, -bytes)
    }
    for (const { row, all } of entries.slice(MOST_ROWS)) {
      addTo(sums, row)
      contents.addAll(all)
    }
    return {
      rows: entries.slice(0, MOST_ROWS).map(({ row }) => row),
      others: { ...sums, ...contents.sum() },
      ...folder.all.contents(),
    }
  }

  /** Made for millions of calls: nothing is allocated for a file without a row of its own. */
  #addFile(batch: EntryBatch, index: number, start: number, end: number): void {
    const { pathBytes } = batch
    const rootIndex = batch.rootIndex[index] ?? 0
    let nameStart = end
    while (nameStart > start && pathBytes[nameStart - 1] !== SLASH) nameStart -= 1
    const prefixEnd = Math.max(start, nameStart - 1)
    let last = this.#last
    if (
      last === null ||
      last.rootIndex !== rootIndex ||
      !sameBytes(last.prefix, pathBytes, start, prefixEnd)
    ) {
      const prefix = pathBytes.subarray(start, prefixEnd)
      last = { rootIndex, prefix, folder: this.#folderAt(rootIndex, pathFromBytes(prefix)) }
      this.#last = last
    }
    const { folder } = last
    const bytes = batch.bytes[index] ?? 0
    // A source that is itself a file has no name below itself.
    const isSource = start === end
    const extension = isSource
      ? extensionOf(pathToBytes(this.#roots[rootIndex] ?? ''))
      : extensionOf(pathBytes, nameStart, end)
    const fileClass = classOfFile(extension, bytes)
    const year = modifiedYear(batch.mtimeNs[index] ?? 0n)
    folder.own.files += 1
    folder.own.bytes += bytes
    folder.contents.add(fileClass, year, bytes)
    const smallest = folder.largest[LARGEST_FILES - 1]
    if (isSource || (smallest && smallest.bytes >= bytes)) return
    const name = pathFromBytes(pathBytes.subarray(nameStart, end))
    keepLargest(folder, { name, bytes, fileClass, year, rule: null })
  }

  #folderAt(rootIndex: number, below: string): Folder {
    let folder = this.#tops[rootIndex] as Folder
    if (below === '') return folder
    for (const name of below.split('/')) {
      let next = folder.below.get(name)
      if (!next) {
        next = emptyFolder()
        folder.below.set(name, next)
      }
      folder = next
    }
    return folder
  }

  #find(path: string): Folder {
    const missing = (): AppError =>
      new AppError('not-found', said`no folder ${pathForDisplay(path)} in this walk`, { path })
    const rootIndex = this.#roots.findIndex((root) => path === root || isBelow(path, root))
    const root = this.#roots[rootIndex]
    let folder = this.#tops[rootIndex]
    if (root === undefined || !folder) throw missing()
    for (const name of path === root ? [] : path.slice(withSlash(root).length).split('/')) {
      folder = folder.below.get(name)
      if (!folder) throw missing()
    }
    return folder
  }
}

const SLASH = 0x2f

function noSums(): Sums {
  return { files: 0, bytes: 0, excludedFiles: 0, excludedBytes: 0 }
}

function emptyFolder(): Folder {
  const contents = new ContentsTally()
  return { ...noSums(), below: new Map(), own: noSums(), contents, all: contents, largest: [], rule: null }
}

function addTo(sums: Sums, more: Sums): void {
  sums.files += more.files
  sums.bytes += more.bytes
  sums.excludedFiles += more.excludedFiles
  sums.excludedBytes += more.excludedBytes
}

/** Sorted in, the largest first. */
function keepLargest({ largest }: Folder, file: LargeFile): void {
  if (largest.length === LARGEST_FILES && (largest.at(-1)?.bytes ?? 0) >= file.bytes) return
  const at = largest.findIndex((each) => each.bytes < file.bytes)
  largest.splice(at < 0 ? largest.length : at, 0, file)
  if (largest.length > LARGEST_FILES) largest.pop()
}

function contentsOf({ fileClass, year, bytes }: LargeFile): ContentsTally {
  const contents = new ContentsTally()
  if (fileClass !== null && year !== null) contents.add(fileClass, year, bytes)
  return contents
}

function withSlash(path: string): string {
  return path.endsWith('/') ? path : `${path}/`
}

function rowOf(path: string, name: string, folder: Folder): SourceRow {
  const { files, bytes, excludedFiles, excludedBytes, rule, all } = folder
  return { path, name, isFolder: true, files, bytes, excludedFiles, excludedBytes, rule, ...all.sum() }
}

function fileRow(path: string, file: LargeFile): SourceRow {
  const { name, bytes, rule } = file
  const sums =
    rule === null
      ? { files: 1, bytes, excludedFiles: 0, excludedBytes: 0 }
      : { files: 0, bytes: 0, excludedFiles: 1, excludedBytes: bytes }
  return { path, name, isFolder: false, ...sums, rule, ...contentsOf(file).sum() }
}

function largerFirst(one: SourceRow, other: SourceRow): number {
  const sizeOf = (row: SourceRow): number => row.bytes + row.excludedBytes
  return sizeOf(other) - sizeOf(one) || (one.name < other.name ? -1 : 1)
}
