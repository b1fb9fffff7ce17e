import type { FolderCopy } from './keptDocument'
import { type Folder, withAllBelow } from './sourceFolders'

/** The content of a folder: equal folders have the same one. */
interface Content {
  readonly number: number
  /** Names below it of any kind: a folder has more of them than each that it holds. */
  readonly names: number
  readonly files: number
  readonly bytes: number
  readonly folders: Folder[]
}

/**
 * Folders of a source that have the same content as another one, the largest first: the same names
 * of files with the same SHA-256, of folders, and of symbolic links with the same target. A folder
 * below a copy is none of its own. A folder is compared with none where something in it has no
 * SHA-256 or was not surveyed. Exact: contents are compared by their names and numbers, not by a
 * hash of them. Time and memory are linear in the number of names.
 */
export function folderCopies(tops: readonly Folder[]): FolderCopy[] {
  const order = withAllBelow(tops)
  const copies: FolderCopy[] = []
  const listed = new Set<Folder>()
  const parents = parentsOf(order)
  for (const { folders, files, bytes } of contentsOf(order)) {
    const apart = folders.filter((folder) => !isWithin(folder, listed, parents)).toSorted(byPath)
    const [first, ...others] = apart
    if (!first) continue
    for (const folder of others) {
      listed.add(folder)
      copies.push({ path: folder.path, copyOf: first.path, files, bytes })
    }
  }
  return copies
}

/** Contents with a file that more than one folder has, the largest first. */
function contentsOf(order: readonly Folder[]): Content[] {
  const contents = new Map<string, Content>()
  const ofFolder = new Map<Folder, Content>()
  for (const folder of order.toReversed()) {
    const content = contentOf(folder, ofFolder, contents)
    if (!content) continue
    ofFolder.set(folder, content)
    content.folders.push(folder)
  }
  return [...contents.values()]
    .filter(({ folders, files }) => folders.length > 1 && files > 0)
    .toSorted((one, other) => other.bytes - one.bytes || other.names - one.names || one.number - other.number)
}

/** Null for a folder of which not everything is known. */
function contentOf(
  { files, links, below, isFolder, isComplete }: Folder,
  ofFolder: ReadonlyMap<Folder, Content>,
  contents: Map<string, Content>,
): Content | null {
  if (!isFolder || !isComplete || files.some(({ hasDigest }) => !hasDigest)) return null
  const sums = { names: files.length + links.length, files: files.length, bytes: 0 }
  // No name has a slash or a zero byte in it.
  const names = links.map(({ name, target }) => `${name}/link ${target}`)
  for (const { name, content, bytes } of files) {
    names.push(`${name}/${content}`)
    sums.bytes += bytes
  }
  for (const [name, folder] of below) {
    const content = ofFolder.get(folder)
    if (!content) return null
    names.push(`${name}/folder ${content.number}`)
    sums.names += 1 + content.names
    sums.files += content.files
    sums.bytes += content.bytes
  }
  const key = names.toSorted().join('\0')
  const known = contents.get(key)
  if (known) return known
  const content = { number: contents.size, ...sums, folders: [] }
  contents.set(key, content)
  return content
}

function parentsOf(order: readonly Folder[]): Map<Folder, Folder> {
  const parents = new Map<Folder, Folder>()
  for (const folder of order) for (const each of folder.below.values()) parents.set(each, folder)
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
  return one.path < other.path ? -1 : 1
}
