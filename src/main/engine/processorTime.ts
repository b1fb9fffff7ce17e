import { readFileSync } from 'node:fs'

/** Clock ticks a second, which Linux gives to programs as 100 (USER_HZ). */
const TICK_MS = 10
/** The fields utime and stime of `/proc/PID/stat` (proc(5)), counted after the name in brackets. */
const USER_TIME = 11
const SYSTEM_TIME = 12

/**
 * CPU time that a process has used so far, in milliseconds; null where the system does not tell
 * that of another process in a file, or there is none.
 */
export function processorMsOf(pid: number | undefined): number | null {
  if (process.platform !== 'linux' || pid === undefined) return null
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[USER_TIME]) + Number(fields[SYSTEM_TIME])) * TICK_MS
  } catch {
    return null
  }
}
