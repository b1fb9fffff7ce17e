import { type Stepwise, sortedStepwise } from '../../../primitives/stepwise'
import type { FolderCopy } from './keptDocument'
import type { Folder } from './sourceFolders'

/** The figures of a folder that are quick to know: equal folders have the same ones. */
interface Sums {
  /** Names below it of any kind: a folder has more of them than each that it holds. */
  readonly names: number
  readonly files: number
  readonly bytes: number
}

/** The content of a folder: equal folders have the same one. */
interface Content extends Sums {
  readonly number: number
  readonly folders: Folder[]
}

/** Names that are looked at in one step. */
const STEP = 512

/**
 * Folders of a source that have the same content as another one, the largest first: the same names
 * of files with the same SHA-256, of folders, and of symbolic links with the same target. A folder
 * below a copy is none of its own. A folder is compared with none where something in it has no
 * SHA-256 or was not surveyed. Exact: contents are compared by their names and numbers, not by a
 * hash of them. Memory is linear in the number of names; only folders with as many names, files and
 * bytes as another one are compared by name.
 * @param order all folders, each before those that it holds
 */
export function* folderCopies(order: readonly Folder[]): Stepwise<FolderCopy[]> {
  const copies: FolderCopy[] = []
  const listed = new Set<Folder>()
  const parents = yield* parentsOf(order)
  const contents = yield* contentsOf(order)
  for (const { folders, files, bytes } of contents) {
    const apart: Folder[] = []
    for (const [at, folder] of folders.entries()) {
      if (at % STEP === 0) yield
      if (!isWithin(folder, listed, parents)) apart.push(folder)
    }
    const [first, ...others] = yield* sortedStepwise(apart, byPath)
    if (!first) continue
    for (const folder of others) {
      listed.add(folder)
      copies.push({ path: folder.path, copyOf: first.path, files, bytes })
    }
  }
  return copies
}

/** Contents with a file that more than one folder has, the largest first. */
function* contentsOf(order: readonly Folder[]): Stepwise<Content[]> {
  const { sums, counts } = yield* sumsOf(order)
  const contents = new Map<string, Content>()
  const ofFolder = new Map<Folder, Content>()
  for (let at = order.length - 1; at >= 0; at--) {
    const folder = order[at] as Folder
    if (at % STEP === 0) yield
    const own = sums.get(folder)
    if (!own || counts.get(keyOf(own)) === 1) continue
    const key = yield* contentKey(folder, ofFolder)
    if (key === null) continue
    let content = contents.get(key)
    if (!content) {
      content = { number: contents.size, ...own, folders: [] }
      contents.set(key, content)
    }
    ofFolder.set(folder, content)
    content.folders.push(folder)
  }
  return yield* sortedStepwise(
    [...contents.values()].filter(({ folders, files }) => folders.length > 1 && files > 0),
    (one, other) => other.bytes - one.bytes || other.names - one.names || one.number - other.number,
  )
}

/** The sums of folders of which everything is known, and how many folders have the same ones. */
function* sumsOf(
  order: readonly Folder[],
): Stepwise<{ sums: Map<Folder, Sums>; counts: Map<string, number> }> {
  const sums = new Map<Folder, Sums>()
  const counts = new Map<string, number>()
  let looked = 0
  for (let at = order.length - 1; at >= 0; at--) {
    const folder = order[at] as Folder
    const { files, links, below, isFolder, isComplete } = folder
    const own = { names: files.length + links.length, files: files.length, bytes: 0 }
    let isKnown = isFolder && isComplete
    for (const { bytes, hasDigest } of files) {
      if (++looked % STEP === 0) yield
      own.bytes += bytes
      isKnown &&= hasDigest
    }
    for (const each of below.values()) {
      if (++looked % STEP === 0) yield
      const more = sums.get(each)
      isKnown &&= more !== undefined
      own.names += 1 + (more?.names ?? 0)
      own.files += more?.files ?? 0
      own.bytes += more?.bytes ?? 0
    }
    if (!isKnown) continue
    sums.set(folder, own)
    const key = keyOf(own)
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return { sums, counts }
}

function keyOf({ names, files, bytes }: Sums): string {
  return `${names} ${files} ${bytes}`
}

/** The content of a folder as one text; null where a folder in it is like none. */
function* contentKey(
  { files, links, below }: Folder,
  ofFolder: ReadonlyMap<Folder, Content>,
): Stepwise<string | null> {
  // No name has a slash or a zero byte in it.
  const names = links.map(({ name, target }) => `${name}/link ${target}`)
  for (const { name, content } of files) {
    if (names.push(`${name}/${content}`) % STEP === 0) yield
  }
  for (const [name, folder] of below) {
    const content = ofFolder.get(folder)
    if (!content) return null
    if (names.push(`${name}/folder ${content.number}`) % STEP === 0) yield
  }
  return (yield* sortedStepwise(names, byText)).join('\0')
}

function* parentsOf(order: readonly Folder[]): Stepwise<Map<Folder, Folder>> {
  const parents = new Map<Folder, Folder>()
  for (const folder of order) {
    for (const each of folder.below.values()) {
      parents.set(each, folder)
      if (parents.size % STEP === 0) yield
    }
  }
  return parents
}

function isWithin(
  folder: Folder,
  listed: ReadonlySet<Folder>,
  parents: ReadonlyMap<Folder, Folder>,
): boolean {
  for (let each: Folder | undefined = folder; each; each = parents.get(each))
    if (listed.has(each)) return true
  return false
}

function byPath(one: Folder, other: Folder): number {
  return byText(one.path, other.path)
}

function byText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
