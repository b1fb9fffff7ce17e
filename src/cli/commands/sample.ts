import { resolve } from 'node:path'
import { makeSampleSource } from '../../engine/sample/sampleSource'
import { EXIT } from '../../primitives/exitCode'
import { onlyPositional, readArguments } from '../arguments'
import type { Terminal } from '../terminal'

export async function sampleCommand(args: readonly string[], out: Terminal): Promise<number> {
  const { positionals } = readArguments(args, { json: { type: 'boolean' } })
  const directory = resolve(onlyPositional(positionals, 'folder'))
  await makeSampleSource(directory)
  out.document({ schema: 'stowage.sample/1', directory })
  out.line(`The sample source is in ${directory}`)
  return EXIT.done
}
