import { setImmediate as nextTurn } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'

/**
 * Milliseconds of one core for the work below, on the machine where the work of programs was measured (a virtual Xeon with AVX-512,
 * Node 24.21), when it was idle.
 */
const REFERENCE_MS = 20
/** Some systems count a thread's time in steps of 4 ms: over so many runs that is 4 %. */
const RUNS = 5

let known: Promise<number> | null = null

/**
 * How fast a core of this machine is against the reference, as a factor above 1 where it is faster: from the processor time of a
 * small piece of work, once for each process (about 100 ms, in pieces of 20). What else runs on the machine is not in it, but for
 * caches that are shared. Null where the system does not tell a thread's time.
 */
export async function machinePace(): Promise<number | null> {
  if (typeof process.threadCpuUsage !== 'function') return null
  known ??= meanMs().then((ms) => REFERENCE_MS / ms)
  return known
}

async function meanMs(): Promise<number> {
  const text = sampleText()
  let totalMs = 0
  for (let run = 0; run < RUNS; run++) {
    await nextTurn()
    const before = process.threadCpuUsage()
    gzipSync(text, { level: 6 })
    const { user, system } = process.threadCpuUsage(before)
    totalMs += (user + system) / 1000
  }
  return Math.max(0.1, totalMs / RUNS)
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
