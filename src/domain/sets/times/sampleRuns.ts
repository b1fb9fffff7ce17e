import { type SeededRandom, seededRandom } from '../../../primitives/seededRandom'

const RUNS = 32
const FILES_IN_RUN = 8
/** A larger file is read as this much of it. */
export const MOST_SAMPLE_BYTES = 16 * 1024 * 1024
/** A run ends with the file that reaches this. */
const RUN_BYTES = 8 * 1024 * 1024

/**
 * Which files to time of a list in planned order, by index: runs of neighbours in random order, so
 * that any part of them is a sample of the whole. Every other run begins at a random file, the
 * others at a random byte, so that both costs are seen. No file is in two runs, and of a few files
 * each is in one.
 */
export function sampleRuns(sizes: ArrayLike<number>, seed = 1): number[][] {
  const random = seededRandom(seed)
  if (sizes.length <= RUNS * FILES_IN_RUN) return shuffled(wholeRuns(sizes.length), random)
  const ends = new Float64Array(sizes.length)
  let total = 0
  for (let at = 0; at < sizes.length; at++) {
    total += sizes[at] as number
    ends[at] = total
  }
  const taken = new Set<number>()
  const runs: number[][] = []
  for (let attempt = 0; attempt < 2 * RUNS && runs.length < RUNS && taken.size < sizes.length; attempt++) {
    const start = attempt % 2 === 0 ? random.below(sizes.length) : indexAt(ends, random.unit() * total)
    const run: number[] = []
    let bytes = 0
    for (let at = start; at < sizes.length && run.length < FILES_IN_RUN && bytes < RUN_BYTES; at++) {
      if (taken.has(at)) break
      taken.add(at)
      run.push(at)
      bytes += Math.min(sizes[at] as number, MOST_SAMPLE_BYTES)
    }
    if (run.length > 0) runs.push(run)
  }
  return runs
}

function wholeRuns(count: number): number[][] {
  const all = Array.from({ length: count }, (_, at) => at)
  return all.filter((at) => at % FILES_IN_RUN === 0).map((start) => all.slice(start, start + FILES_IN_RUN))
}

function shuffled<T>(items: readonly T[], random: SeededRandom): T[] {
  return items
    .map((item) => ({ item, key: random.unit() }))
    .toSorted((one, other) => one.key - other.key)
    .map(({ item }) => item)
}

/** The first file that ends behind this byte. */
function indexAt(ends: Float64Array, byte: number): number {
  let [low, high] = [0, ends.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ends[middle] as number) > byte) high = middle
    else low = middle + 1
  }
  return low
}
