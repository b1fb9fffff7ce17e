/**
 * The room `fingerprints` writes what a survey's contents have in common with others' as Parquet.
 * How: the addon keeps a fixed share of all hashes; `writeFingerprints` brings its sorted rows to
 * tables in a new folder, and a note of all parts last, before the folder takes its place.
 * Not here: shares and names (`src/domain/fingerprints`), collecting (the addon).
 */

import { rmdirSync } from 'node:fs'
import type { SurveyRequest } from '../../contract/dto/survey'
import { type KeptScheme, keptSchemes } from '../../domain/fingerprints/schemes'
import type { Chunker } from '../../domain/survey/chunkers'
import { AppError } from '../../primitives/appError'
import { pathForDisplay } from '../../primitives/pathText'
import { said } from '../../primitives/said'
import { attemptAtOnce, fileFailure, fsPath, joinPath } from '../files/fileSystem'
import { moveToFreePlace } from '../files/place'
import { type PlaceNotes, withTempFolder } from '../files/scratch'
import { ensureFolder, flushFolder } from '../files/write'
import { newId } from '../jobs/newId'
import type { NativeFingerprints } from '../native/fingerprints'
import { type CarriedFingerprints, openCarried } from './carriedFingerprints'
import { type FingerprintKey, readFingerprintKey } from './fingerprintKey'

/** The fingerprints that one survey is to leave. */
export interface Fingerprinting {
  readonly native: NativeFingerprints
  readonly schemes: readonly KeptScheme[]
  readonly key: FingerprintKey | null
  readonly hasPaths: boolean
  /** A new folder, in which the tables are made. */
  readonly making: string
  /**
   * Opens the fingerprints from which rows of unchanged files are taken.
   * @throws AppError as `openCarried`
   */
  earlierOf(surveyId: string): Promise<CarriedFingerprints | null>
  /** Puts the folder, whole and flushed, where the survey's fingerprints belong. */
  take(surveyId: string): Promise<void>
}

/** The request's part that is about fingerprints. */
export type FingerprintRequest = Pick<
  SurveyRequest,
  'blockSizes' | 'samples' | 'fingerprintShift' | 'fingerprintKey' | 'fingerprintPaths' | 'fingerprintsSince'
>

/**
 * Prepares the folder before anything is read, and removes what is unfinished in the end.
 * @param folder the absolute path of the folder of all surveys' fingerprints; it is made if it is
 *   not there
 * @param chunkers those of the survey
 * @throws AppError of `work`, or why the folder or the key cannot be used
 */
export async function withFingerprinting<T>(
  notes: PlaceNotes,
  folder: string,
  request: FingerprintRequest,
  chunkers: readonly Chunker[],
  work: (fingerprinting: Fingerprinting) => Promise<T>,
): Promise<T> {
  const key = request.fingerprintKey === undefined ? null : await readFingerprintKey(request.fingerprintKey)
  const tables = joinPath(folder, 'format=1')
  const made = ensureFolder(tables)
  let isTaken = false
  const schemes = keptSchemes(request, chunkers)
  try {
    return await withTempFolder(notes, joinPath(folder, newId('.stowage-fingerprints')), (temporary) => {
      const making = joinPath(temporary, 'tables')
      attemptAtOnce('make the folder', making, () => ensureFolder(making))
      return work({
        native: {
          shiftOf: (cut) => schemes.find((scheme) => scheme.cut === cut)?.shift ?? 0,
          key: key?.hashKey ?? null,
          scratch: joinPath(temporary, 'runs'),
        },
        schemes,
        key,
        hasPaths: request.fingerprintPaths ?? true,
        making,
        async earlierOf(surveyId) {
          const since = request.fingerprintsSince
          return since === undefined ? null : openCarried(since, surveyId, { key, schemes })
        },
        async take(surveyId) {
          await takeSurveyPlace(making, tables, surveyId)
          isTaken = true
        },
      })
    })
  } finally {
    if (!isTaken) removeEmpty(made)
  }
}

/**
 * Puts the folder of a survey's fingerprints, whole and flushed, where it belongs.
 * @param tables the folder of all surveys'
 * @returns its place
 * @throws AppError `exists`, `no-space`, `io`
 */
export async function takeSurveyPlace(making: string, tables: string, surveyId: string): Promise<string> {
  const target = joinPath(tables, `survey=${surveyId}`)
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

/** Removes folders that were made for nothing; those in which something is stay. */
function removeEmpty(folders: readonly string[]): void {
  try {
    for (const folder of folders.toReversed()) rmdirSync(fsPath(folder))
  } catch {
    // Somebody else has put something there.
  }
}
