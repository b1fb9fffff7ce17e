import { drawSizes, sum } from './drawSizes'
import type { SpecChange } from './measurement'
import {
  type DrawnSizes,
  isDrawn,
  isListed,
  type ListedSizes,
  nameOfTest,
  type Test,
  type TestOperation,
  type TestSizes,
  type TestSpec,
} from './testSpec'

/**
 * Every test gets this share of the budget before the rest is shared, as far as it can use it; less
 * for many tests.
 */
const FIRST_SHARE = 0.1
/**
 * Between the smallest and the largest size there stays this factor: a line needs the one end for
 * latency, the other for rate.
 */
const LEAST_RANGE = 30
/** Fewer files than this hardly carry a line; then files get smaller instead. */
const FEWEST_FILES = 30
/**
 * Files up to this size are there for their latency: there may be fewer of them, but making them
 * smaller saves nothing.
 */
const KEPT_SIZE_BYTES = 65_536
/**
 * Whole blocks make small files larger than their share: the share is taken in again this often.
 */
const ADJUSTMENTS = 8

/** File systems keep files in whole blocks of this size, and direct requests move whole ones. */
export const BLOCK_BYTES = 4096

/** The bytes that files of these sizes occupy in whole blocks. */
export function blockBytes(sizes: readonly number[]): number {
  return sum(sizes.map((bytes) => Math.ceil(bytes / BLOCK_BYTES))) * BLOCK_BYTES
}

/** Compressing has files of its own, and a copy of each that is at most as large. */
const TIMES_WRITTEN: Readonly<Record<TestOperation, number>> = {
  write: 1,
  read: 0,
  stream: 1,
  randomRead: 0,
  randomWrite: 0,
  compress: 2,
}

/** Bytes that a test writes, every repeat and operation included, in whole blocks. */
export function writtenBytes(test: Test, sizes: readonly number[]): number {
  const once = blockBytes(sizes)
  const passes = sum(test.operations.map((operation) => TIMES_WRITTEN[operation]))
  const accesses = test.operations.filter((operation) => operation === 'randomWrite').length
  return test.repeat * (passes * once + accesses * test.accesses * test.accessSize)
}

/**
 * Scales a specification so that it writes no more than its budget. Cheap tests stay; the others
 * share what is left in proportion. Repeats go first; then both the number of files and their mean
 * size fall by about the square root of what is missing (never below 30 files). The smallest size
 * stays where it is, unless the range of sizes would get too narrow.
 */
export function scaleToBudget(spec: TestSpec): { spec: TestSpec; changes: SpecChange[] } {
  const { budget } = spec
  const costs = spec.tests.map((test, index) => writtenBytes(test, sizesOf(spec, index)))
  if (budget === undefined || sum(costs) <= budget) return { spec, changes: [] }
  const targets = allotted(costs, budget)
  const changes: SpecChange[] = []
  const tests = spec.tests.flatMap((test, index) => {
    const target = targets[index] as number
    if ((costs[index] as number) <= target) return [test]
    const scaled = scaleTest(test, seedOf(spec, index), target, nameOfTest(test, index), changes)
    return scaled === null ? [] : [scaled]
  })
  return { spec: { ...spec, tests }, changes }
}

/**
 * The cost that each test may have: a first share each, then the rest in proportion to the
 * remaining demand.
 */
function allotted(costs: readonly number[], budget: number): number[] {
  const first = budget * Math.min(FIRST_SHARE, 0.5 / costs.length)
  const given = costs.map((cost) => Math.min(cost, first))
  const share = (budget - sum(given)) / (sum(costs) - sum(given))
  return costs.map((cost, index) => {
    const own = given[index] as number
    return own + (cost - own) * share
  })
}

/** Each test draws from a seed of its own, so that changing one leaves the others as they were. */
export function seedOf(spec: TestSpec, index: number): number {
  return (spec.seed * 1_000_003 + index * 7919) % Number.MAX_SAFE_INTEGER
}

export function sizesOf(spec: TestSpec, index: number): number[] {
  return drawSizes((spec.tests[index] as Test).sizes, seedOf(spec, index))
}

