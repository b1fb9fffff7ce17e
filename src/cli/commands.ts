import { bandsCommand } from './commands/bands'
import { catalogCommand } from './commands/catalog'
import { compareCommand } from './commands/compare'
import { findCommand } from './commands/find'
import { imageCommand } from './commands/image'
import { measureCommand } from './commands/measure'
import { mediaCommand } from './commands/media'
import { optionsCommand } from './commands/options'
import { pipeCommand } from './commands/pipe'
import { planCommand } from './commands/plan'
import { restoreCommand } from './commands/restore'
import { buildCommand, verifyCommand } from './commands/runs'
import { sampleCommand } from './commands/sample'
import { surveyCommand } from './commands/survey'
import { toolsCommand } from './commands/tools'
import { drivesCommand, writeCommand } from './commands/write'
import type { CommandName } from './declarations/every'
import type { Terminal } from './terminal'

/** A command takes its own arguments, writes its result and gives the exit code; it throws AppError when it fails. */
type Command = (args: readonly string[], out: Terminal) => Promise<number>

export const COMMANDS: Readonly<Record<CommandName, Command>> = {
  survey: surveyCommand,
  measure: measureCommand,
  bands: bandsCommand,
  options: optionsCommand,
  compare: compareCommand,
  plan: planCommand,
  build: buildCommand,
  write: writeCommand,
  drives: drivesCommand,
  verify: verifyCommand,
  restore: restoreCommand,
  pipe: pipeCommand,
  image: imageCommand,
  find: findCommand,
  catalog: catalogCommand,
  media: mediaCommand,
  tools: toolsCommand,
  sample: sampleCommand,
}
