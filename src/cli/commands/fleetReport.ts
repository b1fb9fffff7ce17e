import { fleetMedia } from '../../domain/fleet/fleetMedia'
import type { FleetReport } from '../../domain/fleet/fleetReport'
import type { Medium } from '../../domain/media/medium'
import { pricesOf } from '../../domain/media/price'
import { resolveMedium } from '../../domain/media/resolveMedium'
import { mediaCatalogue } from '../../engine/media/mediaCatalogue'
import { absolutePath } from '../../files/absolutePath'
import { AppError } from '../../primitives/appError'
import { parseSize } from '../../primitives/bytes'
import { EXIT } from '../../primitives/exitCode'
import { pathForDisplay } from '../../primitives/pathText'
import { readArguments, type ValuesOf } from '../arguments'
import { FLEET_REPORT, FLEET_TABLE_NAMES } from '../declarations/fleet'
import { openSession, type Session } from '../session'
import { openSettings } from '../settings'
import { namedTables, printTables } from '../shape/namedTables'
import type { Terminal } from '../terminal'
import { byGiven, duckdbGiven } from './fleetArguments'
import { FLEET_TABLES, noteShares, printFleetSummary, printMedia } from './fleetTables'

type Values = ValuesOf<typeof FLEET_REPORT>

/** `fleet report`: what the sources of many fingerprints have in common. */
export async function fleetReportCommand(args: readonly string[], out: Terminal): Promise<number> {
  const { values, positionals } = readArguments(args, FLEET_REPORT)
  const tables = namedTables(FLEET_TABLES, values.table)
  const range = rangeGiven(values)
  if (positionals.length === 0)
    throw new AppError('usage', values.sum ? 'give the parts to add up' : 'give a folder of fingerprints')
  if (values.sum && values.table?.includes('new'))
    out.note('the best order of new data is not in parts: only the order given is shown')
  if (values.sum && values.table?.includes('folders'))
    throw new AppError('usage', 'folders are not in parts: ask for them without --sum')
  await using session = openSession(out, { canDoWithout: true })
  const paths = positionals.map((path) => absolutePath(path))
  if (range !== null) return await countRange(session, paths, { ...values, range }, out)
  const media = mediaGiven(values)
  const counts = values.sum
    ? await session.fleet.summed(paths)
    : session.fleet.reported(await counted(session, paths, values, null, out))
  const report = media.length === 0 ? counts : await withMedia(counts, media, out)
  out.document(report)
  if (tables.length > 0) {
    await printTables<FleetReport>(report, tables, out)
    printMedia(report, out)
  } else printFleetSummary(report, out)
  noteShares(report, out)
  return EXIT.done
}

type Range = { readonly index: number; readonly count: number }

/** @throws AppError `usage` for what is no range, or options that do not go together */
function rangeGiven({ range, out, sum, table, scheme, medium, force }: Values): Range | null {
  if (range === undefined) {
    if (out !== undefined || force) throw new AppError('usage', '--out and --force need --range')
    if (sum && scheme) throw new AppError('usage', '--sum shows the ways of cutting that its parts have')
    return null
  }
  if (sum) throw new AppError('usage', '--range makes a part, --sum adds them up: give one of them')
  if (out === undefined) throw new AppError('usage', '--range needs --out, the file for the part')
  if (medium) throw new AppError('usage', 'a part has no media: give --medium with --sum')
  if (table?.some((name) => name !== 'pairs'))
    throw new AppError('usage', 'a part can have the table pairs, but no other')
  const [, index = 0, count = 0] = (/^(\d{1,6})\/(\d{1,6})$/.exec(range) ?? []).map(Number)
  if (index < 1 || index > count)
    throw new AppError('usage', `--range takes a number and how many there are, such as 1/8, not "${range}"`)
  return { index, count }
}

function mediaGiven({ medium = [] }: Values): Medium[] {
  const all = medium.map((text) => resolveMedium(mediaCatalogue, text))
  return [...new Map(all.map((one) => [one.id, one])).values()]
}

async function withMedia(report: FleetReport, media: readonly Medium[], out: Terminal): Promise<FleetReport> {
  const prices = pricesOf((await openSettings(out)).used('prices').value)
  const bytes = report.sources.reduce((sum, one) => sum + one.bytes, 0)
  return { ...report, media: fleetMedia(bytes, report.schemes, media, prices) }
}

async function countRange(
  session: Session,
  folders: readonly string[],
  values: Omit<Values, 'range'> & { readonly range: Range },
  out: Terminal,
): Promise<number> {
  const file = absolutePath(values.out ?? '')
  const counts = session.fleet.counted(await counted(session, folders, values, values.range, out))
  await session.saveFile(file, values.force, () => [`${JSON.stringify(counts)}\n`])
  out.document(counts)
  out.note(`saved as ${pathForDisplay(file)}`)
  return EXIT.done
}

/** Counts what is asked for, and gives the ID under which that is kept. */
async function counted(
  session: Session,
  folders: readonly string[],
  values: Pick<Values, 'scheme' | 'table' | 'by' | 'least-size' | 'max-memory' | 'yes'>,
  range: Range | null,
  out: Terminal,
): Promise<string> {
  const { place, bounds } = await duckdbGiven(session, { folders }, values, out)
  return session.run(() =>
    session.fleet.report(
      {
        folders,
        schemes: values.scheme ?? [],
        tables: FLEET_TABLE_NAMES.filter((name) => values.table?.includes(name)),
        by: byGiven(values.by),
        leastFolderBytes: parseSize(values['least-size']),
        bounds,
        range,
      },
      place,
    ),
  )
}
