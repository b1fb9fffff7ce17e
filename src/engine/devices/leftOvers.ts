import { existsSync } from 'node:fs'
import { AppError } from '../../primitives/appError'
import type { Clock } from '../../primitives/clock'
import type { Catalog } from '../catalog/catalog'
import { fsPath } from '../files/fileSystem'
import { removeRunFolder } from '../native/timing'

/**
 * A folder that is not there may be about to be made by another process: its note is kept for this
 * long.
 */
const ABOUT_TO_BE_MADE_MS = 600_000

type FolderNotes = Pick<Catalog, 'measureFolders' | 'measureFolderGone'>

/**
 * Removes what killed measurements left: folders that are in the catalog's journal, bear a run's
 * marker and are not in use. Only names that runs make are removed in them. What cannot be reached
 * now (a drive that is not there) is tried again next time. Never throws: a left-over must not keep
 * anything from starting.
 * @returns what was removed, and what stays although nobody uses it, for people
 */
export function removeLeftOvers(notes: FolderNotes, clock: Clock): { removed: string[]; problems: string[] } {
  const removed: string[] = []
  const problems: string[] = []
  for (const noted of notes.measureFolders()) {
    const path = `${noted.directory}/${noted.folder}`
    try {
      // A volume that is not mounted has no folder, which does not mean that the folder is gone.
      if (!existsSync(fsPath(noted.directory))) continue
      const found = removeRunFolder(noted.directory, noted.folder)
      if (found === 'in-use') continue
      if (found === 'absent' && clock.wallMs() - noted.notedWallMs < ABOUT_TO_BE_MADE_MS) continue
      if (found === 'removed') removed.push(path)
      if (found === 'foreign-files-left') problems.push(`${path} stays: other files are in it`)
      notes.measureFolderGone(noted)
    } catch (thrown) {
      problems.push(AppError.from(thrown).message)
    }
  }
  return { removed, problems }
}
