import { readFileSync } from 'node:fs'
import type { Clock, Milliseconds } from '../../src/primitives/clock'

/** Of Linux's clock tick, which /proc counts in (USER_HZ). */
const TICK_MS = 10

/**
 * A clock that goes by the CPU time of this process and of its ended children, on two cores: budgets buy the same work on a
 * machine that is busy with other things as on an idle one.
 */
export const processorClock: Clock = {
  wallMs: () => Date.now() as Milliseconds,
  monotonicMs: () => {
    const { user, system } = process.cpuUsage()
    return ((user + system) / 1000 / 2 + childrenMs() / 2) as Milliseconds
  },
}

/** Fields 16 and 17 of proc_pid_stat(5), counted behind the command's closing bracket. */
function childrenMs(): number {
  const stat = readFileSync('/proc/self/stat', 'latin1')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[13]) + Number(fields[14])) * TICK_MS
}
