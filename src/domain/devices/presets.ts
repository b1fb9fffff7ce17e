import { said } from '../../primitives/said'
import type { Test, TestSpec } from './testSpec'

type PresetName = 'quick' | 'stibium' | 'small' | 'sustained' | 'streaming'

const MB = 1e6
const GB = 1e9

/** A test with the usual values for what is not given. */
export function test(given: Pick<Test, 'name' | 'sizes'> & Partial<Test>): Test {
  return {
    operations: ['write', 'read'],
    order: 'random',
    repeat: 1,
    rest: 0,
    accesses: 1000,
    accessSize: 4096,
    ...given,
  }
}

/** A specification with the usual values for what is not given. */
export function spec(name: string, tests: Test[], given: Partial<TestSpec> = {}): TestSpec {
  return {
    name,
    seed: 1,
    cache: 'uncached',
    keepCache: false,
    flush: 'none',
    preallocate: false,
    concurrency: 1,
    requestSize: 1024 * 1024,
    tests,
    ...given,
  }
}

/** Files that cost nearly nothing but their latency. */
const tiny = (count: number): Test => test({ name: said`Files of 10 KB`, sizes: [{ size: 10_000, count }] })

/** The built-in test specifications. */
export const PRESETS: Readonly<Record<PresetName, TestSpec>> = {
  quick: spec(said`Quick`, [
    test({ name: said`Files of random size`, sizes: between(1 * MB, 100 * MB, 36, 860 * MB) }),
    tiny(100),
    test({
      name: said`Random 4 KiB`,
      sizes: [128 * MB],
      operations: ['write', 'randomRead'],
    }),
  ]),
  // The protocol of Howard Oakley's Stibium: 160 files from 2 MB to 2 GB in random order, 53 GB in all, written and then
  // read back in the same order; single transfers of 1 GB; latency by files of 10 KB. Reads are kept apart from writes.
  stibium: spec(said`Stibium`, [
    test({ name: said`Files of random size`, sizes: between(2 * MB, 2 * GB, 160, 53 * GB), rest: 10_000 }),
    test({ name: said`Single transfers`, sizes: [1 * GB], repeat: 3 }),
    tiny(200),
  ]),
  small: spec(said`Small files`, [
    test({ name: said`Small files`, sizes: between(1000, 256_000, 4000) }),
    tiny(500),
  ]),
  // Long enough to fill the fast part of most drives; what comes after is their steady state.
  sustained: spec(said`Sustained`, [
    test({
      name: said`Writing without a break`,
      sizes: [{ size: 256 * MB, count: 160 }],
      operations: ['write'],
      order: 'listed',
    }),
  ]),
  streaming: spec(said`Streaming`, [
    test({
      name: said`Reading and writing at once`,
      sizes: between(16 * MB, 1 * GB, 24, 6 * GB),
      operations: ['write', 'stream'],
      rest: 5000,
    }),
  ]),
}

/** Files of the sizes that a survey found. */
export function surveyPreset(
  surveyId: string,
  histogram: [from: number, to: number, files: number][],
): TestSpec {
  return spec(
    said`From my files`,
    [test({ name: said`Sizes of my files`, sizes: { survey: surveyId, histogram, count: 400 } })],
    {
      budget: 10 * GB,
    },
  )
}

/** Sizes drawn log-uniformly between two. */
export function between(from: number, to: number, count: number, total?: number): Test['sizes'] {
  return { from, to, count, distribution: 'log-uniform', total }
}
