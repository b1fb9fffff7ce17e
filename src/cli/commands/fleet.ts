import { AppError } from '../../primitives/appError'
import type { Terminal } from '../terminal'
import { unknownName } from '../unknownName'
import { fleetImportCommand } from './fleetImport'
import { fleetKeptCommand } from './fleetKept'
import { fleetReportCommand } from './fleetReport'
import { fleetSparkCommand } from './fleetSpark'

type Verb = (args: readonly string[], out: Terminal) => Promise<number>

const VERBS: Readonly<Record<string, Verb>> = {
  report: fleetReportCommand,
  kept: fleetKeptCommand,
  import: fleetImportCommand,
  'spark-command': fleetSparkCommand,
}

/** `stowage fleet`: its verbs. */
export async function fleetCommand([verb, ...args]: readonly string[], out: Terminal): Promise<number> {
  if (verb === undefined) throw new AppError('usage', `fleet takes ${Object.keys(VERBS).join(', ')}`)
  const command = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined
  if (!command) throw unknownName('fleet', verb, Object.keys(VERBS))
  return command(args, out)
}
