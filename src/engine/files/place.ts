import { linkSync, renameSync, unlinkSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { newId } from '../jobs/newId'
import { fsPath } from './fileSystem'
import { flushFolder, folderOf } from './flush'
import { lstatAt } from './folderNames'
import type { PlaceNotes } from './placeNotes'

/** How a plan folder that is replaced is kept. */
export interface Keeping {
  /** A free path on the same file system, to which the old folder is renamed. */
  readonly path: string
  /** Takes that path when the new folder is in its place. May be called again after a kill. */
  readonly onKept: OnKept
}

export type OnKept = (aside: string) => void

/**
 * Puts what is at `made`, whole and flushed, in the place of what is at `target`. A file replaces a
 * file in one step. Anything else is set aside until the new one is in its place, and is removed
 * only then: a kill in between leaves the old one there, or the next start puts it back.
 * @param keeping for a plan's folder, which is never removed
 * @returns whether something is kept
 * @throws the system's errors and those of `onKept`; when the new one could not take the place,
 *   the old one is there again
 */
export async function replacePlace(
  notes: PlaceNotes,
  made: string,
  target: string,
  keeping?: Keeping,
): Promise<boolean> {
  const there = kindAt(target)
  if (there === null || (there === 'file' && kindAt(made) === 'file')) {
    await rename(fsPath(made), fsPath(target))
    await flushFolder(folderOf(target))
    return false
  }
  const aside = keeping?.path ?? `${target}.${newId('replaced')}`
  const noted = notes.notePlace({
    kind: keeping ? 'replaced-plan' : 'replaced',
    path: aside,
    target,
    made,
    madeIdentity: identityAt(made) ?? '',
  })
  try {
    await rename(fsPath(target), fsPath(aside))
  } catch (thrown) {
    notes.placeGone(noted)
    throw thrown
  }
  try {
    await rename(fsPath(made), fsPath(target))
  } catch (thrown) {
    await rename(fsPath(aside), fsPath(target))
    notes.placeGone(noted)
    throw thrown
  }
  await flushFolder(folderOf(target))
  if (keeping) keeping.onKept(aside)
  else await rm(fsPath(aside), { recursive: true, force: true })
  notes.placeGone(noted)
  return keeping !== undefined
}

/** Codes of systems that can make no hard link there. */
export const NO_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'ENOSYS', 'EMLINK', 'EXDEV'])

/**
 * Puts what is at `made` where nothing is: even what came there a moment ago is not replaced, where
 * the file system has links.
 * @throws the system's `EEXIST` when something is there, and its other errors
 */
export async function takeFreePlace(made: string, target: string): Promise<void> {
  moveToFreePlace(made, target)
  await flushFolder(folderOf(target))
}

/**
 * The same for one of many, at once on this thread: whoever calls it flushes the folder in the end.
 */
export function moveToFreePlace(made: string, target: string): void {
  if (kindAt(made) !== 'file') return renameToFree(made, target)
  try {
    linkSync(fsPath(made), fsPath(target))
  } catch (thrown) {
    if (!NO_LINKS.has((thrown as NodeJS.ErrnoException).code ?? '')) throw thrown
    return renameToFree(made, target)
  }
  unlinkSync(fsPath(made))
}

function renameToFree(made: string, target: string): void {
  if (kindAt(target) !== null) throw Object.assign(new Error('it already exists'), { code: 'EEXIST' })
  renameSync(fsPath(made), fsPath(target))
}

/**
 * Device, number and birth of what is at a path, which a rename keeps; null where nothing is. Links
 * are not followed. The number alone is soon given to another file.
 */
export function identityAt(path: string): string | null {
  const stats = lstatAt(path)
  return stats && `${stats.dev}:${stats.ino}:${stats.birthtimeNs}`
}

function kindAt(path: string): 'file' | 'other' | null {
  const stats = lstatAt(path)
  return stats && (stats.isDirectory() ? 'other' : 'file')
}
