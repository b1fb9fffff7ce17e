import type { PreparedSamples } from './codecSamplesUnits'

const KIB = 1024

/** Pieces of this length are packed and unpacked. Records shorter than it are slower. */
export const SPEED_PIECE_BYTES = 128 * KIB

/** A part of the source of about `SPEED_PIECE_BYTES`. */
export interface Piece {
  readonly data: Uint8Array
  /** The parts of the piece: short files, or itself. */
  readonly files: readonly Uint8Array[]
}

/**
 * About so many pieces of the source, drawn with probabilities in proportion to the bytes they
 * stand for. Short samples are put together: what each file costs besides its bytes is no part of a
 * speed.
 */
export function piecesOf({ samples, calibrated }: PreparedSamples, count: number): Piece[] {
  const sizes = samples.map(({ data }, index) => data.length * (calibrated.weights[index] as number))
  const step = sizes.reduce((sum, size) => sum + size, 0) / count
  const pieces: Piece[] = []
  let short: Uint8Array[] = []
  let shortBytes = 0
  let seen = 0
  let next = step / 2
  for (const [index, { data }] of samples.entries()) {
    seen += sizes[index] as number
    // Whole samples around the drawn one make up a piece of short files.
    const isWanted = next < seen || shortBytes > 0
    if (!isWanted || data.length === 0) continue
    for (; next < seen; next += step) {
      if (data.length < SPEED_PIECE_BYTES) continue
      // Somewhere in the sample, the same place whenever it is asked.
      const share = 1 - Math.min(1, (seen - next) / (sizes[index] as number))
      const at = Math.floor(share * (data.length - SPEED_PIECE_BYTES))
      const piece = data.subarray(at, at + SPEED_PIECE_BYTES)
      pieces.push({ data: piece, files: [piece] })
    }
    if (data.length >= SPEED_PIECE_BYTES) continue
    short.push(data)
    shortBytes += data.length
    if (shortBytes < SPEED_PIECE_BYTES) continue
    pieces.push({ data: Buffer.concat(short), files: short })
    short = []
    shortBytes = 0
  }
  if (shortBytes > 0) pieces.push({ data: Buffer.concat(short), files: short })
  return pieces
}
