import { rmdirSync } from 'node:fs'
import { AppError } from '../../primitives/appError'
import { pathForDisplay } from '../../primitives/pathText'
import { said } from '../../primitives/said'
import { attemptAtOnce, fileFailure, fsPath, joinPath } from '../files/fileSystem'
import { moveToFreePlace, replacePlace } from '../files/place'
import { type PlaceNotes, withTempFolder } from '../files/scratch'
import { ensureFolder, flushFolder } from '../files/write'
import { newId } from '../jobs/newId'

/** The version of the tables' layout, as folders name it. */
export const FORMAT_FOLDER = 'format=1'

/** Where tables are made before they take their place. */
export interface TablesFolder {
  /** A new folder for the tables. */
  readonly making: string
  /** A new folder for all else that is needed meanwhile. */
  readonly temporary: string
  /**
   * Puts the tables, whole and flushed, in their place.
   * @param name such as `survey=s-4f0c9b1e7a23`
   * @param replace takes the place of what is there
   * @returns the place
   * @throws AppError `exists`
   */
  take(name: string, replace?: boolean): Promise<string>
}

/**
 * Lends a folder for tables; what is unfinished is removed in the end.
 * @param folder the absolute path of the folder of many such tables; made if it is not there
 * @throws AppError of `work`, or why the folder cannot be used
 */
export async function withTablesFolder<T>(
  notes: PlaceNotes,
  folder: string,
  work: (tables: TablesFolder) => Promise<T>,
): Promise<T> {
  const tables = joinPath(folder, FORMAT_FOLDER)
  const made = ensureFolder(tables)
  let isTaken = false
  try {
    return await withTempFolder(notes, joinPath(folder, newId('.stowage-fingerprints')), (temporary) => {
      const making = joinPath(temporary, 'tables')
      attemptAtOnce('make the folder', making, () => ensureFolder(making))
      return work({
        making,
        temporary,
        async take(name, replace = false) {
          const target = replace
            ? await replaceTables(notes, making, joinPath(tables, name))
            : await takeFreeTables(making, tables, name)
          isTaken = true
          return target
        },
      })
    })
  } finally {
    if (!isTaken) removeEmpty(made)
  }
}

/**
 * Puts a folder of tables, whole and flushed, where nothing is yet.
 * @param tables the folder of all such tables
 * @param name such as `survey=s-4f0c9b1e7a23`
 * @returns its place
 * @throws AppError `exists`, `no-space`, `io`
 */
async function takeFreeTables(making: string, tables: string, name: string): Promise<string> {
  const target = joinPath(tables, name)
  try {
    moveToFreePlace(making, target)
    await flushFolder(tables)
    return target
  } catch (thrown) {
    const failure = fileFailure(thrown, 'write', target)
    if (failure.code !== 'exists') throw failure
    const shown = pathForDisplay(target)
    throw new AppError('exists', said`${shown} is already there`, { path: target, cause: thrown })
  }
}

async function replaceTables(notes: PlaceNotes, making: string, target: string): Promise<string> {
  try {
    await replacePlace(notes, making, target)
    return target
  } catch (thrown) {
    throw fileFailure(thrown, 'write', target)
  }
}

/** Removes folders that were made for nothing; those in which something is stay. */
function removeEmpty(folders: readonly string[]): void {
  try {
    for (const folder of folders.toReversed()) rmdirSync(fsPath(folder))
  } catch {
    // Somebody else has put something there.
  }
}
