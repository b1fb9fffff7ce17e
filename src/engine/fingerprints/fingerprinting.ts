/**
 * The room `fingerprints` writes what a survey's contents have in common with others' as Parquet.
 * How: the addon keeps a fixed share of all hashes; `writeFingerprints` brings its sorted rows to
 * tables in a new folder, and a note of all parts last, before the folder takes its place.
 * Not here: shares and names (`src/domain/fingerprints`), collecting (the addon).
 */

import type { SurveyRequest } from '../../contract/dto/survey'
import { type KeptScheme, keptSchemes } from '../../domain/fingerprints/schemes'
import type { Chunker } from '../../domain/survey/chunkers'
import { joinPath } from '../files/fileSystem'
import type { PlaceNotes } from '../files/scratch'
import type { NativeFingerprints } from '../native/fingerprints'
import { type CarriedFingerprints, openCarried } from './carriedFingerprints'
import { type FingerprintKey, readFingerprintKey } from './fingerprintKey'
import { withTablesFolder } from './tablesFolder'

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
  const schemes = keptSchemes(request, chunkers)
  return withTablesFolder(notes, folder, ({ making, temporary, take }) =>
    work({
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
        await take(`survey=${surveyId}`)
      },
    }),
  )
}
