import { createHash } from 'node:crypto'
import {
  type CalibratedSample,
  calibrate,
  type StratumTotal,
  zerosApart,
} from '../../../domain/statistics/strata'
import { stratumOfFile } from '../../../domain/survey/strataTable'
import type { SeededRandom } from '../../../primitives/seededRandom'
import { CODECS } from '../../codecs/codecRegistry'
import { type BufferCodec, compressAfter } from '../../codecs/compressBuffer'
import { pausing } from '../../jobs/slowly'

/**
 * A unit of at most 256 KiB that the pass kept, with what precedes it in its file (at most 32 KiB).
 */
export interface CodecSample {
  /** Which of the survey's sources it is from. */
  readonly rootIndex: number
  /** Path below that source, as bytes. */
  readonly path: Uint8Array
  readonly fileBytes: number
  readonly offset: number
  readonly history: Uint8Array
  readonly data: Uint8Array
  /** With which it was taken; absent where the set's tau says it. */
  readonly probability?: number
  /**
   * How often the whole source has each block of the unit, by block size; 0 where that is not
   * known.
   */
  readonly copies?: ReadonlyMap<number, Uint32Array>
}

/**
 * The pass's samples: a unit of s bytes was taken with probability min(1, s·tau), everything if tau
 * is null.
 */
export interface SampleSet {
  readonly tau: number | null
  readonly samples: readonly CodecSample[]
}

/** Samples that every fast codec has seen. */
export interface PreparedSamples {
  /** By path and offset: neighbours are alike. */
  readonly samples: readonly CodecSample[]
  readonly calibrated: CalibratedSample
  /** The same with LZ4's sizes as the first covariate, which few observations use. */
  readonly calibratedForLz4: CalibratedSample
  /** Compressed bytes by zstd-1 and lz4, with the pass's short history, for each sample. */
  readonly quick: readonly { readonly zstd1: number; readonly lz4: number }[]
  /** The speed of one thread, in bytes per second. */
  readonly lz4Speed: number
  readonly zstd1Speed: number
}

/**
 * Roughly what a sample costs: a start with what estimates take for it later (0.2 ms with 15,000
 * samples), and a byte of fast codecs. Only decides how many samples they may see.
 */
const START_MS = 0.25
const MS_PER_BYTE = 1 / 150_000
/** How many samples are compressed at a time. */
const AT_ONCE = 2

/**
 * Lets the fast codecs see the samples: all of them, or as many as the budget allows, chosen at
 * random.
 * @param zeroBytes of all units of the source that hold nothing but zeros, null if they were not
 *   counted
 * @param goOn asked between samples; throws to end it
 * @param onBytes how many bytes of the samples were seen
 */
export async function prepareSamples(
  set: SampleSet,
  strata: readonly StratumTotal[],
  budgetMs: number,
  random: SeededRandom,
  nowMs: () => number,
  goOn: () => void,
  zeroBytes: number | null = null,
  onBytes: (done: number, total: number) => void = () => undefined,
): Promise<PreparedSamples> {
  const costMs = set.samples.reduce((sum, one) => sum + START_MS + one.data.length * MS_PER_BYTE, 0)
  const share = Math.min(1, budgetMs / Math.max(costMs, 1))
  const some = share < 1 ? set.samples.filter(() => random.unit() < share) : set.samples
  const samples = some.toSorted(byPlace)
  const contents = await contentsOf(samples, pausing(goOn))
  const quick = samples.map(() => ({ zstd1: 0, lz4: 0 }))
  const spent = { zstd1: 0, lz4: 0 }
  let bytes = 0
  let passed = 0
  const total = samples.reduce((sum, { data }) => sum + data.length, 0)
  let next = 0
  const lane = async (): Promise<void> => {
    while (next < samples.length) {
      goOn()
      const index = next++
      const { history, data } = samples[index] as CodecSample
      passed += data.length
      if (contents[index] !== index) continue
      bytes += data.length
      const start = nowMs()
      const lz4 = await compressAfter(CODECS.lz4 as BufferCodec, history, data)
      const between = nowMs()
      const zstd1 = await compressAfter(CODECS['zstd-1'] as BufferCodec, history, data)
      spent.lz4 += between - start
      spent.zstd1 += nowMs() - between
      quick[index] = { zstd1: zstd1.bytes, lz4: lz4.bytes }
      onBytes(passed, total)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  const zeros = Buffer.alloc(samples.reduce((most, { data }) => Math.max(most, data.length), 0))
  const isZero = samples.map(({ data }) => data.length > 0 && zeros.subarray(0, data.length).equals(data))
  const all = samples.map((one, index) => {
    const size = quick[contents[index] as number] as { zstd1: number; lz4: number }
    quick[index] = size
    const taken = one.probability ?? (set.tau === null ? 1 : Math.min(1, one.data.length * set.tau))
    return {
      stratum: stratumOfFile(one.path, one.fileBytes),
      bytes: one.data.length,
      probability: taken * share,
      covariates: [size.zstd1, size.lz4],
      content: contents[index] as number,
      isZero: zeroBytes === null && isZero[index] === true,
    }
  })
  const speed = (ms: number): number => (ms > 0 ? (bytes * 1000) / ms : 0)
  const { units, totals } =
    zeroBytes === null ? { units: all, totals: strata } : zerosApart(all, isZero, strata, zeroBytes)
  const calibrated = calibrate(units, totals)
  const swapped = units.map((unit, index) => ({
    stratum: unit.stratum,
    bytes: unit.bytes,
    probability: unit.probability,
    covariates: unit.covariates.toReversed(),
    content: contents[index] as number,
    isZero: unit.isZero ?? false,
  }))
  return {
    samples,
    calibrated,
    calibratedForLz4: { units: swapped, weights: calibrated.weights, groups: calibrated.groups },
    quick,
    lz4Speed: speed(spent.lz4),
    zstd1Speed: speed(spent.zstd1),
  }
}

function byPlace(a: CodecSample, b: CodecSample): number {
  return a.rootIndex - b.rootIndex || Buffer.compare(a.path, b.path) || a.offset - b.offset
}

/**
 * A number for each sample, the same for those that every codec makes the same of: equal bytes (by
 * SHA-256) at the same place of files of one size, after the same history (what stands further back
 * is taken to be the same too). It is the index of the first.
 */
async function contentsOf(samples: readonly CodecSample[], pause: () => Promise<void>): Promise<number[]> {
  const shapeOf = ({ fileBytes, offset, data }: CodecSample): string =>
    `${fileBytes} ${offset} ${data.length}`
  const alike = new Map<string, number>()
  for (const one of samples) alike.set(shapeOf(one), (alike.get(shapeOf(one)) ?? 0) + 1)
  const firsts = new Map<string, number>()
  const contents: number[] = []
  for (const [index, one] of samples.entries()) {
    const shape = shapeOf(one)
    contents.push(index)
    if (alike.get(shape) === 1) continue
    await pause()
    const key = shape + createHash('sha256').update(one.history).update(one.data).digest('base64')
    const first = firsts.get(key)
    if (first === undefined) firsts.set(key, index)
    else contents[index] = first
  }
  return contents
}
