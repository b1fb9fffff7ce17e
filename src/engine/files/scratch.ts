import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { AppError } from '../../primitives/appError'
import { newId } from '../jobs/newId'
import { attempt, fsPath, joinPath } from './fileSystem'
import { folderOf } from './flush'
import type { PlaceNotes } from './placeNotes'
import { removeTree } from './removeTree'

/**
 * Lends a path at which nothing is, noted before it is used, and removes what `work` has left there
 * in the end. A killed process leaves the note, by which the next start removes it. A damaged
 * catalog keeps no notes, and nobody from restoring.
 */
export async function withTempPath<T>(
  notes: PlaceNotes,
  path: string,
  work: (path: string) => Promise<T>,
): Promise<T> {
  const noted = unlessBroken(() => notes.notePlace({ kind: 'scratch', path }))
  let isGone = false
  try {
    return await work(path)
  } finally {
    // What cannot be removed (for example because its disk is gone) must not hide how the work ended. The next start tries again.
    isGone = await removeTree(path).then(
      () => true,
      () => false,
    )
    if (isGone && noted) unlessBroken(() => notes.placeGone(noted))
  }
}

function unlessBroken<T>(work: () => T): T | null {
  try {
    return work()
  } catch (thrown) {
    if (AppError.from(thrown).code !== 'catalog-broken') throw thrown
    return null
  }
}

/**
 * Lends a new folder of this process alone, which is removed with all that is in it in the end.
 * @throws AppError of `work`, or for a folder that cannot be made
 */
export function withTempFolder<T>(
  notes: PlaceNotes,
  path: string,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  return withTempPath(notes, path, async (folder) => {
    await attempt('write', folderOf(folder), mkdir(fsPath(folder), { mode: 0o700 }))
    return work(folder)
  })
}

/** The same below the system's folder for temporary files. */
export function withSystemTempFolder<T>(
  notes: PlaceNotes,
  purpose: 'plan' | 'merge' | 'restore' | 'verify',
  work: (folder: string) => Promise<T>,
): Promise<T> {
  return withTempFolder(notes, joinPath(tmpdir(), newId(`stowage-${purpose}`)), work)
}

/** A name for what is made next to a path before it takes its place. */
export function partialPath(path: string): string {
  return `${path}.${newId('partial')}`
}
