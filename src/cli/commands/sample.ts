import { resolve } from 'node:path'
import { EXIT } from '../../primitives/exitCode'
import { onlyPositional, readArguments } from '../arguments'
import { SAMPLE } from '../declarations/catalog'
import { openSession } from '../session'
import type { Terminal } from '../terminal'

export async function sampleCommand(args: readonly string[], out: Terminal): Promise<number> {
  const { positionals } = readArguments(args, SAMPLE)
  const directory = resolve(onlyPositional(positionals, 'folder'))
  const session = openSession(out)
  try {
    await session.engine.sample.make({ directory })
  } finally {
    await session.close()
  }
  out.document({ schema: 'stowage.sample/1', directory })
  out.line(`The sample source is in ${directory}`)
  return EXIT.done
}
