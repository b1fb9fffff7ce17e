import { type DamagedFolders, damagedFoldersText } from '../../../../domain/sets/damagedFolders'
import { AppError } from '../../../../primitives/appError'
import { pathForDisplay } from '../../../../primitives/pathText'
import { formatCount, formatExactBytes } from '../../../../primitives/quantity'
import { said } from '../../../../primitives/said'
import type { Expected, Found } from '../lists/expectedTree'

/** Bytes of a file or an image that cannot be read; a null cause means that it ends before. */
interface UnreadableRange {
  readonly offset: number
  readonly length: number
  readonly cause: string | null
}

/** A fault of one file or other entry of a volume, or of a file in one of its archives. */
export type FileDifference = { readonly path: string } & (
  | { readonly code: 'missing' | 'extra' | 'other-target' | 'only-in-udf' | 'damaged-recovery-data' }
  | { readonly code: 'other-kind'; readonly found: Found['kind']; readonly wanted: Expected['kind'] }
  /** Only of a file of a folder, the cause: as in `DamagedFile`. */
  | { readonly code: 'other-size'; readonly bytes: number; readonly wanted: number; cause?: ChangeCause }
  | { readonly code: 'other-content'; cause?: ChangeCause }
  /** It could not be opened or read at all. */
  | { readonly code: 'unreadable'; readonly because: string }
  /** Parts of it, which lies in an image or is a file by itself. */
  | {
      readonly code: 'cut' | 'unreadable-parts'
      readonly parts: readonly UnreadableRange[]
      /** Where its content begins in the image; null for a file by itself. */
      readonly offset: number | null
    }
  | { readonly code: 'sums-differ' | 'damaged-lines' | 'lost-list' }
  /** A list that the catalog does not know as the set's. */
  | { readonly code: 'unproved-list'; readonly because: string }
  /** A file of the source, and the archive that must hold it. */
  | { readonly code: 'no-container' | 'incomplete-container' | 'other-member'; readonly container: string }
  | { readonly code: 'missing-member'; readonly container: string; readonly because: string | null }
  | { readonly code: 'unreadable-member'; readonly container: string; readonly because: string }
  /** The parts of a split file are right, and joined are not the file. */
  | { readonly code: 'other-whole' }
)

type ChangeCause = 'changed' | 'corrupted'

/** A fault of a volume as a whole. */
type VolumeDifference =
  | { readonly code: 'image-size'; readonly bytes: number; readonly wanted: number }
  | { readonly code: 'written-size'; readonly bytes: number; readonly wanted: number }
  | { readonly code: 'image-label' | 'written-label'; readonly label: string }
  | { readonly code: 'other-bytes' | 'no-parity' | 'other-parity' }
  | { readonly code: 'other-image'; readonly label: string }
  | { readonly code: 'udf-lacks'; readonly entries: number }
  | { readonly code: 'damaged-folders'; readonly folders: DamagedFolders | undefined }
  /** It could not be opened or read as a volume. */
  | { readonly code: 'unreadable-volume'; readonly failure: AppError }
  /** 7-Zip disagrees or complains. */
  | { readonly code: 'other-listing'; readonly complaints: readonly string[] }
  | { readonly code: 'other-stream' }
  | { readonly code: 'complaint'; readonly complaint: string }

/** One way in which a volume is not as it must be: facts, of which sentences are made below. */
export type Difference = FileDifference | VolumeDifference

/**
 * `its content differs (SHA-256)`: one line without the path.
 * @param figure writes the sizes of files
 */
