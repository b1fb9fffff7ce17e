import { treeSizes } from '../../domain/survey/blockSizes'
import type { Chunker } from '../../domain/survey/chunkers'
import { pathToBytes } from '../../primitives/pathText'

/** The contents to keep: a share 2^-shift of each way of cutting, and of whole files all. */
export interface NativeFingerprints {
  /** By block size, with those of `blocksFrom512` and `blockSizes`, or chunker. */
  shiftOf(cut: number | Chunker): number
  /** 16 bytes; null: hashes are kept as they are. */
  readonly key: Uint8Array | null
  /** The absolute path of a scratch file that is made, and loses its name, when memory is full. */
  readonly scratch: string
  /** Memory of all threads together. Default 64 MiB. */
  readonly bufferBytes?: number
}

/** See `FingerprintTerms` in native/src/core/fingerprints/fingerprintTerms.h. */
export interface RawFingerprints {
  shifts: Uint8Array
  key: Uint8Array | null
  scratch: Uint8Array
  bufferBytes: number
}

/** Rows of one level; `failure` is why there are none. */
export interface RawFingerprintRows {
  readonly failure: string | null
  /** For zeros: the blocks. */
  readonly hash: BigInt64Array
  readonly bytes: BigInt64Array
  /** -1: more than eight files have the content. */
  readonly file: Int32Array
  /** Empty for zeros. */
  readonly count: Int32Array
}

/** The rows of a way of cutting. */
export interface FingerprintLevel {
  /** A block size, a chunker (its first draw), or whole files. */
  readonly cut: number | Chunker | 'files'
  /** True: the all-zero blocks of each file instead; of block sizes only. */
  readonly areZeros?: boolean
}

/** The settings of a survey that decide the levels. */
interface Cuts {
  readonly blocksFrom512: boolean
  readonly blockSizes?: readonly number[]
  readonly chunkers?: readonly Chunker[]
}

const BUFFER_BYTES = 64 * 1024 * 1024
/** A level of which nothing is kept. */
const NOT_KEPT = 255

/**
 * The levels in the addon's order (native/src/core/fingerprints/fingerprintTerms.h); null is a
 * chunker's further draw.
 */
function cutsInOrder({
  blocksFrom512,
  blockSizes = [],
  chunkers = [],
}: Cuts): (FingerprintLevel['cut'] | null)[] {
  return [
    ...treeSizes(blocksFrom512),
    ...chunkers.flatMap((chunker) => [chunker, ...Array.from({ length: chunker.draws - 1 }, () => null)]),
    'files',
    ...blockSizes,
  ]
}

export function rawFingerprints(given: NativeFingerprints, cuts: Cuts): RawFingerprints {
  const shifts = cutsInOrder(cuts).map((cut) =>
    cut === null ? NOT_KEPT : cut === 'files' ? 0 : given.shiftOf(cut),
  )
  return {
    shifts: Uint8Array.from(shifts),
    key: given.key,
    scratch: pathToBytes(given.scratch),
    bufferBytes: given.bufferBytes ?? BUFFER_BYTES,
  }
}

/** The addon's number of a level. */
export function levelNumber({ cut, areZeros = false }: FingerprintLevel, cuts: Cuts): number {
  const order = cutsInOrder(cuts)
  return order.indexOf(cut) + (areZeros ? order.length : 0)
}
