import { expect } from 'vitest'
import type { JobProgress } from '../../src/contract/dto/job'
import type { JobContext } from '../../src/engine/jobs/jobContext'
import { jobRunner } from '../../src/engine/jobs/jobRunner'
import type { Milliseconds } from '../../src/primitives/clock'

interface Update extends Pick<JobProgress, 'share' | 'etaMs' | 'bytesDone' | 'bytesTotal'> {
  readonly leftMs: number
  /** The share of all the time that had passed. */
  readonly real: number
}

/**
 * Runs a job on a clock of its own.
 * @returns what was reported, each with the time that was really left
 */
export async function followed(
  run: (context: JobContext, pass: (ms: number) => void) => void | Promise<void>,
): Promise<Update[]> {
  let now = 0
  const clock = { wallMs: () => now as Milliseconds, monotonicMs: () => now as Milliseconds }
  const updates: (JobProgress & { at: number })[] = []
  const nothing = (): void => undefined
  const listener = { live: nothing, measured: nothing, swept: nothing, ended: nothing }
  const progress = (each: JobProgress): void => void updates.push({ ...each, at: now })
  const job = {
    kind: 'build' as const,
    title: 'Build',
    run: async (context: JobContext) => {
      await run(context, (ms) => {
        now += ms
      })
      return null
    },
  }
  const end = await jobRunner(clock, { ...listener, progress }, () => 'j').start(job).finished
  expect(end.error).toBeNull()
  return updates.map(({ at, share, etaMs, bytesDone, bytesTotal }) => ({
    share,
    etaMs,
    bytesDone,
    bytesTotal,
    leftMs: now - at,
    real: at / now,
  }))
}

/** The share never falls, and the time left is right within a factor of two from a tenth of the time on. */
export function expectRight(updates: readonly Update[]): void {
  const shares = updates.flatMap(({ share }) => (share == null ? [] : [share]))
  expect(shares.length).toBeGreaterThan(20)
  expect(shares).toEqual(shares.toSorted((one, other) => one - other))
  for (const { real, etaMs, leftMs } of updates) {
    if (real < 0.1 || leftMs < 2000) continue
    expect(Math.abs(Math.log2((etaMs ?? 0) / leftMs)), `${etaMs} ms at ${real}`).toBeLessThan(1)
  }
}
