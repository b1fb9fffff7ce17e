import { costRange } from '../../contract/costText'
import type { TableColumn } from '../../contract/tables/declaredTable'
import { countRange } from '../../contract/tables/optionTables'
import type { FleetMedium } from '../../domain/fleet/fleetMedia'
import type { FleetFigure, FleetReport, FleetScheme } from '../../domain/fleet/fleetReport'
import { formatCount, formatCounted, sizeWithRange } from '../../primitives/quantity'
import type { FLEET_TABLE_NAMES } from '../declarations/fleet'
import { MARKS } from '../shape/marks'
import type { NamedTable } from '../shape/namedTables'
import { formatSize, sizeUnits } from '../shape/sizes'
import { ownTableLines } from '../shape/tableLines'
import { wrapped } from '../shape/wrapped'
import type { Terminal } from '../terminal'

/** Sources that the summary lists. */
const SHOWN_SOURCES = 12

/** `9.00 GB ■`, `9.01 GB (8.7–9.3) ●`. */
function figureText(figure: FleetFigure): string {
  return `${sizeWithRange(figure, sizeUnits())} ${MARKS[figure.provenance]}`
}

/** Prints the conclusion, the ways of cutting, and the sources. */
export function printFleetSummary(report: FleetReport, out: Terminal): void {
  const { sources, schemes, key, by } = report
  const bytes = sources.reduce((sum, one) => sum + one.bytes, 0)
  const files = sources.reduce((sum, one) => sum + one.files, 0)
  // By what is certain: the upper ends of the ranges.
  const least = schemes.toSorted((a, b) => a.unique.high - b.unique.high)[0]
  const holds = `${formatCounted(sources.length, 'source')} ${sources.length === 1 ? 'holds' : 'hold'} ${formatCounted(files, 'file')}, ${formatSize(bytes)}.`
  const unique = least ? ` The least is unique by ${least.name}: ${figureText(least.unique)}.` : ''
  out.lines(wrapped(holds + unique))
  out.line()
  out.lines(ownTableLines(SCHEME_COLUMNS, schemes), '  ')
  printMedia(report, out, '  ')
  const shown = schemes.find(({ name }) => name === 'files') ?? least
  if (shown) {
    out.line()
    out.line(`  By ${shown.name}:`)
    out.lines(ownTableLines(groupColumns(by), groupRows(shown, report).slice(0, SHOWN_SOURCES)), '  ')
    if (shown.groups.length > SHOWN_SOURCES)
      out.line(`  ${formatCount(shown.groups.length - SHOWN_SOURCES)} more with --table new`)
  }
  out.line()
  out.line(
    `  ${key === null ? 'Hashes are without a key.' : `Hashes have the key ${key}.`} (■ exact ● from the share kept)`,
  )
}

/** Prints the volumes that all sources fill, of each medium that was asked for. */
export function printMedia({ media = [] }: FleetReport, out: Terminal, indent = ''): void {
  for (const medium of media) {
    out.line()
    out.line(`${indent}Volumes of ${medium.name}, without file systems and protection:`)
    const columns = medium.price ? [...MEDIUM_COLUMNS, COST_COLUMN] : MEDIUM_COLUMNS
    out.lines(ownTableLines(columns, mediumRows(medium)), indent)
  }
}

/** Notes of sources that were not cut alike. */
export function noteShares({ schemes, sources }: FleetReport, out: Terminal): void {
  const differing = schemes.filter(({ sharesDiffer }) => sharesDiffer)
  if (differing.length > 0)
    out.note(
      `the sources kept different shares of ${differing.map(({ name }) => name).join(', ')}: ` +
        'they are compared at the smaller one, which is shown',
    )
  const missing = new Map<string, string[]>()
  for (const { name, missing: without } of schemes)
    for (const source of without) {
      const { survey = '' } = sources[source] ?? {}
      missing.set(survey, [...(missing.get(survey) ?? []), name])
    }
  for (const [survey, names] of missing)
    out.note(`${survey} has no fingerprints of ${names.join(', ')}, and is not counted there`)
  for (const { survey, changedSince } of sources)
    if (changedSince > 0)
      out.note(
        `${survey} took rows from an earlier survey, since which ${formatCounted(changedSince, 'file')} ` +
          'changed or went: contents of more than 8 files may count some of them; without --since all are read',
      )
  for (const { survey, skipped } of sources)
    if (skipped > 0) out.note(`${survey} skipped ${formatCounted(skipped, 'path')}`)
}

const SCHEME_COLUMNS: readonly TableColumn<FleetScheme, string>[] = [
  { heading: 'cut', kind: 'words', of: ({ name }) => name },
  {
    heading: 'share kept',
    kind: 'words',
    of: ({ shift }) => (shift === 0 ? 'all' : `1/${formatCount(2 ** shift)}`),
  },
  {
    heading: 'unique',
    kind: 'bytes',
    of: ({ unique }) => unique.bytes,
    text: ({ unique }) => figureText(unique),
  },
  {
    heading: 'of all',
    kind: 'share',
    of: ({ unique, totalBytes }) => unique.bytes / Math.max(1, totalBytes),
  },
]

interface MediumRow {
  readonly name: string
  readonly volumes: FleetMedium['stored'][number]['volumes']
  readonly cost: string
}

function mediumRows({ price, stored }: FleetMedium): MediumRow[] {
  return stored.map(({ scheme, volumes, cost }) => ({
    name: scheme ?? 'all as they are',
    volumes,
    cost: cost && price ? costRange({ ...cost, value: cost.high, price }) : '',
  }))
}

