import type { ExcludedPath } from '../../../domain/survey/rules/rules'
import type { SourceFolder, SourceRow } from '../../../domain/survey/sourceWalk'
import { AppError } from '../../../primitives/appError'
import { isBelow } from '../../../primitives/isBelow'
import { pathForDisplay, pathFromBytes } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import { type EntryBatch, NATIVE_KIND } from '../../native/addon'

/** The files of a folder that have a row of their own: the largest. */
const LARGEST_FILES = 100

/** The rows of a folder, so that one with 100,000 folders is a small message too. */
const MOST_ROWS = 1000

interface LargeFile {
  readonly name: string
  readonly bytes: number
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
    for (let index = 0; index < batch.count; index++) {
      const kind = batch.kinds[index]
      if (kind !== NATIVE_KIND.file && kind !== NATIVE_KIND.folder) continue
      const path = batch.pathBytes.subarray(
        index === 0 ? 0 : batch.pathEnds[index - 1],
        batch.pathEnds[index],
      )
      const rootIndex = batch.rootIndex[index] ?? 0
      if (kind === NATIVE_KIND.folder) this.#folderAt(rootIndex, pathFromBytes(path))
      else this.#addFile(rootIndex, path, batch.bytes[index] ?? 0)
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
        keepLargest(folder, below.slice(slash + 1), bytes, rule)
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
        for (const below of folder.below.values()) addTo(folder, below)
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
      return { rows, others: noSums() }
    }
    const folder = this.#find(path)
    const rows = [
      ...[...folder.below].map(([name, each]) => rowOf(withSlash(path) + name, name, each)),
      ...folder.largest.map((file) => fileRow(withSlash(path) + file.name, file)),
    ]
    const others = { ...folder.own }
    // The folder's own sums hold what was left out of it as a whole.
    if (folder.rule !== null) Object.assign(others, noSums())
    for (const { rule, bytes } of folder.largest) {
      others[rule === null ? 'files' : 'excludedFiles'] -= 1
      others[rule === null ? 'bytes' : 'excludedBytes'] -= bytes
    }
    const sorted = rows.toSorted(largerFirst)
    for (const row of sorted.slice(MOST_ROWS)) addTo(others, row)
    return { rows: sorted.slice(0, MOST_ROWS), others }
  }

  #addFile(rootIndex: number, path: Uint8Array, bytes: number): void {
    const slash = path.lastIndexOf(SLASH)
    const prefix = path.subarray(0, Math.max(0, slash))
    let last = this.#last
    if (last === null || last.rootIndex !== rootIndex || Buffer.compare(last.prefix, prefix) !== 0) {
      last = { rootIndex, prefix, folder: this.#folderAt(rootIndex, pathFromBytes(prefix)) }
      this.#last = last
    }
    const { folder } = last
    folder.own.files += 1
    folder.own.bytes += bytes
    const smallest = folder.largest[LARGEST_FILES - 1]
    if (smallest && smallest.bytes >= bytes) return
    // A source that is itself a file has no name below itself.
    if (path.length > 0) keepLargest(folder, pathFromBytes(path.subarray(slash + 1)), bytes, null)
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
  return { ...noSums(), below: new Map(), own: noSums(), largest: [], rule: null }
}

function addTo(sums: Sums, more: Sums): void {
  sums.files += more.files
  sums.bytes += more.bytes
  sums.excludedFiles += more.excludedFiles
  sums.excludedBytes += more.excludedBytes
}

/** Sorted in, the largest first. */
function keepLargest({ largest }: Folder, name: string, bytes: number, rule: number | null): void {
  if (largest.length === LARGEST_FILES && (largest.at(-1)?.bytes ?? 0) >= bytes) return
  const at = largest.findIndex((each) => each.bytes < bytes)
  largest.splice(at < 0 ? largest.length : at, 0, { name, bytes, rule })
  if (largest.length > LARGEST_FILES) largest.pop()
}

function withSlash(path: string): string {
  return path.endsWith('/') ? path : `${path}/`
}

function rowOf(path: string, name: string, folder: Folder): SourceRow {
  const { files, bytes, excludedFiles, excludedBytes, rule } = folder
  return { path, name, isFolder: true, files, bytes, excludedFiles, excludedBytes, rule }
}

function fileRow(path: string, { name, bytes, rule }: LargeFile): SourceRow {
  const sums =
    rule === null
      ? { files: 1, bytes, excludedFiles: 0, excludedBytes: 0 }
      : { files: 0, bytes: 0, excludedFiles: 1, excludedBytes: bytes }
  return { path, name, isFolder: false, ...sums, rule }
}

function largerFirst(one: SourceRow, other: SourceRow): number {
  const sizeOf = (row: SourceRow): number => row.bytes + row.excludedBytes
  return sizeOf(other) - sizeOf(one) || (one.name < other.name ? -1 : 1)
}
