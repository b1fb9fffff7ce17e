import type { Dirent } from 'node:fs'
import { lstat, opendir } from 'node:fs/promises'
import { pathFromBytes } from '../../primitives/pathText'
import { type SeededRandom, seededRandom } from '../../primitives/seededRandom'
import { fileFailure, fsPath, joinPath } from '../files/fileSystem'

interface ReadableFile {
  readonly path: string
  readonly bytes: number
}

/** Names that are looked at before the choice is made; a folder may hold millions. */
const MOST_SEEN = 20_000
/** Files that are read at most: more tell nothing more. */
const MOST_READ = 500

/**
 * A random choice of the files below a folder, in random order, of at most `budgetBytes` together;
 * the same for the same seed and folder. Empty files, links and what cannot be looked at are left
 * out; links are not followed.
 * @throws AppError when the folder itself cannot be listed
 */
export async function readableFiles(
  directory: string,
  budgetBytes: number,
  seed: number,
): Promise<ReadableFile[]> {
  const random = seededRandom(seed)
  const chosen: ReadableFile[] = []
  let seen = 0
  for await (const path of filesBelow(directory)) {
    if (seen >= MOST_SEEN) break
    const bytes = await lengthOf(path)
    if (bytes === 0) continue
    seen += 1
    // Reservoir sampling (Vitter's algorithm R): every file has the same chance, whatever the order of the folder.
    if (chosen.length < MOST_READ) chosen.push({ path, bytes })
    else {
      const place = random.below(seen)
      if (place < MOST_READ) chosen[place] = { path, bytes }
    }
  }
  return withinBudget(chosen, budgetBytes, random)
}

async function* filesBelow(directory: string): AsyncGenerator<string> {
  const waiting = [directory]
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const here = folder
    const entries = await list(here).catch((thrown: unknown) => {
      if (here === directory) throw fileFailure(thrown, 'read', here)
      return []
    })
    for (const { name, isFolder } of entries) {
      if (isFolder) waiting.push(joinPath(here, name))
      else yield joinPath(here, name)
    }
  }
}

/** Files and folders of one folder, in the order of their names. */
async function list(folder: string): Promise<{ name: string; isFolder: boolean }[]> {
  const found: { name: string; isFolder: boolean }[] = []
  // Names come as bytes, because they need not be UTF-8; Node's types know only text here.
  const handle = await opendir(fsPath(folder), { encoding: 'buffer' as BufferEncoding })
  for await (const entry of handle as AsyncIterable<Dirent>) {
    const name = pathFromBytes(entry.name as unknown as Buffer)
    if (entry.isFile() || entry.isDirectory()) found.push({ name, isFolder: entry.isDirectory() })
    if (found.length >= MOST_SEEN) break
  }
  return found.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

async function lengthOf(path: string): Promise<number> {
  try {
    return (await lstat(fsPath(path))).size
  } catch {
    return 0
  }
}

/** Files in random order, as many as fit; one that does not fit is passed over for smaller ones. */
function withinBudget(
  files: readonly ReadableFile[],
  budgetBytes: number,
  random: SeededRandom,
): ReadableFile[] {
  const left = [...files]
  const taken: ReadableFile[] = []
  let room = budgetBytes
  while (left.length > 0) {
    const [next] = left.splice(random.below(left.length), 1) as [ReadableFile]
    if (next.bytes > room) continue
    taken.push(next)
    room -= next.bytes
  }
  return taken
}
