/**
 * The room `fingerprints` has the terms of fingerprints: ways of cutting, shares, tables.
 * How: pure functions of sizes and chunkers; the text of a share and of a scheme is permanent.
 * Not here: reading and writing (`src/engine/fingerprints`), collecting (the addon).
 */

import { blockPasses, treeSizes } from '../survey/blockSizes'
import type { Chunker } from '../survey/chunkers'

/** One way of cutting whose contents are fingerprinted. */
export interface Scheme {
  /** Permanent: the key of partitions. `blocks-4k`, `blocks-2352`, or a chunker's name. */
  readonly name: string
  readonly table: 'blocks' | 'chunks'
  /** Its block size, or the average chunk. */
  readonly nominalBytes: number
}

const KIB = 1024
const MIB = KIB * KIB
/** From here on every content is kept. */
const WHOLE_FROM_BYTES = 4 * MIB

function blockScheme(blockBytes: number): Scheme {
  const unit = blockBytes % MIB === 0 ? MIB : blockBytes % KIB === 0 ? KIB : 1
  const letter = { [MIB]: 'm', [KIB]: 'k' }[unit] ?? ''
  return { name: `blocks-${blockBytes / unit}${letter}`, table: 'blocks', nominalBytes: blockBytes }
}

function chunkScheme({ name, minBytes, oddsOfBoundary, normalization }: Chunker): Scheme {
  const nominalBytes =
    normalization.level > 0 ? normalization.normalBytes : Math.round(minBytes + oddsOfBoundary)
  return { name, table: 'chunks', nominalBytes }
}

/**
 * The share 2^-shift of a scheme's contents that is kept: its size, rounded down to a power of two,
 * by 4 MiB, so that each scheme has about 240,000 rows a TB; at least 2^-leastShift.
 */
function shareShift(nominalBytes: number, leastShift: number | undefined): number {
  const usual = Math.max(0, Math.log2(WHOLE_FROM_BYTES) - Math.floor(Math.log2(nominalBytes)))
  return leastShift === undefined ? usual : Math.min(usual, leastShift)
}

/** A way of cutting with its share, 2^-shift. */
export interface KeptScheme extends Scheme {
  readonly shift: number
  /** The block size, or the chunker. */
  readonly cut: number | Chunker
}

/**
 * The ways of cutting that a survey counts, with their shares.
 * @param asked the block sizes asked for and the least share, 2^-fingerprintShift
 */
export function keptSchemes(
  asked: {
    readonly blockSizes?: readonly number[] | undefined
    readonly fingerprintShift?: number | undefined
  },
  chunkers: readonly Chunker[],
): KeptScheme[] {
  const { from512, linear } = blockPasses(asked.blockSizes ?? [])
  const kept = (scheme: Scheme, cut: KeptScheme['cut']): KeptScheme => ({
    ...scheme,
    shift: shareShift(scheme.nominalBytes, asked.fingerprintShift),
    cut,
  })
  return [
    ...[...treeSizes(from512), ...linear].map((size) => kept(blockScheme(size), size)),
    ...chunkers.map((chunker) => kept(chunkScheme(chunker), chunker)),
  ]
}

/** The finest share that can be asked for. */
export const MOST_SHIFT = 20

/** `1` or `1/64` as a shift; null for what is no power of two down to 2^-20. */
export function parseShare(text: string): number | null {
  const divisor = text === '1' ? 1 : Number(/^1\/([1-9]\d{0,6})$/.exec(text)?.[1])
  const shift = Math.log2(divisor)
  return Number.isInteger(shift) && shift <= MOST_SHIFT ? shift : null
}

/** The expected size of fingerprints and of their scratch file. */
interface Expected {
  /** Bytes of the tables for each byte of the source. */
  readonly perByte: number
  /** Bytes for each file: its row with path and SHA-256, and its content's. */
  readonly perFile: number
  /** Bytes of scratch space for each byte of the source. */
  readonly scratchPerByte: number
}

/** Bytes of a row in Parquet: lengths of chunks differ. See docs/methods/fleet.md. */
const ROW_BYTES = { blocks: 7, chunks: 11 } as const
/** Bytes of a row in a sorted run. */
const RUN_ROW_BYTES = 24
const FILE_BYTES = 100

/** The sizes for these schemes with their shares. */
export function expectedSizes(schemes: readonly KeptScheme[]): Expected {
  const rowsOf = ({ nominalBytes, shift }: KeptScheme): number => 2 ** -shift / nominalBytes
  return {
    perByte: schemes.reduce((sum, scheme) => sum + rowsOf(scheme) * ROW_BYTES[scheme.table], 0),
    perFile: FILE_BYTES,
    scratchPerByte: schemes.reduce((sum, scheme) => sum + rowsOf(scheme) * RUN_ROW_BYTES, 0),
  }
}
