import type { SurveyRequest } from '../../contract/dto/survey'
import { expectedSizes, keptSchemes, MOST_SHIFT, parseShare } from '../../domain/fingerprints/schemes'
import { CHUNKERS } from '../../domain/survey/chunkers'
import { absolutePath } from '../../files/absolutePath'
import { AppError } from '../../primitives/appError'
import type { ValuesOf } from '../arguments'
import type { SURVEY } from '../declarations/survey'
import { formatSize } from '../shape/sizes'
import type { Terminal } from '../terminal'

type Asked = Pick<
  SurveyRequest,
  'fingerprints' | 'fingerprintShift' | 'fingerprintKey' | 'fingerprintPaths' | 'fingerprintsSince'
>

/** @throws AppError `usage` for a share that is none, and for options that need `--fingerprints` */
export function fingerprintsAsked(values: ValuesOf<typeof SURVEY>): Asked {
  const {
    fingerprints,
    'fingerprint-share': share,
    'fingerprint-key': key,
    'no-paths': noPaths,
    since,
  } = values
  if (fingerprints === undefined) {
    if ([share, key, since].some((one) => one !== undefined) || noPaths)
      throw new AppError(
        'usage',
        '--fingerprint-share, --fingerprint-key, --no-paths and --since need --fingerprints',
      )
    return {}
  }
  const shift = share === undefined ? undefined : parseShare(share)
  if (shift === null)
    throw new AppError(
      'usage',
      `--fingerprint-share takes 1, 1/2, 1/4 and so on, down to 1/${2 ** MOST_SHIFT}`,
    )
  return {
    fingerprints: absolutePath(fingerprints),
    ...(shift !== undefined && { fingerprintShift: shift }),
    ...(key !== undefined && { fingerprintKey: absolutePath(key) }),
    ...(since !== undefined && { fingerprintsSince: absolutePath(since) }),
    fingerprintPaths: !noPaths,
  }
}

const TB = 1e12

/** Notes before the survey how much space fingerprints take, and what else they mean. */
export function noteFingerprints(request: SurveyRequest, out: Terminal): void {
  const chunkers = request.samples === 'quick' ? [] : CHUNKERS
  const { perByte, perFile, scratchPerByte } = expectedSizes(keptSchemes(request, chunkers))
  out.note(
    `fingerprints take some ${formatSize(perByte * TB)} for each TB and ${formatSize(perFile * 1e6)} for each million files` +
      (request.fingerprintsSince === undefined ? '; every file is read' : ''),
  )
  if (request.fingerprintShift !== undefined)
    out.note(
      `until they are written: some ${formatSize(scratchPerByte * TB)} of scratch space for each TB in the same folder`,
    )
  if (request.fingerprintKey === undefined)
    out.note('without --fingerprint-key they prove to anyone with a copy of a file that this source has it')
}
