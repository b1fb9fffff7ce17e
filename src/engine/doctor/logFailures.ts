import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { type Private, redact } from '../../domain/doctor/redact'

const LAST_BYTES = 256 * 1024
const MOST_LINES = 10
/** A line of the log, by which its stacks and further lines are left out. */
const LINE = /^(?<moment>\d{4}-\d\d-\d\dT[\d:.]+Z) (?<text>.*)$/
const FAILURE = /^[a-z]+(?:-[a-z]+)*: |\b(?:error|cannot|failed|crashed|ended|lost)\b/i

/** The last failures in the window's log without anything that is the person's, oldest first. */
export function logFailures(dataDir: string, hidden: Private): string[] {
  return endOf(join(dataDir, 'stowage.log'))
    .split('\n')
    .flatMap((line) => {
      const { moment = '', text = '' } = LINE.exec(line)?.groups ?? {}
      return FAILURE.test(text) ? [`${moment} ${redact(text, hidden)}`] : []
    })
    .slice(-MOST_LINES)
}

/** The end of a text file; '' where it cannot be read. */
function endOf(file: string): string {
  try {
    const handle = openSync(file, 'r')
    try {
      const { size } = fstatSync(handle)
      const end = Buffer.alloc(Math.min(size, LAST_BYTES))
      readSync(handle, end, 0, end.length, size - end.length)
      return end.toString('utf8')
    } finally {
      closeSync(handle)
    }
  } catch {
    return ''
  }
}
