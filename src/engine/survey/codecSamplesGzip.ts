import type { VisitingOrder } from '../../domain/compression/secondPhase'
import { CODECS, type CodecId } from '../codecs/codecRegistry'
import { type BufferCodec, compressAfter } from '../codecs/compressBuffer'
import { findGzip, gzipSizes } from '../codecs/gzipSizes'
import type { CodecSample, PreparedSamples } from './codecSamplesUnits'

/** By how much the real gzip's sizes differ from Node's deflate, and how sure that is (one standard error). */
export interface GzipFactor {
  readonly factor: number
  readonly error: number
}

const MOST_FILES = 300
const PIECE_BYTES = 256 * 1024
const NOTHING = new Uint8Array(0)
/** Assumed where no gzip is found to compare with: differences of -6 % to +2 % between implementations were seen in trials. */
const UNKNOWN: GzipFactor = { factor: 1, error: 0.02 }

/**
 * Runs the gzip of this machine on the first samples and compares. Without one the difference is not known.
 * @param bytes how much is compressed at each level
 */
export async function gzipFactors(
  prepared: PreparedSamples,
  visiting: VisitingOrder,
  bytes: number,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<CodecId, GzipFactor>> {
  const codecs = Object.values(CODECS).filter((codec) => codec.family === 'deflate')
  const program = await findGzip()
  if (program === null) return new Map(codecs.map(({ id }) => [id, UNKNOWN]))
  const units: number[] = []
  let room = bytes
  for (const unit of visiting.order.slice(0, MOST_FILES)) {
    if (room <= 0) break
    units.push(unit)
    room -= pieceOf(prepared, unit).length
  }
  const weights = units.map((unit) => {
    const scale = (prepared.samples[unit] as CodecSample).data.length / pieceOf(prepared, unit).length
    const weight = prepared.calibrated.weights[unit] as number
    return (weight * scale) / visiting.probability(unit, units.length)
  })
  const factors = new Map<CodecId, GzipFactor>()
  for (const codec of codecs) {
    const buffers = units.map((unit) => pieceOf(prepared, unit))
    const real = await gzipSizes(program, codec.level, buffers, signal)
    const own: number[] = []
    for (const data of buffers) own.push((await compressAfter(codec as BufferCodec, NOTHING, data)).bytes)
    factors.set(codec.id, ratioOf(real, own, weights))
  }
  return factors
}

/** The beginning of a sample: many short pieces tell more of a ratio than a few long ones. */
function pieceOf(prepared: PreparedSamples, unit: number): Uint8Array {
  return (prepared.samples[unit] as CodecSample).data.subarray(0, PIECE_BYTES)
}

/** Weighted ratio of two sums with the usual error of a ratio. */
function ratioOf(real: readonly number[], own: readonly number[], weights: readonly number[]): GzipFactor {
  const total = (sizes: readonly number[]): number =>
    sizes.reduce((sum, size, index) => sum + size * (weights[index] as number), 0)
  const below = total(own)
  if (real.length < 2 || below <= 0) return UNKNOWN
  const factor = total(real) / below
  const squares = real.reduce(
    (sum, size, index) => sum + ((weights[index] as number) * (size - factor * (own[index] as number))) ** 2,
    0,
  )
  return { factor, error: Math.sqrt(squares * (real.length / (real.length - 1))) / below }
}
