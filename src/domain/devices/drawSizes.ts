import { type SeededRandom, seededRandom } from '../../primitives/seededRandom'
import { type DrawnSizes, type HistogramSizes, isDrawn, isListed, type TestSizes } from './testSpec'

/**
 * The sizes of a test's files, in the order listed or drawn: the same for the same seed. Drawn
 * sizes are spread evenly over their distribution (one in each of `count` equal parts), so that few
 * files still cover it.
 */
export function drawSizes(sizes: TestSizes, seed: number): number[] {
  const random = seededRandom(seed)
  if (isListed(sizes)) {
    return sizes.flatMap((each) =>
      typeof each === 'number' ? [each] : Array.from({ length: each.count }, () => each.size),
    )
  }
  return isDrawn(sizes) ? drawn(sizes, random) : fromHistogram(sizes, random)
}

function drawn(sizes: DrawnSizes, random: SeededRandom): number[] {
  const shares = evenly(sizes.count, random)
  const at = (bend: number): number[] =>
    shares.map((share) => Math.round(bent(sizes.from, sizes.to, bend, share)))
  if (sizes.total === undefined) return at(naturalBend(sizes))
  const result = at(bendFor(sizes, shares, sizes.total))
  // Rounding, and steps of single bytes, leave a rest that no one file feels.
  let rest = sizes.total - sum(result)
  for (let k = 0; k < result.length && rest !== 0; k++) {
    const before = result[k] as number
    const after = Math.min(sizes.to, Math.max(sizes.from, before + rest))
    result[k] = after
    rest -= after - before
  }
  return result
}

/** One random place in each of `count` equal parts of 0 to 1, in random order. */
function evenly(count: number, random: SeededRandom): number[] {
  const places = Array.from({ length: count }, (_, k) => (k + random.unit()) / count)
  return shuffled(places, random)
}

/** A random order of the values (Fisher and Yates). */
export function shuffled<T>(values: readonly T[], random: SeededRandom): T[] {
  const result = [...values]
  for (let k = result.length - 1; k > 0; k--) {
    const other = random.below(k + 1)
    ;[result[k], result[other]] = [result[other] as T, result[k] as T]
  }
  return result
}

/**
 * Quantile of a truncated power law between the limits: bend 0 is log-uniform, bend ln(to/from)
 * uniform; a larger bend favours large sizes, a smaller one small sizes.
 */
function bent(from: number, to: number, bend: number, share: number): number {
  const width = Math.log(to / from)
  if (width === 0) return from
  const place = Math.abs(bend) < 1e-9 ? share : Math.log1p(share * Math.expm1(bend)) / bend
  return from * Math.exp(width * place)
}

function naturalBend({ from, to, distribution }: DrawnSizes): number {
  return distribution === 'uniform' ? Math.log(to / from) : 0
}

const STEEPEST = 300

/** The bend at which the sizes at these places of the distribution add up to the total. */
function bendFor(
  { from, to }: Pick<DrawnSizes, 'from' | 'to'>,
  shares: readonly number[],
  total: number,
): number {
  let [low, high] = [-STEEPEST, STEEPEST]
  for (let round = 0; round < 100; round++) {
    const middle = (low + high) / 2
    if (sum(shares.map((share) => bent(from, to, middle, share))) < total) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/**
 * Sizes in the shares of the bins, log-uniform within each. Empty files are left out: they have no
 * rate.
 */
function fromHistogram({ histogram, count, largest }: HistogramSizes, random: SeededRandom): number[] {
  const bins = (histogram ?? []).filter(([, to, files]) => files > 0 && to > 1)
  const all = bins.reduce((total, [, , files]) => total + files, 0)
  if (all === 0) return []
  return evenly(count, random).map((share) => {
    let left = share * all
    const bin = bins.find(([, , files]) => {
      if (left < files) return true
      left -= files
      return false
    })
    const [from, to, files] = bin ?? bins.at(-1) ?? [1, 1, 1]
    const size = Math.floor(bent(Math.max(1, from), to, 0, Math.min(1, left / files)))
    return Math.min(size, largest ?? size)
  })
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