function scaleTest(
  test: Test,
  seed: number,
  target: number,
  name: string,
  changes: SpecChange[],
): Test | null {
  const before = drawSizes(test.sizes, seed)
  const perRepeat = writtenBytes({ ...test, repeat: 1 }, before)
  const repeat = Math.max(1, Math.min(test.repeat, Math.floor(target / perRepeat)))
  if (repeat < test.repeat) changes.push({ code: 'fewerRepeats', test: name, from: test.repeat, to: repeat })
  // What one pass over the files may cost, the passes sharing alike.
  const fixed = writtenBytes({ ...test, repeat: 1 }, [])
  const passes = (perRepeat - fixed) / Math.max(1, blockBytes(before))
  const perPass = (target / repeat - fixed) / Math.max(1, passes)
  if (perPass >= blockBytes(before)) return { ...test, repeat }
  const sizes = perPass < BLOCK_BYTES ? null : fittingSizes(test.sizes, before, seed, perPass)
  if (sizes === null) {
    changes.push({ code: 'testLeftOut', test: name, from: before.length, to: 0 })
    return null
  }
  const after = drawSizes(sizes, seed)
  if (after.length < before.length) {
    changes.push({ code: 'fewerFiles', test: name, from: before.length, to: after.length })
  }
  const [largestBefore, largestAfter] = [largest(before), largest(after)]
  if (largestAfter < largestBefore) {
    changes.push({ code: 'smallerFiles', test: name, from: largestBefore, to: largestAfter })
  }
  // After less writing a device needs less rest.
  const rest = Math.round(test.rest * Math.sqrt(blockBytes(after) / blockBytes(before)))
  if (rest < test.rest) changes.push({ code: 'shorterRest', test: name, from: test.rest, to: rest })
  return { ...test, repeat, sizes, rest }
}

/** Sizes whose whole blocks fit; null where even the least do not. */
function fittingSizes(
  sizes: TestSizes,
  before: readonly number[],
  seed: number,
  perPass: number,
): TestSizes | null {
  let target = perPass
  for (let round = 0; round < ADJUSTMENTS; round++) {
    const scaled = scaleSizes(sizes, before, seed, target)
    const taken = blockBytes(drawSizes(scaled, seed))
    if (taken <= perPass) return scaled
    target *= Math.min(0.95, perPass / taken)
  }
  return null
}

function scaleSizes(sizes: TestSizes, before: readonly number[], seed: number, target: number): TestSizes {
  const share = target / sum(before)
  if (isListed(sizes)) return scaleListed(sizes, share, target)
  const count = Math.max(Math.min(before.length, FEWEST_FILES), Math.round(before.length * Math.sqrt(share)))
  if (isDrawn(sizes)) {
    const mean = Math.max(1, Math.floor(target / count))
    const to = upperLimit(sizes.from, sizes.to, mean, sum(before) / before.length)
    const range = Math.min(LEAST_RANGE, sizes.to / sizes.from)
    if (to >= sizes.from * range)
      return { ...sizes, to, count, total: Math.min(Math.floor(target), to * count) }
    return narrow(sizes, mean, range, count)
  }
  const fits = (limit: number): boolean => sum(drawSizes({ ...sizes, count, largest: limit }, seed)) <= target
  let [low, high] = [1, sizes.largest ?? largest(before)]
  if (fits(high)) return { ...sizes, count }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (fits(middle)) low = middle
    else high = middle
  }
  return { ...sizes, count, largest: low }
}

/**
 * Lowers the upper limit by the factor that the mean falls by, on the scale of logarithms above the
 * lower limit.
 */
function upperLimit(from: number, to: number, mean: number, meanBefore: number): number {
  const share = Math.log(mean / from) / Math.log(meanBefore / from)
  const limit = from * (to / from) ** Math.max(0, Math.min(1, share))
  return Math.max(mean, Math.min(to, Math.round(limit)))
}

/**
 * Sizes around a mean with no more than the range that they need: log-uniform, their mean is (r -
 * 1) / ln r times the least.
 */
function narrow(sizes: DrawnSizes, mean: number, range: number, count: number): DrawnSizes {
  const ratio = range > 1 ? (range - 1) / Math.log(range) : 1
  const from = Math.max(1, Math.floor(mean / ratio))
  return { ...sizes, from, to: Math.max(from, Math.floor(from * range)), count, total: undefined }
}

/**
 * Entries keep their sizes while fewer of each are enough; then the large ones get smaller
 * together.
 */
function scaleListed(sizes: ListedSizes, share: number, target: number): ListedSizes {
  const entries = sizes.map((each) => (typeof each === 'number' ? { size: each, count: 1 } : each))
  const isKept = ({ size }: { size: number }): boolean => size <= KEPT_SIZE_BYTES
  const files = sum(entries.filter((each) => !isKept(each)).map(({ count }) => count))
  const fewer = Math.max(share, Math.min(1, FEWEST_FILES / Math.max(1, files)))
  const counted = entries.map((each) => ({
    size: each.size,
    count: Math.max(1, Math.floor(each.count * (isKept(each) ? share : fewer))),
  }))
  const costOf = (kept: boolean): number =>
    sum(counted.filter((each) => isKept(each) === kept).map(({ size, count }) => size * count))
  if (costOf(true) + costOf(false) <= target) return counted
  const smaller = Math.max(0, target - costOf(true)) / Math.max(1, costOf(false))
  return counted.map(({ size, count }) => ({
    size: isKept({ size }) ? size : Math.max(BLOCK_BYTES, Math.floor(size * smaller)),
    count,
  }))
}

function largest(sizes: readonly number[]): number {
  return sizes.reduce((most, size) => Math.max(most, size), 0)
}
