import { isAddress, sparkCommand } from '../../domain/fleet/sparkCommand'
import { absolutePath } from '../../files/absolutePath'
import { AppError } from '../../primitives/appError'
import { EXIT } from '../../primitives/exitCode'
import { pathForDisplay } from '../../primitives/pathText'
import { readArguments } from '../arguments'
import { FLEET_PART_TABLE_NAMES, FLEET_SPARK } from '../declarations/fleet'
import { openSession } from '../session'
import { commandLines } from '../shape/nextCommand'
import type { Terminal } from '../terminal'
import { unknownName } from '../unknownName'

/** `fleet spark-command`: the line that compares fingerprints on a cluster. */
export async function fleetSparkCommand(args: readonly string[], out: Terminal): Promise<number> {
  const { values, positionals } = readArguments(args, FLEET_SPARK)
  if (positionals.length === 0) throw new AppError('usage', 'give a folder of fingerprints')
  const tables = values.table ?? []
  const unknown = tables.find((name) => !FLEET_PART_TABLE_NAMES.some((one) => one === name))
  if (unknown !== undefined) throw unknownName('table', unknown, FLEET_PART_TABLE_NAMES)
  const folders = positionals.map(placeOf)
  const asked = {
    folders,
    master: values.master,
    deployMode: values['deploy-mode'],
    out: values.out === undefined ? undefined : placeOf(values.out),
    conf: values.conf ?? [],
    schemes: values.scheme ?? [],
    tables,
    checkDigests: values['check-digests'],
  }
  // What is refused by its words is refused before anything is read or written.
  sparkCommand({ ...asked, job: { program: '', sql: [] } })
  const local = folders.filter((folder) => !isAddress(folder))
  await using session = openSession(out, { canDoWithout: true })
  const job = await session.fleet.sparkJob(local)
  const command = sparkCommand({ ...asked, job })
  out.document(command)
  out.lines(commandLines('', command.words))
  if (local.length > 0 && !values.master?.startsWith('local'))
    out.note(
      `every machine of the cluster must see ${local.map(pathForDisplay).join(', ')} under the same path`,
    )
  return EXIT.done
}

/** @throws AppError `name-unsupported` for a path that is not Unicode */
function placeOf(given: string): string {
  if (isAddress(given)) return given
  const path = absolutePath(given)
  if (path.isWellFormed()) return path
  throw new AppError(
    'name-unsupported',
    `cannot use ${pathForDisplay(path)}: Spark reads no file whose path is not Unicode`,
    { path },
  )
}
