import type { WaitAnswer, WaitingFor, WaitingForChoice, WaitingForDisc } from '../contract/dto/job'
import { AppError } from '../primitives/appError'
import { formatCount, formatCounted } from '../primitives/quantity'
import type { Terminal } from './terminal'

/**
 * Asks on the terminal for what a job waits for.
 * @returns what the person decided, if there is anything to decide
 * @throws AppError `cancelled` when the run ends meanwhile or the input is closed
 */
export async function askPerson(
  what: WaitingFor,
  signal: AbortSignal,
  out: Terminal,
): Promise<WaitAnswer | undefined> {
  if (what.problem !== null) out.note(`${what.problem}.`)
  if (what.kind === 'disc') {
    out.note(discWords(what))
    await typedLine(signal)
    return undefined
  }
  for (;;) {
    out.note(choiceWords(what))
    const typed = (await typedLine(signal)).trim().toLowerCase()
    const answer = (['yes', 'no', 'all'] as const).find((known) => typed !== '' && known.startsWith(typed))
    if (answer) return answer
  }
}

function typedLine(signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      process.stdin.off('data', typed)
      process.stdin.off('end', closed)
      process.stdin.pause()
      signal.removeEventListener('abort', closed)
      settle()
    }
    const typed = (line: Buffer): void => end(() => resolve(line.toString()))
    const closed = (): void => end(() => reject(new AppError('cancelled', 'cancelled')))
    process.stdin.on('data', typed)
    process.stdin.on('end', closed)
    signal.addEventListener('abort', closed)
    process.stdin.resume()
  })
}

function discWords({ label, volume, volumes, drive, reason }: WaitingForDisc): string {
  const of = `${label} (volume ${formatCount(volume)} of ${formatCount(volumes)})`
  if (reason === 'reload') return `Take the disc of ${of} out of ${drive}, put it in again and press Enter.`
  return `Insert a blank disc for ${of} into ${drive} and press Enter.`
}

function choiceWords({ label, volume, volumes, more }: WaitingForChoice): string {
  const of = `${label} (volume ${formatCount(volume)} of ${formatCount(volumes)})`
  const others = more === 0 ? '' : ` ${formatCounted(more, 'further file')} of it changed too.`
  return `Build ${of} without this file?${others} Type yes, no (the volume is not built) or all (every further file too).`
}

/**
 * Asks a question on the terminal until it is answered with yes or no.
 * @throws AppError `cancelled` when the input is closed
 */
export async function askYesOrNo(question: string, out: Terminal): Promise<boolean> {
  for (;;) {
    out.note(`${question} Type yes or no.`)
    const typed = (await typedLine(new AbortController().signal)).trim().toLowerCase()
    if (typed !== '' && 'yes'.startsWith(typed)) return true
    if (typed !== '' && 'no'.startsWith(typed)) return false
  }
}
