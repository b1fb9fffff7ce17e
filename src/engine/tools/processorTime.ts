import { readFileSync } from 'node:fs'

/**
 * Linux counts the time of ended children in hundredths of a second (USER_HZ) on every processor
 * that Node runs on.
 */
const TICK_MS = 10
/**
 * The fields cutime and cstime of /proc/self/stat (proc(5)), counted after the name in brackets,
 * which may hold anything.
 */
const CHILDREN_FIELDS = [13, 14] as const

/**
 * CPU time in milliseconds that this process has used, all threads, with the children that it has
 * waited for where the system tells it without asking each (Linux; to 10 ms); elsewhere without
 * them.
 */
export function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000 + childrenMs()
}

/**
 * CPU time of the ended children alone (Linux, to 10 ms); 0 where the system does not report it.
 */
export function childrenMs(): number {
  if (process.platform !== 'linux') return 0
  try {
    const stat = readFileSync('/proc/self/stat', 'latin1')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return CHILDREN_FIELDS.reduce((sum, field) => sum + Number(fields[field]) * TICK_MS, 0)
  } catch {
    // No /proc here: the budget is then kept by this process's own time and the clock.
    return 0
  }
}