const MEDIUM_COLUMNS: readonly TableColumn<MediumRow, string>[] = [
  { heading: 'stored', kind: 'words', of: ({ name }) => name },
  {
    heading: 'volumes',
    kind: 'count',
    of: ({ volumes }) => volumes.value,
    text: ({ volumes }) => countRange(volumes),
  },
]

const COST_COLUMN: TableColumn<MediumRow, string> = {
  heading: 'cost',
  kind: 'count',
  of: () => null,
  text: ({ cost }) => cost,
}

interface GroupRow {
  readonly scheme: string
  readonly name: string
  readonly bytes: number
  readonly figures: FleetScheme['groups'][number]
}

function groupRows(
  { name: scheme, groups: figures }: FleetScheme,
  { groups, by }: Pick<FleetReport, 'groups' | 'by'>,
): GroupRow[] {
  return figures.flatMap((each) => {
    const { name = '', bytes = 0, files = 0 } = groups[each.group] ?? {}
    // The group of contents that no file is named for is empty where there are none.
    if (by !== 'source' && files === 0 && each.unique.kept === 0) return []
    return { scheme, name, bytes, figures: each }
  })
}

function groupColumns(by: FleetReport['by']): readonly TableColumn<GroupRow, string>[] {
  return [
    { heading: by, kind: 'path', of: ({ name }) => name },
    { heading: 'size', kind: 'bytes', of: ({ bytes }) => bytes },
    figureColumn('unique', ({ figures }) => figures.unique),
    figureColumn('adds', ({ figures }) => figures.adds),
    figureColumn('only here', ({ figures }) => figures.onlyHere),
  ]
}

function figureColumn<Row>(heading: string, of: (row: Row) => FleetFigure): TableColumn<Row, string> {
  return { heading, kind: 'bytes', of: (row) => of(row).bytes, text: (row) => figureText(of(row)) }
}

interface PairRow {
  readonly scheme: string
  readonly one: string
  readonly other: string
  readonly shared: FleetFigure
}

const PAIR_COLUMNS: readonly TableColumn<PairRow, string>[] = [
  { heading: 'cut', kind: 'words', of: ({ scheme }) => scheme },
  { heading: 'one', kind: 'path', of: ({ one }) => one },
  { heading: 'other', kind: 'path', of: ({ other }) => other },
  figureColumn('in common', ({ shared }) => shared),
]

interface StepRow {
  readonly scheme: string
  readonly number: number
  readonly name: string
  readonly adds: FleetFigure
  readonly together: FleetFigure
}

function stepColumns(by: FleetReport['by']): readonly TableColumn<StepRow, string>[] {
  return [
    { heading: 'cut', kind: 'words', of: ({ scheme }) => scheme },
    { heading: '', kind: 'ordinal', of: ({ number }) => number },
    { heading: by, kind: 'path', of: ({ name }) => name },
    figureColumn('adds', ({ adds }) => adds),
    figureColumn('together', ({ together }) => together),
  ]
}

interface CopyRow {
  readonly path: string
  readonly copyOf: string
  readonly files: number
  readonly bytes: number
}

const COPY_COLUMNS: readonly TableColumn<CopyRow, string>[] = [
  { heading: 'size', kind: 'bytes', of: ({ bytes }) => bytes },
  { heading: 'files', kind: 'count', of: ({ files }) => files },
  { heading: 'folder', kind: 'path', of: ({ path }) => path },
  { heading: 'is a copy of', kind: 'path', of: ({ copyOf }) => copyOf },
]

/** The tables of a report. */
export const FLEET_TABLES: Readonly<Record<(typeof FLEET_TABLE_NAMES)[number], NamedTable<FleetReport>>> = {
  pairs({ groups, schemes }) {
    const rows = schemes.flatMap(({ name, pairs = [] }) =>
      pairs.map(({ one, other, shared }) => ({
        scheme: name,
        one: groups[one]?.name ?? '',
        other: groups[other]?.name ?? '',
        shared,
      })),
    )
    return rows.length === 0 ? ['No two have anything in common.'] : ownTableLines(PAIR_COLUMNS, rows)
  },
  new({ by, groups, schemes }) {
    const given = schemes.flatMap((scheme) => groupRows(scheme, { groups, by }))
    const steps = schemes.flatMap(({ name, greedy }) =>
      (greedy?.steps ?? []).map(({ group, adds, together }, at) => ({
        scheme: name,
        number: at + 1,
        name: groups[group]?.name ?? '',
        adds,
        together,
      })),
    )
    const cut: TableColumn<GroupRow, string> = { heading: 'cut', kind: 'words', of: ({ scheme }) => scheme }
    return [
      'In the order given:',
      ...ownTableLines([cut, ...groupColumns(by)], given),
      ...(steps.length === 0 ? [] : ['', 'In the best order:', ...ownTableLines(stepColumns(by), steps)]),
    ]
  },
  folders({ folders, sources }) {
    if (!folders) return []
    const { copies, leastBytes, filesWithoutDigest, isCut } = folders
    const placeOf = ({ source, path }: { readonly source: number; readonly path: string }): string =>
      `${sources[source]?.survey ?? ''}:${path}`
    const rows = copies.map((copy): CopyRow => {
      const { files, bytes, of } = copy
      return { path: placeOf(copy), copyOf: placeOf(of), files, bytes }
    })
    return [
      ...(rows.length === 0
        ? [`No folder of ${formatSize(leastBytes)} or more is a copy of another.`]
        : ownTableLines(COPY_COLUMNS, rows)),
      ...(isCut ? ['There are more, of fewer bytes.'] : []),
      ...(filesWithoutDigest > 0
        ? [`${formatCounted(filesWithoutDigest, 'file')} without a SHA-256: their folders are not compared.`]
        : []),
    ]
  },
}
