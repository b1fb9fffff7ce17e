import { readFileSync } from 'node:fs'

/** `<pid> <start time>` of a living process; the start time tells it from a later one with the same number. '' when there is none. */
export function processIdentity(pid) {
  try {
    process.kill(Number(pid), 0)
  } catch (error) {
    if (error.code !== 'EPERM') return ''
  }
  const stat = process.platform === 'linux' ? readStat(pid) : null
  // Field 22 of proc(5); counted behind the program's name, which may hold blanks.
  const startTime = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '-'
  return `${pid} ${startTime}`
}

function readStat(pid) {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return null
  }
}
