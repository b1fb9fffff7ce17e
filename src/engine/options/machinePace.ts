import { setImmediate as nextTurn } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { medianOf } from '../../domain/statistics/quantiles'
import { threadCpuMs } from '../native/loadAddon'

/**
 * Milliseconds of one core for the work below, on the machine where the work of programs was
 * measured (a virtual Xeon with AVX-512, Node 24.21), when it was idle.
 */
export const REFERENCE_MS = 20
/**
 * The median of three was within 1.5 % of the median of five in 20 processes, on an idle machine
 * and on a busy one.
 */
const RUNS = 3

let known: Promise<number> | null = null

/**
 * How fast a core of this machine is against the reference, as a factor above 1 where it is faster:
 * from the CPU time of a small piece of work, once for each process (about 60 ms, in pieces of 20).
 * Other programs that run meanwhile hardly change it.
 */
export async function machinePace(): Promise<number> {
  known ??= workTimes().then((times) => REFERENCE_MS / Math.max(0.1, medianOf(times)))
  return known
}

/** Milliseconds of CPU time of a small piece of work, run after run. */
export async function workTimes(): Promise<number[]> {
  const text = sampleText()
  const times: number[] = []
  for (let run = 0; run < RUNS; run++) {
    await nextTurn()
    const startMs = threadCpuMs()
    gzipSync(text, { level: 6 })
    times.push(threadCpuMs() - startMs)
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
