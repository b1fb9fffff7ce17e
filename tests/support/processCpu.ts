import { readdirSync, readFileSync } from 'node:fs'

/** Of Linux's clock tick, which /proc counts in (USER_HZ). */
const TICK_MS = 10

interface Times {
  readonly parent: number
  readonly cpuMs: number
  /** Of its ended children that it waited for. */
  readonly endedMs: number
}

/** CPU time of a running process in milliseconds, all of its threads. */
export function processCpuMs(pid: number): number {
  return timesOf(pid).cpuMs
}

/** The same of a process, of all that it started, and of what these started. */
export function treeCpuMs(root: number): number {
  const all = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => {
        try {
          return [[Number(name), timesOf(Number(name))] as const]
        } catch {
          // It has ended meanwhile.
          return []
        }
      }),
  )
  const sum = (pid: number): number => {
    const { cpuMs = 0, endedMs = 0 } = all.get(pid) ?? {}
    const children = [...all].filter(([, { parent }]) => parent === pid)
    return cpuMs + endedMs + children.reduce((total, [child]) => total + sum(child), 0)
  }
  return sum(root)
}

/** Fields 4 and 14 to 17 of proc_pid_stat(5), counted behind the command's closing bracket. */
function timesOf(pid: number): Times {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = (at: number): number => Number(fields[at]) * TICK_MS
  return { parent: Number(fields[1]), cpuMs: ticks(11) + ticks(12), endedMs: ticks(13) + ticks(14) }
}
