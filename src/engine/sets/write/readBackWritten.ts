import { AppError } from '../../../primitives/appError'
import { pathForDisplay } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import { lstatAt } from '../../files/fileSystem'
import type { ContentPlace } from '../../files/read'
import { type ReadWhole, readWhole } from '../../native/sectorReading'
import { openImage } from '../volume/image/image'
import { SECTOR } from '../volume/image/imageTree'
import type { Expected } from '../volume/lists/expectedTree'
import { openFolder, type Volume } from '../volume/lists/volume'
import type { Difference } from '../volume/open/difference'
import { direct, type Reading, rangesIn, readBackTree, type Watch, type Way } from '../volume/open/readBack'
import type { SizedVolume } from '../volume/planned/plannedVolume'

/** A volume that was written somewhere. */
export interface WrittenVolume {
  readonly kind: 'image' | 'folder'
  readonly volume: Pick<SizedVolume, 'label' | 'sectors'>
  readonly expected: ReadonlyMap<string, Expected>
  /** That of an image that was just written; null for one that was there before, and a folder. */
  readonly sha256: string | null
}

interface WrittenCheck {
  readonly differences: readonly Difference[]
  /** That of a whole image as it was read; null for one of another size, and a folder. */
  readonly sha256: string | null
  /** True when the medium holds exactly the written bytes: then the fault was there before. */
  readonly isFaithful: boolean
  /** True when the bytes came from the medium and not from the system's cache. */
  readonly uncached: boolean
}

/**
 * Reads a written volume back once, by direct reads where it can, and compares it with the plan:
 * names, kinds, sizes and targets, and the SHA-256 of every file; an image that was just written
 * also with what was written, all bytes by their digest.
 * @param path a folder, file or device; a device may be longer than the image
 * @throws AppError `verification-failed`, `io` naming the file that could not be read, `cancelled`
 */
export async function readBackWritten(
  path: string,
  { kind, volume: { label, sectors }, expected, sha256 }: WrittenVolume,
  { signal, onBytes }: Watch,
): Promise<WrittenCheck> {
  const blank = { sha256: null, isFaithful: false, uncached: true }
  if (kind === 'folder') {
    const { differences } = await readBackTree(await openFolder(path), expected, direct, { signal, onBytes })
    return { ...blank, differences }
  }
  const bytes = sectors * SECTOR
  const found = Number(lstatAt(path)?.size ?? 0)
  if (sha256 === null && found !== bytes)
    return { ...blank, differences: [{ code: 'written-size', bytes: found, wanted: bytes }] }
  const medium = await openLabelled(path, label)
  const watch = { signal, onBytes: (done: number) => onBytes(done) }
  const whole = wholeImage(path, bytes)
  const { differences, reading } =
    'code' in medium
      ? { differences: [medium], reading: await whole([], watch) }
      : await readBackTree(medium, expected, whole, watch).catch(async (thrown: unknown) => {
          throw await inFile(AppError.from(thrown), label, medium, signal)
        })
  const isFaithful = reading.sha256 === sha256
  const areOther = sha256 !== null && !isFaithful && differences.length === 0
  return {
    differences: areOther ? [{ code: 'other-bytes' }] : differences,
    sha256: reading.sha256,
    isFaithful,
    uncached: reading.uncached,
  }
}

/** All of an image, with its own digest. The first sector that cannot be read ends it. */
function wholeImage(path: string, length: number): Way<Reading & Pick<ReadWhole, 'sha256' | 'uncached'>> {
  return async (places, watch) => {
    const apart = distinctPlaces(places, length)
    const found = await readWhole(path, length, apart, watch)
    const digests = new Map(apart.map(({ offset }, at) => [offset, found.ranges[at]]))
    const ranges = rangesIn(places, digests)
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
