import { setImmediate as nextTurn } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { medianOf } from '../../domain/statistics/quantiles'
import { type Clock, systemClock } from '../../primitives/clock'

/**
 * Milliseconds of one core for the work below, on the machine where the work of programs was measured (a virtual Xeon with AVX-512,
 * Node 24.21), when it was idle.
 */
export const REFERENCE_MS = 20
/**
 * Many systems count a thread's CPU time in ticks: single runs of 13.5 ms were counted as 10 to 17, so the median counts. No run takes
 * longer than it lasts: where the median is above the shortest duration, that counts.
 */
const RUNS = 5

let known: Promise<number> | null = null

/**
 * How fast a core of this machine is against the reference, as a factor above 1 where it is faster: from the CPU time of a
 * small piece of work, once for each process (about 100 ms, in pieces of 20). What else runs on the machine is hardly in it. Null
 * where the system does not report a thread's time.
 */
export async function machinePace(): Promise<number | null> {
  if (typeof process.threadCpuUsage !== 'function') return null
  known ??= workMs().then((ms) => REFERENCE_MS / ms)
  return known
}

async function workMs(): Promise<number> {
  const runs = await timedRuns()
  const least = Math.min(...runs.map(({ elapsedMs }) => elapsedMs))
  return Math.max(0.1, Math.min(least, medianOf(runs.map(({ cpuMs }) => cpuMs))))
}

/** Milliseconds of CPU time of a small piece of work, run after run. */
export async function workTimes(): Promise<number[]> {
  return (await timedRuns()).map(({ cpuMs }) => cpuMs)
}

async function timedRuns(
  clock: Clock = systemClock,
): Promise<{ readonly cpuMs: number; readonly elapsedMs: number }[]> {
  const text = sampleText()
  const runs: { cpuMs: number; elapsedMs: number }[] = []
  for (let run = 0; run < RUNS; run++) {
    await nextTurn()
    const before = process.threadCpuUsage()
    const startMs = clock.monotonicMs()
    gzipSync(text, { level: 6 })
    const elapsedMs = clock.monotonicMs() - startMs
    const { user, system } = process.threadCpuUsage(before)
    runs.push({ cpuMs: (user + system) / 1000, elapsedMs })
  }
  return runs
}

/** The same 316 kB always: words from a linear congruential generator (Numerical Recipes). */
function sampleText(): Buffer {
  let state = 1
  const words: string[] = []
  for (let index = 0; index < 40_000; index++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    words.push(`word${(state >>> 12) % 977}`)
  }
  return Buffer.from(words.join(' '))
}
