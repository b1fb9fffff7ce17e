import { existsSync, linkSync, renameSync, rmSync, unlinkSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { basename } from 'node:path'
import { AppError } from '../../primitives/appError'
import { pathForDisplay } from '../../primitives/pathText'
import { said } from '../../primitives/said'
import { newId } from '../jobs/newId'
import { fileFailure, fsPath, lstatAt } from './fileSystem'
import { mayBeAlive } from './processIdentity'
import { type NotedPlace, type PlaceNotes, type PlaceStore, partialPath, withTempPath } from './scratch'
import { flushFolder, folderOf, type Pieces, writeNewFile } from './write'

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

/**
 * Writes a file next to its place and puts it there when it is whole and on the device: whoever
 * looks sees the old file or the new one, also after a loss of power.
 * @throws AppError `exists` when it is there and `force` is not set; `no-space`,
 *   `permission-denied`, `io`
 */
export async function replaceFile(
  notes: PlaceNotes,
  file: string,
  force: boolean,
  pieces: () => Pieces,
): Promise<void> {
  await withTempPath(notes, partialPath(file), async (beside) => {
    try {
      await writeNewFile(beside, pieces())
      if (force) await replacePlace(notes, beside, file)
      else await takeFreePlace(beside, file)
    } catch (thrown) {
      throw failureAt(thrown, beside, file)
    }
  })
}

/** The failure with the name that the person gave. */
function failureAt(thrown: unknown, beside: string, file: string): AppError {
  const failure = fileFailure(thrown, 'write', file)
  const options = { path: file, cause: thrown }
  const shown = pathForDisplay(file)
  if (failure.code === 'exists')
    return new AppError('exists', said`${shown} is already there (--force replaces it)`, options)
  if (failure.path !== beside) return failure
  return new AppError(
    failure.code,
    failure.message.replace(pathForDisplay(beside), () => shown),
    options,
  )
}

/** All names that are noted end so, or begin so: nothing else is ever removed. */
const OUR_NAME = /(?:^\.stowage-[a-z]+|^stowage-[a-z]+|\.(?:partial|replaced|making))-[0-9a-f]{12}$/
/** Plan folders that were replaced; older versions gave them names as above. */
const KEPT_NAME = /\.replaced-(?:\d{4}-\d\d-\d\d(?:-\d+)?|[0-9a-f]{12})$/

/** The removed and restored left-overs, in words. */
export interface Recovered {
  readonly removed: string[]
  readonly putBack: string[]
  /** Plan folders that were replaced, under the names that they have now. */
  readonly kept: string[]
  readonly problems: string[]
}

/**
 * Removes what killed processes had made and not finished, and puts back what they had set aside to
 * replace it. Only what is in the journal and has a name that Stowage gives is touched, and nothing
 * that a living process may still use. What cannot be reached now (a drive that is not there) is
 * tried again next time. Never throws: a left-over must not keep anything from starting.
 * @param onKept takes the folder of each plan whose replacement is finished here
 */
export function recoverLeftOvers(
  notes: Pick<PlaceStore, 'notedPlaces' | 'placeGone'>,
  onKept: OnKept,
): Recovered {
  const recovered: Recovered = { removed: [], putBack: [], kept: [], problems: [] }
  const dead = notes.notedPlaces().filter(({ owner }) => !mayBeAlive(owner))
  // First what takes a place, as what is made may lie in a folder that goes after that.
  for (const kinds of ['replaced', 'scratch']) {
    for (const noted of dead) {
      if (noted.kind.startsWith(kinds)) recover(notes, noted, onKept, recovered)
    }
  }
  return recovered
}

function recover(
  notes: Pick<PlaceStore, 'placeGone'>,
  noted: NotedPlace,
  onKept: OnKept,
  recovered: Recovered,
): void {
  const { path } = noted
  const ourName = noted.kind === 'replaced-plan' ? KEPT_NAME : OUR_NAME
  try {
    // A volume that is not mounted has no folder, which does not mean that the left-over is gone.
    if (!ourName.test(basename(path)) || !existsSync(fsPath(folderOf(path)))) return
    if (identityAt(path) !== null) {
      if (noted.kind === 'scratch') {
        rmSync(fsPath(path), { recursive: true, force: true })
        recovered.removed.push(path)
      } else if (!endReplacement(noted, onKept, recovered)) return
    }
    notes.placeGone(noted)
  } catch (thrown) {
    recovered.problems.push(`cannot remove ${pathForDisplay(path)}: ${AppError.from(thrown).message}`)
  }
}

/**
 * Ends a replacement: the new content takes the place if it is still there; otherwise the content
 * that was set aside returns.
 */
function endReplacement(
  noted: Extract<NotedPlace, { kind: 'replaced' | 'replaced-plan' }>,
  onKept: OnKept,
  { removed, putBack, kept, problems }: Recovered,
): boolean {
  const { path, target, made, madeIdentity } = noted
  if (identityAt(target) === null) {
    if (identityAt(made) !== madeIdentity) {
      renameSync(fsPath(path), fsPath(target))
      putBack.push(target)
      return true
    }
    renameSync(fsPath(made), fsPath(target))
  }
  if (identityAt(target) !== madeIdentity) {
    problems.push(
      `${pathForDisplay(path)} was set aside by a process that was killed; something else is at ${pathForDisplay(target)} now, so both stay`,
    )
    return false
  }
  if (noted.kind === 'replaced-plan') {
    onKept(path)
    kept.push(path)
    return true
  }
  rmSync(fsPath(path), { recursive: true, force: true })
  removed.push(path)
  return true
}
