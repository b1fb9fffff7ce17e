/**
 * What `work` takes on the processor that the budgets are of, in CPU seconds: assumed. It took 0.65
 * on an Intel Xeon at 2.80 GHz, where the static checks took 1.6 times as long as on that one (AMD
 * EPYC, 137 and 86 CPU seconds).
 */
const REFERENCE_SECONDS = 0.4
/** The most that budgets are raised by: the ratio of the static checks. */
const MOST = 1.6
/** The median counts. */
const TRIES = 9

/**
 * How many times slower this processor is than the one that the budgets are of, by a fixed piece of
 * work: from 1, where it is not slower, to MOST. One run differs from the next by a quarter.
 * @returns {number}
 */
export function pace() {
  const seconds = Array.from({ length: TRIES }, timed).toSorted((a, b) => a - b)[(TRIES - 1) / 2]
  return Math.min(MOST, Math.max(1, seconds / REFERENCE_SECONDS))
}

/** CPU seconds. */
function timed() {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

/** Texts, maps, sorting and JSON, as compilers and tests spend their time on. */
function work() {
  const counts = new Map()
  let seed = 1
  for (let at = 0; at < 600_000; at++) {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
    const word = `name-${(seed >>> 8) % 20_000}`
    counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  const rows = [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1))
  for (let round = 0; round < 30; round++) {
    const text = JSON.stringify(JSON.parse(JSON.stringify(rows)))
    text.replaceAll(/name-(\d+)/g, (_, digits) => digits)
  }
}
