import { absolutePath } from '../../files/absolutePath'
import { AppError } from '../../primitives/appError'
import { EXIT } from '../../primitives/exitCode'
import { readArguments } from '../arguments'
import { FLEET_IMPORT } from '../declarations/fleet'
import { openSession } from '../session'
import type { Terminal } from '../terminal'
import { printFingerprints } from './surveyFingerprints'

/** `fleet import`: sketches as fingerprints. */
export async function fleetImportCommand(args: readonly string[], out: Terminal): Promise<number> {
  const { values, positionals } = readArguments(args, FLEET_IMPORT)
  if (positionals.length === 0) throw new AppError('usage', 'give the sketch files to import')
  if (values.out === undefined) throw new AppError('usage', 'give --out, the folder for the fingerprints')
  await using session = openSession(out)
  const into = absolutePath(values.out)
  const folders: string[] = []
  for (const file of positionals) folders.push(await session.fleet.importSketch(absolutePath(file), into))
  printFingerprints(await session.checkFingerprints(folders), out)
  return EXIT.done
}
