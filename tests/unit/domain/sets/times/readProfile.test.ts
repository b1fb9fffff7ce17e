import { describe, expect, it } from 'vitest'
import { type ReadRun, readProfile } from '../../../../../src/domain/sets/times/readProfile'
import { MOST_SAMPLE_BYTES, sampleRuns } from '../../../../../src/domain/sets/times/sampleRuns'
import { seededRandom } from '../../../../../src/primitives/seededRandom'
import { seededTree } from './seededTree'

const MIB = 1024 * 1024
const sizes = seededTree(3, { bytes: 400 * MIB, share: 0.7, largeBytes: 2 * MIB, smallBytes: 6000 })

/** Runs of a source at 3.8 ms a file and 30 MB/s, with noise of heavy tails. */
function timed(seed: number, noise: number): ReadRun[] {
  const random = seededRandom(seed)
  return sampleRuns(sizes, seed).map((run) =>
    run.map((at) => {
      const bytes = Math.min(sizes[at] as number, MOST_SAMPLE_BYTES)
      const factor = 1 + noise * (1 / Math.sqrt(1 - random.unit()) - 2)
      return { bytes, ns: (3.8e6 + bytes / 0.03) * factor }
    }),
  )
}

describe('the read profile', () => {
  it('finds the cost of a file and of a byte', () => {
    const profile = readProfile(timed(1, 0))
    expect(profile?.fileSeconds.value).toBeCloseTo(0.0038, 6)
    expect(1 / (profile?.secondsPerByte.value as number) / 30e6).toBeCloseTo(1, 4)
  })

  it('holds the mean of noisy reading in 7 of 8 samples', () => {
    // The noise has a mean of 0.
    const held = Array.from({ length: 8 }, (_, seed) => {
      const { fileSeconds, secondsPerByte } = readProfile(timed(seed, 0.2)) as NonNullable<
        ReturnType<typeof readProfile>
      >
      const bytes = sizes.reduce((sum, size) => sum + size, 0)
      const at = (end: 'low' | 'high') => sizes.length * fileSeconds[end] + bytes * secondsPerByte[end]
      const actual = sizes.length * 0.0038 + bytes / 30e6
      return at('low') <= actual && actual <= at('high')
    })
    expect(held.filter(Boolean).length).toBeGreaterThanOrEqual(7)
  })

  it('goes by bytes alone where all files are alike, and is null where nothing was read', () => {
    const run = [
      { bytes: 1000, ns: 2000 },
      { bytes: 1000, ns: 2000 },
    ]
    expect(readProfile([run, run])?.secondsPerByte.value).toBeCloseTo(2e-9, 15)
    expect(readProfile([run, run])?.fileSeconds.value).toBe(0)
    expect(readProfile([])).toBeNull()
    expect(readProfile([[{ bytes: 0, ns: 5 }]])).toBeNull()
  })
})

describe('the files of a sample', () => {
  it('are neighbours, each once, in an order that tells nothing of their place', () => {
    const runs = sampleRuns(sizes)
    const all = runs.flat()
    expect(new Set(all).size).toBe(all.length)
    for (const run of runs) expect(run).toEqual(run.map((_, at) => (run[0] as number) + at))
    const starts = runs.map(([start]) => start as number)
    expect(starts).not.toEqual(starts.toSorted((one, other) => one - other))
    // Half of the runs begin by bytes: at a large file, most often.
    expect(starts.filter((at) => (sizes[at] as number) > 100_000).length).toBeGreaterThan(8)
  })

  it('are all files of a small source, and none of nothing', () => {
    expect(new Set(sampleRuns([5, 5, 5]).flat())).toEqual(new Set([0, 1, 2]))
    expect(sampleRuns([])).toEqual([])
  })
})
