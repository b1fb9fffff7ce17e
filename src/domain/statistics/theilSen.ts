import { seededRandom } from '../../primitives/seededRandom'
import { orderOf, quantileOf, weightedMedian } from './quantiles'

/** time = latency + bytes × nsPerByte. */
export interface Line {
  readonly latencyNs: number
  readonly nsPerByte: number
}

export interface TimedSize {
  readonly bytes: number
  readonly ns: number
}

/** 95 % of what resampling gave. */
interface Interval {
  readonly low: number
  readonly high: number
}

export interface RobustFit extends Line {
  readonly nsPerByteRange: Interval
  readonly latencyRange: Interval
  /** The range of latency / nsPerByte: the size at which half of the rate is reached. */
  readonly halfSpeedRange: Interval
  /** How many pairs of samples the slope was taken from, out of how many there are. */
  readonly pairs: number
  readonly allPairs: number
  /**
   * If not all pairs were used: within which slopes (ns per byte) the median over all pairs lies
   * with 95 %. Half a rank standard error, 0.5 / √pairs, to each side, times 1.96: 0.44 % of the
   * ranks for 50,000 pairs.
   */
  readonly subsetRange: Interval | null
}

/** The effort of a fit: `resamples` of the bootstrap, pairs of samples to be looked at. */
interface FitEffort {
  readonly seed?: number
  readonly resamples?: number
  readonly mostPairs?: number
}

/**
 * Beyond so many samples a random part of them is fitted, the same share of every decile of size.
 */
const MOST_FITTED = 2000
/** Beyond so many pairs a random part of them is used; its error is stated in `subsetRange`. */
export const MOST_PAIRS = 50_000
/**
 * Resamples look at every so many slopes of the sorted ones, so that about this many are left: a
 * range is known to a few per cent whatever is done, and 1,000 resamples then cost a tenth of a
 * second.
 */
const RESAMPLED_PAIRS = 10_000
const STRATA = 10

/**
 * Theil and Sen's regression of time on size: the slope is the median of the slopes of all pairs of
 * samples of different size, so that up to 29 % of the samples may be anything (Theil 1950, Sen
 * 1968). The latency is the median of what the slope leaves, weighted by one over the expected
 * time, because noise grows with the time. Intervals are percentiles of a bootstrap of samples
 * within each decile of size. Needs at least two different sizes.
 */
export function theilSen(
  samples: readonly TimedSize[],
  { seed = 1, resamples = 1000, mostPairs = MOST_PAIRS }: FitEffort = {},
): RobustFit {
  const random = seededRandom(seed)
  const strata = sizeStrata(samples)
  const fitted =
    samples.length <= MOST_FITTED ? strata : strata.map((each) => part(each, samples.length, random))
  const points = fitted.flat()
  const bytes = Float64Array.from(points, (point) => point.bytes)
  const ns = Float64Array.from(points, (point) => point.ns)
  const pairs = choosePairs(bytes, ns, mostPairs, random)
  const line = lineOf(bytes, ns, pairs, null)
  return {
    ...line,
    ...bootstrap(
      bytes,
      ns,
      pairs,
      fitted.map((each) => each.length),
      { random, resamples },
    ),
    pairs: pairs.slopes.length,
    allPairs: pairs.all,
    subsetRange: pairs.slopes.length < pairs.all ? medianRankRange(pairs) : null,
  }
}

/** In the rising order of their slopes, so that each resample goes through them once. */
interface Pairs {
  readonly slopes: Float64Array
  readonly first: Uint32Array
  readonly second: Uint32Array
  /** How many there are, of samples of different size. */
  readonly all: number
}

/** Samples in groups of like size, a tenth of them in each. */
function sizeStrata(samples: readonly TimedSize[]): TimedSize[][] {
  const sorted = samples.toSorted((a, b) => a.bytes - b.bytes)
  const strata: TimedSize[][] = []
  for (let k = 0; k < STRATA; k++) {
    const from = Math.floor((k * sorted.length) / STRATA)
    const to = Math.floor(((k + 1) * sorted.length) / STRATA)
    if (to > from) strata.push(sorted.slice(from, to))
  }
  return strata
}

function part(
  stratum: readonly TimedSize[],
  all: number,
  random: ReturnType<typeof seededRandom>,
): TimedSize[] {
  const left = [...stratum]
  const wanted = Math.max(1, Math.round((stratum.length * MOST_FITTED) / all))
  return Array.from({ length: Math.min(wanted, left.length) }, () => {
    const [taken] = left.splice(random.below(left.length), 1)
    return taken as TimedSize
  })
}

