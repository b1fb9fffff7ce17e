import { SECTOR } from './imageTree'
import { checkTag, TAG } from './udfFields'

/** Sectors before it are named by their numbers, all others by their blocks in the partition. */
const PARTITION = 257
const TAG_BYTES = 16
const FILE_ENTRY_BYTES = 176
/** The header of a file entry's attributes, and the fields before the time of creation. */
const HEADER_BYTES = 24
const BEFORE_TIME_BYTES = 20
/** File times among extended attributes, and the one that is of the file's creation (4/14.10.5). */
const FILE_TIMES = 5
const IS_CREATION = 1
/** Identifiers of files begin behind those that UDF keeps for itself. */
const FIRST_IDENTIFIER = 16

/** Descriptors that are under their own checksum up to their end; others have lists behind them. */
const WHOLE: ReadonlySet<number> = new Set([1, 2, 4, 5, 6, 7, 8, 9, TAG.fileSet, TAG.fileEntry])

/**
 * A sector of one of Stowage's own images that is as it was written, as far as it says so itself.
 * @param sector where it lies
 * @returns null for damaged descriptors, and for sectors that are none
 */
export function wholeDescriptor(
  bytes: Uint8Array,
  sector: number,
): { readonly tag: number; readonly view: DataView } | null {
  const tag = (bytes[0] ?? 0) | ((bytes[1] ?? 0) << 8)
  if (!WHOLE.has(tag) || bytes.length < SECTOR) return null
  try {
    const place = sector < PARTITION ? sector : sector - PARTITION
    const isAnchor = tag === TAG.anchor
    const view = checkTag(bytes, { tag, place: isAnchor ? sector : place }, isAnchor ? 'anchor' : 'volume')
    const end = TAG_BYTES + view.getUint16(10, true)
    return bytes.subarray(end).every((byte) => byte === 0) ? { tag, view } : null
  } catch {
    return null
  }
}

/** The times of a file or folder, in nanoseconds since 1970. */
export interface EntryTimes {
  /** The number of the entry in its image. */
  readonly number: number
  readonly modifiedNs: bigint
  /** Null where the image does not say it. */
  readonly createdNs: bigint | null
}

/** The times in a file entry (4/14.9) that Stowage has written. */
export function entryTimes(view: DataView): EntryTimes {
  const identifier = Number(view.getBigUint64(160, true))
  const times = FILE_ENTRY_BYTES + HEADER_BYTES
  const isCreation =
    view.getUint32(168, true) > HEADER_BYTES &&
    view.getUint32(times, true) === FILE_TIMES &&
    view.getUint32(times + 16, true) === IS_CREATION
  return {
    number: identifier === 0 ? 0 : identifier - FIRST_IDENTIFIER,
    modifiedNs: udfTime(view, 84),
    createdNs: isCreation ? udfTime(view, times + BEFORE_TIME_BYTES) : null,
  }
}

/** When a volume was made, by one of its descriptors; null in those that do not say it. */
export function madeIn({ tag, view }: { readonly tag: number; readonly view: DataView }): bigint | null {
  if (tag === 1) return udfTime(view, 376)
  return tag === TAG.fileSet ? udfTime(view, 16) : null
}

/** A timestamp (1/7.3) without distance from UTC, in nanoseconds since 1970. */
function udfTime(view: DataView, at: number): bigint {
  const byte = (offset: number): number => view.getUint8(at + offset)
  const date = new Date(0)
  date.setUTCFullYear(view.getInt16(at + 2, true), byte(4) - 1, byte(5))
  date.setUTCHours(byte(6), byte(7), byte(8))
  const microseconds = 10_000 * byte(9) + 100 * byte(10) + byte(11)
  return BigInt(date.getTime()) * 1_000_000n + 1000n * BigInt(microseconds)
}
