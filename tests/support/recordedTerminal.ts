import { terminal } from '../../src/cli/terminal'
import { noHome } from './noHome'

/** A terminal that keeps what a person would see: the result, and everything with the warnings. */
export function recordedTerminal() {
  let result = ''
  let all = ''
  const out = terminal(
    {
      out: {
        write(text) {
          result += text
          all += text
        },
      },
      err: {
        write(text) {
          all += text
        },
      },
    },
    false,
    noHome,
  )
  const linesOf = (text: string): string[] => text.trimEnd().split('\n')
  return { out, result: () => linesOf(result), all: () => linesOf(all) }
}
