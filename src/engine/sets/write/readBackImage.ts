import { createHash } from 'node:crypto'
import { AppError } from '../../../primitives/appError'
import { pathForDisplay } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import type { ContentPlace } from '../../files/read'
import { type ReadWhole, readWhole } from '../../native/sectorReading'
import { openImage } from '../volume/image/image'
import type { Expected } from '../volume/lists/expectedTree'
import type { Volume } from '../volume/lists/volume'
import type { Difference } from '../volume/open/difference'
import { type Reading, readBackTree, type Way } from '../volume/open/readBack'
import type { SizedVolume } from '../volume/planned/plannedVolume'

const SECTOR = 2048
const EMPTY_SHA256 = createHash('sha256').digest('hex')

export interface WrittenCheck {
  readonly differences: readonly Difference[]
  /** True when the medium holds exactly the written bytes: then the fault was there before. */
  readonly isFaithful: boolean
  /** True when the bytes came from the medium and not from the system's cache. */
  readonly uncached: boolean
}

/**
 * Reads the image on a medium back once, by direct reads where it can, and compares it with what
 * was written and with the plan: all bytes by their digest, names, kinds, sizes and targets, and
 * the SHA-256 of every file.
 * @param path a device or file, which may be longer than the image
 * @param sha256 of what was written
 * @throws AppError `verification-failed`, `io` naming the file that could not be read, `cancelled`
 */
export async function readBackImage(
  path: string,
  volume: SizedVolume,
  expected: ReadonlyMap<string, Expected>,
  sha256: string,
  options: { readonly signal: AbortSignal; readonly onBytes: (done: number) => void },
): Promise<WrittenCheck> {
  const { label, sectors } = volume
  const medium = await openLabelled(path, label)
  const watch = { signal: options.signal, onBytes: (done: number) => options.onBytes(done) }
  const whole = wholeImage(path, sectors * SECTOR)
  const { differences, reading } =
    'code' in medium
      ? { differences: [medium], reading: await whole([], watch) }
      : await readBackTree(medium, expected, whole, watch).catch(async (thrown: unknown) => {
          throw await inFile(AppError.from(thrown), label, medium, options.signal)
        })
  const isFaithful = reading.sha256 === sha256
  const { uncached } = reading
  if (isFaithful || differences.length > 0) return { differences, isFaithful, uncached }
  return { differences: [{ code: 'other-bytes' }], isFaithful, uncached }
}

/** All of an image, with its own digest. The first sector that cannot be read ends it. */
function wholeImage(path: string, length: number): Way<Reading & Pick<ReadWhole, 'sha256' | 'uncached'>> {
  return async (places, watch) => {
    const apart = distinctPlaces(places, length)
    const found = await readWhole(path, length, apart, watch)
    const digests = new Map(apart.map(({ offset }, at) => [offset, found.ranges[at] ?? '']))
    const ranges = places.map(({ offset, bytes }) => ({
      sha256: bytes === 0 ? EMPTY_SHA256 : (digests.get(offset) ?? ''),
    }))
    return { ...found, ranges }
  }
}

/** The image on a medium, or why it cannot be read or is another one. */
async function openLabelled(path: string, label: string): Promise<Volume | Difference> {
  try {
    const image = await openImage(path)
    return image.label === label ? image : { code: 'written-label', label: image.label }
  } catch (thrown) {
    return { code: 'unreadable-volume', failure: AppError.from(thrown) }
  }
}

/**
 * The places that can be read in one go. Damaged folders may name places that overlap or lie behind
 * the image: such a file has no digest, which is a failure.
 */
function distinctPlaces(places: readonly ContentPlace[], length: number): ContentPlace[] {
  let end = 0
  return places.filter(({ offset, bytes }) => {
    const isApart = bytes > 0 && offset >= end && offset + bytes <= length
    if (isApart) end = offset + bytes
    return isApart
  })
}

/** A read failure with the file that it is in. */
async function inFile(
  failure: AppError,
  label: string,
  medium: Volume,
  signal: AbortSignal,
): Promise<AppError> {
  const byte = Number(/ at byte (\d+):/.exec(failure.message)?.[1] ?? Number.NaN)
  for (const path of Number.isNaN(byte) ? [] : (await medium.tree(signal)).keys()) {
    const { offset, bytes } = (await medium.placeOf(path)) ?? { offset: 0, bytes: 0 }
    if (byte < offset || byte >= offset + bytes) continue
    const message = said`cannot read back ${pathForDisplay(path)} on ${label}: ${failure.message.replace(/^.*?: /, '')}`
    return new AppError(failure.code, message, { path })
  }
  return failure
}
