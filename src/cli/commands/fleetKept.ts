import type { TableColumn } from '../../contract/tables/declaredTable'
import type { FleetBy } from '../../domain/fleet/fleetCounts'
import { type Amount, amountOf, type FleetKept, type KeptFigures } from '../../domain/fleet/fleetKept'
import { absolutePath } from '../../files/absolutePath'
import { AppError } from '../../primitives/appError'
import { EXIT } from '../../primitives/exitCode'
import { formatCount, formatCounted } from '../../primitives/quantity'
import { formatDay } from '../../primitives/spokenTime'
import { readArguments } from '../arguments'
import { FLEET_KEPT } from '../declarations/fleet'
import { openSession } from '../session'
import { formatSize } from '../shape/sizes'
import { ownTableLines } from '../shape/tableLines'
import { wrapped } from '../shape/wrapped'
import type { Terminal } from '../terminal'
import { countedCopies } from './catalogCopies'
import { byGiven, duckdbGiven } from './fleetArguments'

/** Rows of a table, and those of a document. */
const SHOWN = 10
const LISTED = 1000

/** `fleet kept`: how much of surveyed sources is on verified copies, by exported catalogs. */
export async function fleetKeptCommand(args: readonly string[], out: Terminal): Promise<number> {
  const { values, positionals } = readArguments(args, FLEET_KEPT)
  const { catalogs = [] } = values
  const by = byGiven(values.by)
  if (positionals.length === 0) throw new AppError('usage', 'give a folder of fingerprints')
  if (catalogs.length === 0)
    throw new AppError('usage', 'give a folder of exported catalogs: --catalogs FOLDER')
  await using session = openSession(out, { canDoWithout: true })
  const looked = {
    folders: positionals.map((path) => absolutePath(path)),
    catalogs: catalogs.map((path) => absolutePath(path)),
  }
  const { place, bounds } = await duckdbGiven(session, looked, values, out)
  const request = { ...looked, by, limit: LISTED, bounds }
  const kept = session.fleet.keptOf(await session.run(() => session.fleet.kept(request, place)))
  out.document(kept)
  printKept(kept, out)
  return EXIT.done
}

const isAtTwo = ({ copies, places }: KeptFigures['levels'][number]): boolean => copies >= 2 && places >= 2
const isFewer = (level: KeptFigures['levels'][number]): boolean => level.copies > 0 && !isAtTwo(level)
const isNone = ({ copies }: KeptFigures['levels'][number]): boolean => copies === 0

function printKept(kept: FleetKept, out: Terminal): void {
  const { all, sources, catalogs, by, groups, moreGroups, onNone, moreOnNone } = kept
  const [two, fewer, none] = [isAtTwo, isFewer, isNone].map((isMeant) => amountOf(all, isMeant))
  const unknown = all.unknown.files === 0 ? '' : ` Not known: ${amountText(all.unknown)}.`
  out.lines(
    wrapped(
      `${formatCounted(sources.length, 'source')}: ${amountText(all)}. On two verified copies or more, at two ` +
        `places or more: ${amountText(two)}. On fewer: ${amountText(fewer)}. On none: ${amountText(none)}.${unknown}`,
    ),
  )
  out.line()
  out.lines(ownTableLines(LEVEL_COLUMNS, all.levels), '  ')
  out.line()
  const sourceName = (source: number): string => {
    const { name = null, survey = '' } = sources[source] ?? {}
    return name ?? survey
  }
  const rows: readonly NamedFigures[] =
    by === 'source'
      ? sources.map((figures, at) => ({ name: sourceName(at), figures }))
      : groups.map(({ name, ...figures }) => ({ name, figures }))
  out.lines(ownTableLines(columnsBy(by), rows.slice(0, SHOWN)), '  ')
  moreLine(rows.length - SHOWN + moreGroups, by, out)
  if (onNone.length > 0) {
    out.line()
    out.line('On no verified copy, by folder:')
    const folders = onNone.map(({ folder, source, ...one }) => ({
      ...one,
      name: folder || sourceName(source),
    }))
    out.lines(ownTableLines(FOLDER_COLUMNS, folders.slice(0, SHOWN)), '  ')
    moreLine(onNone.length - SHOWN + moreOnNone, 'folder', out)
  }
  out.line()
  for (const { catalog, exportedWallMs, copies, goodCopies } of catalogs)
    out.line(
      `  catalog ${catalog} of ${formatDay(exportedWallMs)}: ${countedCopies(copies)}, ${formatCount(goodCopies)} good`,
    )
  for (const { survey, skipped } of sources)
    if (skipped > 0)
      out.note(`survey ${survey} skipped ${formatCounted(skipped, 'path')}: they are not counted`)
  if (all.unknown.files > 0)
    out.note('files without SHA-256 cannot be found in catalogs: survey --sha256 --fingerprints adds them')
}

function amountText(amount: Amount | undefined): string {
  return amount === undefined || amount.files === 0
    ? 'no file'
    : `${formatCounted(amount.files, 'file')} (${formatSize(amount.bytes)})`
}

function moreLine(more: number, what: string, out: Terminal): void {
  if (more > 0)
    out.line(`  ${formatCounted(more, `more ${what}`)}; --json lists up to ${formatCount(LISTED)}`)
}

const LEVEL_COLUMNS: readonly TableColumn<KeptFigures['levels'][number], string>[] = [
  { heading: 'verified copies', kind: 'count', of: ({ copies }) => copies },
  { heading: 'places', kind: 'count', of: ({ places }) => places },
  { heading: 'files', kind: 'count', of: ({ files }) => files },
  { heading: 'size', kind: 'bytes', of: ({ bytes }) => bytes },
]

interface NamedFigures {
  readonly name: string
  readonly figures: KeptFigures
}

function columnsBy(by: FleetBy): readonly TableColumn<NamedFigures, string>[] {
  return [{ heading: by, kind: 'path', of: ({ name }) => name }, ...FIGURE_COLUMNS]
}

const FIGURE_COLUMNS: readonly TableColumn<NamedFigures, string>[] = [
  { heading: 'files', kind: 'count', of: ({ figures }) => figures.files },
  { heading: 'size', kind: 'bytes', of: ({ figures }) => figures.bytes },
  { heading: 'on two', kind: 'bytes', of: ({ figures }) => amountOf(figures, isAtTwo).bytes },
  { heading: 'on fewer', kind: 'bytes', of: ({ figures }) => amountOf(figures, isFewer).bytes },
  { heading: 'on none', kind: 'bytes', of: ({ figures }) => amountOf(figures, isNone).bytes },
  { heading: 'not known', kind: 'bytes', of: ({ figures }) => figures.unknown.bytes },
]

const FOLDER_COLUMNS: readonly TableColumn<Amount & { readonly name: string }, string>[] = [
  { heading: 'files', kind: 'count', of: ({ files }) => files },
  { heading: 'size', kind: 'bytes', of: ({ bytes }) => bytes },
  { heading: 'folder', kind: 'path', of: ({ name }) => name },
]
