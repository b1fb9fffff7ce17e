import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts in hundredths of a second for programs, whatever its own clock is (proc(5), USER_HZ). */
const TICKS_PER_SECOND = 100

/**
 * The CPU time of the processes of a group that live now, and of the children that they have waited for.
 * @param {number} group its process group
 * @returns {number | null} seconds; null where the system does not tell
 */
export function cpuSecondsOf(group) {
  let ticks = 0
  let isKnown = false
  for (const name of entriesOf('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const fields = statOf(name)
    if (Number(fields[2]) !== group) continue
    isKnown = true
    // utime, stime, cutime and cstime, counted from the state.
    for (const field of fields.slice(11, 15)) ticks += Number(field)
  }
  return isKnown ? ticks / TICKS_PER_SECOND : null
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
