/**
 * The room `commands` carries out each command of the command line.
 * How: a command parses its arguments by its declaration, asks the engine in this process, and
 * prints the conclusion first.
 * Not here: options and help (`declarations`), tables and lines (`shape`), the work (`src/engine`).
 */

import type { CommandName } from './declarations/every'
import type { Terminal } from './terminal'

/**
 * A command takes its own arguments, writes its result and gives the exit code; it throws AppError
 * when it fails.
 */
type Command = (args: readonly string[], out: Terminal) => Promise<number>

/**
 * Each is loaded when it is run: a pipe needs no forecasts, and loading all of them takes as long
 * as starting Node.
 */
export const COMMANDS: Readonly<Record<CommandName, () => Promise<Command>>> = {
  survey: async () => (await import('./commands/survey')).surveyCommand,
  look: async () => (await import('./commands/look')).lookCommand,
  roms: async () => (await import('./commands/roms')).romsCommand,
  fleet: async () => (await import('./commands/fleet')).fleetCommand,
  measure: async () => (await import('./commands/measure')).measureCommand,
  bands: async () => (await import('./commands/bands')).bandsCommand,
  options: async () => (await import('./commands/options')).optionsCommand,
  compare: async () => (await import('./commands/compare')).compareCommand,
  plan: async () => (await import('./commands/plan')).planCommand,
  build: async () => (await import('./commands/runs')).buildCommand,
  write: async () => (await import('./commands/write')).writeCommand,
  drives: async () => (await import('./commands/write')).drivesCommand,
  verify: async () => (await import('./commands/runs')).verifyCommand,
  labels: async () => (await import('./commands/labels')).labelsCommand,
  rebuild: async () => (await import('./commands/rebuild')).rebuildCommand,
  repair: async () => (await import('./commands/repair')).repairCommand,
  restore: async () => (await import('./commands/restore')).restoreCommand,
  drill: async () => (await import('./commands/drill')).drillCommand,
  pipe: async () => (await import('./commands/pipe')).pipeCommand,
  image: async () => (await import('./commands/image')).imageCommand,
  archives: async () => (await import('./commands/archives')).archivesCommand,
  add: async () => (await import('./commands/add')).addCommand,
  project: async () => (await import('./commands/project')).projectCommand,
  find: async () => (await import('./commands/find')).findCommand,
  catalog: async () => (await import('./commands/catalog')).catalogCommand,
  safe: async () => (await import('./commands/safe')).safeCommand,
  media: async () => (await import('./commands/media')).mediaCommand,
  config: async () => (await import('./commands/config')).configCommand,
  doctor: async () => (await import('./commands/doctor')).doctorCommand,
  tools: async () => (await import('./commands/tools')).toolsCommand,
  sample: async () => (await import('./commands/sample')).sampleCommand,
  completion: async () => (await import('./commands/completion')).completionCommand,
  schema: async () => (await import('./commands/schema')).schemaCommand,
}
