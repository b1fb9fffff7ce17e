import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'

/**
 * What `work` takes on the processor that the budgets are of while all of its cores are at work, in
 * CPU seconds: assumed. On an Intel Xeon at 2.80 GHz it took 0.65 alone; the static checks took 1.6
 * times as long there as on that one (AMD EPYC, 137 and 86 CPU seconds).
 */
const REFERENCE_SECONDS = 0.4
/** The most that budgets are raised by: the ratio of the static checks. */
const MOST = 1.6
/** The median counts. */
const TRIES = 9

/**
 * How many times slower this processor is than the one that the budgets are of, by a fixed piece of
 * work: from 1, where it is not slower, to MOST. Every core does it at once, as they all do while
 * tests run: two threads of one core take longer each than one that has it to itself.
 * @returns {Promise<number>}
 */
export async function pace() {
  const cores = Array.from({ length: availableParallelism() }, secondsOfACore)
  const seconds = medianOf(await Promise.all(cores))
  return Math.min(MOST, Math.max(1, seconds / REFERENCE_SECONDS))
}

/** The CPU seconds that `work` takes in a process of its own. */
function secondsOfACore() {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [fileURLToPath(import.meta.url), 'core'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let said = ''
    child.stdout.on('data', (data) => {
      said += data
    })
    child.once('error', reject)
    child.once('close', () => resolve(Number(said)))
  })
}

function medianOf(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
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

if (process.argv[1] === fileURLToPath(import.meta.url) && process.argv[2] === 'core') {
  process.stdout.write(String(medianOf(Array.from({ length: TRIES }, timed))))
}