function choosePairs(
  bytes: Float64Array,
  ns: Float64Array,
  mostPairs: number,
  random: ReturnType<typeof seededRandom>,
): Pairs {
  const n = bytes.length
  const all = (n * (n - 1)) / 2 - pairsOfOneSize(bytes)
  const first: number[] = []
  const second: number[] = []
  const add = (i: number, j: number): void => {
    if (bytes[i] === bytes[j]) return
    first.push(i)
    second.push(j)
  }
  if (all <= mostPairs) {
    for (let i = 0; i < n; i++) for (let j = i + 1; j < n; j++) add(i, j)
  } else {
    // Pairs of equal size tell no slope and are drawn again; there are others, or there would be no fit.
    while (first.length < mostPairs) add(random.below(n), random.below(n))
  }
  const slopes = Float64Array.from(first, (i, k) => {
    const j = second[k] as number
    return ((ns[j] as number) - (ns[i] as number)) / ((bytes[j] as number) - (bytes[i] as number))
  })
  const order = orderOf(slopes)
  return {
    slopes: Float64Array.from(order, (k) => slopes[k] as number),
    first: Uint32Array.from(order, (k) => first[k] as number),
    second: Uint32Array.from(order, (k) => second[k] as number),
    all,
  }
}

function pairsOfOneSize(bytes: Float64Array): number {
  const alike = new Map<number, number>()
  for (const size of bytes) alike.set(size, (alike.get(size) ?? 0) + 1)
  return [...alike.values()].reduce((pairs, count) => pairs + (count * (count - 1)) / 2, 0)
}

/** The line of the samples, each counted as often as `counts` says (null: once). */
function lineOf(bytes: Float64Array, ns: Float64Array, pairs: Pairs, counts: Uint32Array | null): Line {
  const nsPerByte = slopeOf(pairs, counts)
  const rests = ns.map((time, index) => time - nsPerByte * (bytes[index] as number))
  const order = orderOf(rests)
  const once = counts ?? new Uint32Array(bytes.length).fill(1)
  const start = weightedMedian(rests, once, order)
  const weights = Float64Array.from(once, (count, index) => {
    const expected = Math.max(start, 0) + nsPerByte * (bytes[index] as number)
    return count / Math.max(expected, 1)
  })
  return { nsPerByte, latencyNs: weightedMedian(rests, weights, order) }
}

/**
 * The pairs' weights are added up in blocks of this many, so that only one block is gone through
 * twice.
 */
const BLOCK = 256

function slopeOf({ slopes, first, second }: Pairs, counts: Uint32Array | null): number {
  if (counts === null) return slopes.length === 0 ? Number.NaN : quantileOf(slopes, 0.5)
  const weightOf = (k: number): number =>
    (counts[first[k] as number] as number) * (counts[second[k] as number] as number)
  const blocks = new Float64Array(Math.ceil(slopes.length / BLOCK))
  let total = 0
  for (let k = 0; k < slopes.length; k++) {
    const weight = weightOf(k)
    total += weight
    const block = Math.floor(k / BLOCK)
    blocks[block] = (blocks[block] as number) + weight
  }
  if (total === 0) return Number.NaN
  let reached = 0
  let block = 0
  while ((reached + (blocks[block] as number)) * 2 < total) reached += blocks[block++] as number
  for (let k = block * BLOCK; k < slopes.length; k++) {
    reached += weightOf(k)
    // Between two slopes when half of the weight is reached exactly; one of tens of thousands is near enough.
    if (reached * 2 >= total) return slopes[k] as number
  }
  return Number.NaN
}

function bootstrap(
  bytes: Float64Array,
  ns: Float64Array,
  pairs: Pairs,
  strata: readonly number[],
  { random, resamples }: { random: ReturnType<typeof seededRandom>; resamples: number },
): Pick<RobustFit, 'nsPerByteRange' | 'latencyRange' | 'halfSpeedRange'> {
  const seen = thinned(pairs)
  const slopes: number[] = []
  const latencies: number[] = []
  const halves: number[] = []
  for (let round = 0; round < resamples; round++) {
    const counts = new Uint32Array(bytes.length)
    let start = 0
    for (const length of strata) {
      for (let draw = 0; draw < length; draw++) {
        const chosen = start + random.below(length)
        counts[chosen] = (counts[chosen] as number) + 1
      }
      start += length
    }
    const line = lineOf(bytes, ns, seen, counts)
    // A resample of one size only has no slope; the others tell the range.
    if (!Number.isFinite(line.nsPerByte)) continue
    slopes.push(line.nsPerByte)
    latencies.push(line.latencyNs)
    halves.push(line.latencyNs / line.nsPerByte)
  }
  return {
    nsPerByteRange: middle95(slopes),
    latencyRange: middle95(latencies),
    halfSpeedRange: middle95(halves),
  }
}

function thinned({ slopes, first, second, all }: Pairs): Pairs {
  const step = Math.ceil(slopes.length / RESAMPLED_PAIRS)
  const isKept = (_: number, index: number): boolean => index % step === 0
  return {
    slopes: slopes.filter(isKept),
    first: first.filter(isKept),
    second: second.filter(isKept),
    all,
  }
}

function middle95(values: readonly number[]): Interval {
  const sorted = Float64Array.from(values).toSorted()
  if (sorted.length === 0) return { low: Number.NaN, high: Number.NaN }
  return { low: quantileOf(sorted, 0.025), high: quantileOf(sorted, 0.975) }
}

function medianRankRange({ slopes }: Pairs): Interval {
  const reach = (1.96 * 0.5) / Math.sqrt(slopes.length)
  return { low: quantileOf(slopes, 0.5 - reach), high: quantileOf(slopes, 0.5 + reach) }
}
