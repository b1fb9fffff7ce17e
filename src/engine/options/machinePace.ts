import { setImmediate as nextTurn } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'

/**
 * Milliseconds of one core for the work below, on the machine where the work of programs was measured (a virtual Xeon with AVX-512,
 * Node 24.21), when it was idle.
 */
export const REFERENCE_MS = 20
/**
 * The first runs also wait for memory and caches that others use: the mean of five was 21 to 31 ms on a busy machine within a
 * minute, the least to 19 to 27 and mostly to 20.
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
  const times = await workTimes()
  // Some systems count a thread's time in steps of milliseconds, where runs come out alike and only their mean is more precise.
  const isCoarse = new Set(times).size < RUNS - 1
  const ms = isCoarse ? times.reduce((sum, one) => sum + one, 0) / RUNS : Math.min(...times)
  return Math.max(0.1, ms)
}

/** Milliseconds of CPU time of a small piece of work, run after run. */
export async function workTimes(): Promise<number[]> {
  const text = sampleText()
  const times: number[] = []
  for (let run = 0; run < RUNS; run++) {
    await nextTurn()
    const before = process.threadCpuUsage()
    gzipSync(text, { level: 6 })
    const { user, system } = process.threadCpuUsage(before)
    times.push((user + system) / 1000)
  }
  return times
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
