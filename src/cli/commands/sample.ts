import { absolutePath } from '../../files/absolutePath'
import { EXIT } from '../../primitives/exitCode'
import { pathForDisplay } from '../../primitives/pathText'
import { onlyPositional, readArguments } from '../arguments'
import { SAMPLE } from '../declarations/catalog'
import { openSession } from '../session'
import { nextCommand, typedPath } from '../shape/nextCommand'
import type { Terminal } from '../terminal'

export async function sampleCommand(args: readonly string[], out: Terminal): Promise<number> {
  const { positionals } = readArguments(args, SAMPLE)
  const directory = absolutePath(onlyPositional(positionals, 'folder'))
  await using session = openSession(out)
  await session.engine.sample.make({ directory })
  out.document({ schema: 'stowage.sample/1', directory })
  out.lines([`The sample source is in ${pathForDisplay(directory)}`, ''])
  out.lines(nextCommand('Next:', ['survey', typedPath(directory)]))
  return EXIT.done
}
