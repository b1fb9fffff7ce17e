import { documentNames } from '../../contract/documents'
import { mediaCatalogue } from '../../engine/media/mediaCatalogue'
import { EXIT } from '../../primitives/exitCode'
import { onlyPositional, readArguments } from '../arguments'
import { bashCompletion } from '../completion/bash'
import { commandTree } from '../completion/commandTree'
import { fishCompletion } from '../completion/fish'
import { powershellCompletion } from '../completion/powershell'
import { zshCompletion } from '../completion/zsh'
import { COMPLETION, SHELLS } from '../declarations/scripting'
import type { Terminal } from '../terminal'
import { unknownName } from '../unknownName'

const WRITERS = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
  powershell: powershellCompletion,
} satisfies Record<(typeof SHELLS)[number], unknown>

/** `stowage completion`: prints a script and installs nothing. */
export async function completionCommand(args: readonly string[], out: Terminal): Promise<number> {
  const given = onlyPositional(readArguments(args, COMPLETION).positionals, `shell (${SHELLS.join(', ')})`)
  const shell = SHELLS.find((each) => each === given)
  if (shell === undefined) throw unknownName('shell', given, SHELLS)
  const script = WRITERS[shell](
    commandTree({ media: [...mediaCatalogue.map(({ id }) => id), 'disk'], documents: documentNames() }),
  )
  out.document({ schema: 'stowage.completion/1', shell, script })
  out.lines(script.split('\n'))
  return EXIT.done
}