export function differenceText(difference: Difference, figure: (count: number) => string = String): string {
  switch (difference.code) {
    case 'missing':
      return said`it is missing`
    case 'extra':
      return said`it is not in the plan`
    case 'other-kind':
      return said`it is ${kindName(difference.found)}, not ${kindName(difference.wanted)}`
    case 'other-size': {
      const { bytes, wanted, cause } = difference
      return withCause(said`it has ${figure(bytes)} bytes instead of ${figure(wanted)}`, cause)
    }
    case 'other-target':
      return said`the symbolic link has another target`
    case 'other-content':
      return withCause(said`its content differs (SHA-256)`, difference.cause)
    case 'unreadable':
    case 'unproved-list':
      return difference.because
    case 'cut': {
      const subject = difference.offset === null ? said`it ends` : said`the image ends`
      return said`${subject} ${formatCount(bytesOf(difference.parts))} bytes before it is complete`
    }
    case 'unreadable-parts': {
      const causes = [...new Set(difference.parts.flatMap(({ cause }) => cause ?? []))].join(', ')
      return said`${formatCount(bytesOf(difference.parts))} bytes cannot be read (${causes})`
    }
    case 'only-in-udf':
      return said`it is in the UDF folders alone`
    case 'damaged-recovery-data':
      return said`some of the recovery data in it is damaged`
    case 'sums-differ':
      return said`it has other digests than INDEX.tsv`
    case 'damaged-lines':
      return said`its lines are damaged`
    case 'lost-list':
      return said`it cannot be read, and recovery data does not give it back`
    case 'no-container':
      return said`its container ${pathForDisplay(difference.container)} ${said`is on no volume`}`
    case 'incomplete-container':
      return said`its container ${pathForDisplay(difference.container)} ${said`lacks a part on the volumes`}`
    case 'missing-member': {
      const { container, because } = difference
      const shown = pathForDisplay(container)
      return because === null ? said`it is not in ${shown}` : said`it is not in ${shown} (${because})`
    }
    case 'unreadable-member':
      return said`its content in ${pathForDisplay(difference.container)} cannot be read (${difference.because})`
    case 'other-member':
      return said`its content in ${pathForDisplay(difference.container)} differs (SHA-256)`
    case 'other-whole':
      return said`its parts joined differ from the whole (SHA-256)`
    case 'image-size':
      return said`the image has ${difference.bytes} bytes instead of ${difference.wanted}`
    case 'written-size':
      return said`it has ${formatExactBytes(difference.bytes)} instead of ${formatExactBytes(difference.wanted)}`
    case 'image-label':
      return said`the image is labelled "${difference.label}"`
    case 'written-label':
      return said`it is labelled "${difference.label}"`
    case 'other-bytes':
      return said`the medium does not hold the bytes that were written`
    case 'no-parity':
      return said`it has no list of images, or no parity`
    case 'other-parity':
      return said`the images give another parity than its list has`
    case 'other-image':
      return said`the image of ${difference.label} is not the one that its parity was made of; build the plan again`
    case 'udf-lacks':
      return said`the UDF folders lack ${difference.entries} of its files and folders`
    case 'damaged-folders':
      return difference.folders ? damagedFoldersText(difference.folders) : said`its folders are damaged`
    case 'unreadable-volume':
      return difference.failure.message
    case 'other-listing': {
      const because = difference.complaints.length > 0 ? said` (${difference.complaints.join('; ')})` : ''
      return said`7-Zip lists other files than the image's directory${because}`
    }
    case 'other-stream':
      return said`7-Zip extracted more or fewer bytes than it listed`
    case 'complaint':
      return said`7-Zip: ${difference.complaint}`
  }
}

/**
 * `verification of DISC_01 failed: a/b: its content differs (SHA-256)`, as `verification-failed`; a
 * failure to open the volume that says nothing of its content stays what it is.
 * @param label null for a difference of the set, or of a split file as a whole
 */
export function differenceFailure(
  label: string | null,
  difference: Difference,
  figure?: (count: number) => string,
): AppError {
  if (difference.code === 'unreadable-volume' && difference.failure.code !== 'verification-failed')
    return difference.failure
  const because = differenceText(difference, figure)
  if (!('path' in difference))
    return new AppError('verification-failed', said`verification of ${label} failed: ${because}`)
  const { path } = difference
  const shown = pathForDisplay(path)
  const message =
    label !== null
      ? said`verification of ${label} failed: ${shown}: ${because}`
      : difference.code === 'other-whole'
        ? said`verification of the rejoined file failed: ${shown}: ${because}`
        : said`verification of the set failed: ${shown}: ${because}`
  return new AppError('verification-failed', message, { path })
}

/** The text with the path before it, where it is of one file. */
export function locatedText(difference: Difference): string {
  const text = differenceText(difference)
  return 'path' in difference ? said`${pathForDisplay(difference.path)}: ${text}` : text
}

function kindName(kind: Found['kind']): string {
  switch (kind) {
    case 'file':
      return said`a file`
    case 'folder':
      return said`a folder`
    case 'symlink':
      return said`a symbolic link`
    case 'other':
      return said`neither file nor folder`
  }
}

function withCause(because: string, cause: ChangeCause | undefined): string {
  switch (cause) {
    case 'changed':
      return said`${because}: changed since it was written`
    case 'corrupted':
      return said`${because}, but size and time are as written: corrupted`
    default:
      return because
  }
}

function bytesOf(parts: readonly UnreadableRange[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0)
}
