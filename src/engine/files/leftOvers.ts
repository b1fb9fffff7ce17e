import { existsSync, renameSync, rmSync } from 'node:fs'
import { basename } from 'node:path'
import { AppError } from '../../primitives/appError'
import { pathForDisplay } from '../../primitives/pathText'
import { fsPath } from './fileSystem'
import { folderOf } from './flush'
import type { NotedPlace, PlaceStore } from './placeNotes'
import { mayBeAlive } from './processIdentity'
import { identityAt, type OnKept } from './replacePlace'

/** All names that are noted end so, or begin so: nothing else is ever removed. */
const OUR_NAME = /(?:^\.stowage-[a-z]+|^stowage-[a-z]+|\.(?:partial|replaced|making))-[0-9a-f]{12}$/
/** Plan folders that were replaced; older versions gave them names as above. */
const KEPT_NAME = /\.replaced-(?:\d{4}-\d\d-\d\d(?:-\d+)?|[0-9a-f]{12})$/

/** The removed and restored left-overs, in words. */
export interface Settled {
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
export function settleLeftOvers(
  notes: Pick<PlaceStore, 'notedPlaces' | 'placeGone'>,
  onKept: OnKept,
): Settled {
  const settled: Settled = { removed: [], putBack: [], kept: [], problems: [] }
  const dead = notes.notedPlaces().filter(({ owner }) => !mayBeAlive(owner))
  // First what takes a place, as what is made may lie in a folder that goes after that.
  for (const kinds of ['replaced', 'scratch']) {
    for (const noted of dead) {
      if (noted.kind.startsWith(kinds)) settle(notes, noted, onKept, settled)
    }
  }
  return settled
}

function settle(
  notes: Pick<PlaceStore, 'placeGone'>,
  noted: NotedPlace,
  onKept: OnKept,
  settled: Settled,
): void {
  const { path } = noted
  const ourName = noted.kind === 'replaced-plan' ? KEPT_NAME : OUR_NAME
  try {
    // A volume that is not mounted has no folder, which does not mean that the left-over is gone.
    if (!ourName.test(basename(path)) || !existsSync(fsPath(folderOf(path)))) return
    if (identityAt(path) !== null) {
      if (noted.kind === 'scratch') {
        rmSync(fsPath(path), { recursive: true, force: true })
        settled.removed.push(path)
      } else if (!endReplacement(noted, onKept, settled)) return
    }
    notes.placeGone(noted)
  } catch (thrown) {
    settled.problems.push(`cannot remove ${pathForDisplay(path)}: ${AppError.from(thrown).message}`)
  }
}

/**
 * Ends a replacement: the new content takes the place if it is still there; otherwise the content
 * that was set aside returns.
 */
function endReplacement(
  noted: Extract<NotedPlace, { kind: 'replaced' | 'replaced-plan' }>,
  onKept: OnKept,
  { removed, putBack, kept, problems }: Settled,
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
