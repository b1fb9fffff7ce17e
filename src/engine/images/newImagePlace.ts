import { lstat, readFile, realpath } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { AppError } from '../../primitives/appError'
import { pathForDisplay } from '../../primitives/pathText'
import { said } from '../../primitives/said'
import { attempt, cannot, fileFailure, fsPath, joinPath } from '../files/fileSystem'
import { replacePlace, takeFreePlace } from '../files/place'
import { type PlaceNotes, partialPath, withTempPath } from '../files/scratch'

/**
 * Has a new image made, in the place of one that is there only with `force`. It is made under
 * another name and takes its place when it is whole. What is not an image of ours to replace (any
 * other folder) is refused.
 * @throws AppError `exists`; `bad-input` for any other folder, or anything that is not a file,
 *   and those of `make`
 */
export async function makeInPlace(
  notes: PlaceNotes,
  path: string,
  force: boolean,
  make: (path: string) => Promise<void>,
): Promise<void> {
  const there = await kindAt(path)
  if (there !== null && !force) throw cannot('exists', 'make', path, said`it already exists`)
  if (there === 'folder') await requireBundle(path)
  await withTempPath(notes, partialPath(path), async (beside) => {
    await make(beside).catch((thrown: unknown) => {
      throw named(thrown, beside, path)
    })
    await attempt(force ? 'replace' : 'make', path, async () => {
      if (force) await replacePlace(notes, beside, path)
      else await takeFreePlace(beside, path)
    })
  })
}

/** The failure with the name that the person gave. */
function named(thrown: unknown, beside: string, path: string): unknown {
  if (!(thrown instanceof AppError)) return thrown
  const message = thrown.message.replace(pathForDisplay(beside), () => pathForDisplay(path))
  return new AppError(thrown.code, message, { path, cause: thrown })
}

/**
 * Refuses to write an image over the very one it is made from.
 * @throws AppError `usage`
 */
export async function requireAnother(source: string, target: string): Promise<void> {
  const [one, other] = await Promise.all([trueName(source), trueName(target)])
  if (one === other)
    throw new AppError('usage', said`cannot convert ${pathForDisplay(source)} to itself: name another file`, {
      path: target,
    })
}

async function trueName(path: string): Promise<string> {
  const found = await realpath(fsPath(path)).catch(() => null)
  if (found !== null) return found
  const folder = await realpath(fsPath(dirname(path))).catch(() => null)
  return folder === null ? path : joinPath(folder, basename(path))
}

async function kindAt(path: string): Promise<'file' | 'folder' | null> {
  try {
    const facts = await lstat(fsPath(path))
    if (facts.isDirectory() || facts.isFile()) return facts.isFile() ? 'file' : 'folder'
    throw cannot('bad-input', 'replace', path, said`neither a file nor a folder`)
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw fileFailure(thrown, 'write', path)
  }
}

const MOST_INFO_BYTES = 1 << 20

async function requireBundle(path: string): Promise<void> {
  const info = joinPath(path, 'Info.plist')
  const facts = await lstat(fsPath(info)).catch(() => null)
  const text = facts?.isFile() && facts.size <= MOST_INFO_BYTES ? await readFile(fsPath(info), 'latin1') : ''
  if (text.includes('com.apple.diskimage.sparsebundle')) return
  throw cannot('bad-input', 'replace', path, said`it is a folder, not a sparse bundle`)
}
