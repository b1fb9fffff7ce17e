import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { JobProgress } from '../../../../src/contract/dto/job'
import { jobRunner } from '../../../../src/engine/jobs/jobRunner'
import type { Milliseconds } from '../../../../src/primitives/clock'
import type { RecordedUpdates } from '../../../support/recordedUpdates'

/**
 * The updates of real jobs, by `tests/bench/speed/recordProgress.ts --bytes 3e9` with
 * STOWAGE_CPU=portable, on two cores that other programs used too: 3 GB of photos and notes built as
 * plain images, verified, copied with reading back and restored; 50 MB built with recovery data in
 * little memory, written with that before they are built (these two of a second recording), and packed.
 */
const RECORDING = join(import.meta.dirname, '../../../fixtures/recordings/jobUpdates.json.gz')
const runs = JSON.parse(gunzipSync(readFileSync(RECORDING)).toString()) as RecordedUpdates[]

/** A standstill of the share is short if it is this part of the run, or too short to be noticed. */
const SHORT_PART = 0.06
const SHORT_MS = 2000
/** A rise of the time left is short if it is this part of the run: the machine's pace varies. */
const RISE_PART = 0.15
/** The time left is right within this factor in the middle of the run, and mostly within that. */
const FACTOR = 3
const MOSTLY_FACTOR = 2
const MOSTLY = 0.75

interface Shown {
  readonly atMs: number
  readonly share: number | null
  readonly etaMs: number | null
}

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** Passes the recorded updates to the runner on a clock of the test. */
async function replayed({ updates, tookMs }: RecordedUpdates): Promise<Shown[]> {
  let now = 0
  const shown: Shown[] = []
  const clock = { wallMs: () => now as Milliseconds, monotonicMs: () => now as Milliseconds }
  const nothing = (): void => undefined
  const listener = { live: nothing, measured: nothing, swept: nothing, ended: nothing }
  const progress = ({ share, etaMs }: JobProgress): void =>
    void shown.push({ atMs: now, share: share ?? null, etaMs })
  const pass = (untilMs: number): void => {
    while (now < untilMs) {
      const step = Math.min(50, untilMs - now)
      now += step
      vi.advanceTimersByTime(step)
    }
  }
  await jobRunner(clock, { ...listener, progress }, () => 'j').start({
    kind: 'build',
    title: 'Build',
    async run(context) {
      for (const { atMs, update } of updates) {
        pass(atMs)
        context.progress(update)
      }
      pass(tookMs)
      return null
    },
  }).finished
  return shown
}

/** The longest time in which `goesOn` holds from each report to the next. */
function longestMs<Each extends { readonly atMs: number }>(
  reports: readonly Each[],
  goesOn: (before: Each, now: Each) => boolean,
): number {
  let longest = 0
  let since = reports[0]?.atMs ?? 0
  for (const [at, now] of reports.entries()) {
    const before = reports[at - 1]
    if (!before || !goesOn(before, now)) since = now.atMs
    longest = Math.max(longest, now.atMs - since)
  }
  return longest
}

describe.each(runs.map((run) => [run.name, run] as const))('the progress of a recorded run: %s', (_, run) => {
  const short = Math.max(SHORT_PART * run.tookMs, SHORT_MS)

  it('has a share in whole percent that never falls, and is 100 % at the end alone', async () => {
    const shares = (await replayed(run)).map(({ share }) => share ?? 0)
    for (const share of shares) expect(share * 100).toBeCloseTo(Math.round(share * 100), 9)
    expect(shares).toEqual(shares.toSorted((one, other) => one - other))
    expect(shares.filter((share) => share === 1)).toHaveLength(1)
    expect(shares.at(-1)).toBe(1)
  })

  it('does not stand for long', async () => {
    const shown = await replayed(run)
    expect(longestMs(shown, (before, now) => before.share === now.share)).toBeLessThan(short)
  })

  it('has a time left that is near the actual one in the middle, and does not rise for long', async () => {
    const shown = await replayed(run)
    const middle = shown.filter(({ atMs }) => atMs >= 0.1 * run.tookMs && atMs <= 0.9 * run.tookMs)
    const factors = middle.flatMap(({ atMs, etaMs }) =>
      etaMs === null ? [] : [Math.max(etaMs, 1) / (run.tookMs - atMs)],
    )
    const within = (factor: number): number =>
      factors.filter((each) => each > 1 / factor && each < factor).length / factors.length
    expect(factors.length / middle.length).toBeGreaterThan(0.9)
    expect(within(FACTOR)).toBe(1)
    expect(within(MOSTLY_FACTOR)).toBeGreaterThan(MOSTLY)
    const rising = longestMs(middle, (before, now) => (now.etaMs ?? 0) >= (before.etaMs ?? 0))
    expect(rising).toBeLessThan(Math.max(RISE_PART * run.tookMs, SHORT_MS))
  })
})
