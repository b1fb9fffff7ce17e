import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts in hundredths of a second for programs, whatever its own clock is (proc(5), USER_HZ). */
const TICKS_PER_SECOND = 100
/** What others may take of the processors for a machine to count as idle. */
const IDLE_SHARE = 0.1

/**
 * The CPU time of a process, of all that it started and that live now, and of those that they have
 * waited for. Programs of other process groups count too, as browsers make them.
 * @param {number} pid
 * @returns {number | null} seconds; null where the system does not tell
 */
export function cpuSecondsOf(pid) {
  const stats = new Map()
  const children = new Map()
  for (const name of entriesOf('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const fields = statOf(name)
    stats.set(name, fields)
    const siblings = children.get(fields[1])
    if (siblings) siblings.push(name)
    else children.set(fields[1], [name])
  }
  if (!stats.has(String(pid))) return null
  const family = [String(pid)]
  for (const parent of family) family.push(...(children.get(parent) ?? []))
  // utime, stime, cutime and cstime, counted from the state.
  const ticks = family.flatMap((member) => stats.get(member).slice(11, 15)).map(Number)
  return ticks.reduce((sum, each) => sum + each, 0) / TICKS_PER_SECOND
}

/**
 * What all programs of the machine have done since it started, in CPU seconds.
 * @returns {number | null} null where the system does not tell
 */
export function busySeconds() {
  try {
    const [, user, nice, system, , , irq, softirq] = readFileSync('/proc/stat', 'utf8')
      .split('\n')[0]
      .split(/\s+/)
      .map(Number)
    return (user + nice + system + irq + softirq) / TICKS_PER_SECOND
  } catch {
    return null
  }
}

/**
 * True where other programs took so little that a figure is of these tests alone.
 * @param {{ busy: number, own: number, elapsed: number, cores: number }} seconds of all programs, of the tests, and by the clock
 */
export function wasIdle({ busy, own, elapsed, cores }) {
  return busy - own <= IDLE_SHARE * elapsed * cores
}

/** The fields of `/proc/<pid>/stat` after the name, which may hold anything; none for a process that has ended. */
function statOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}

function entriesOf(folder) {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
