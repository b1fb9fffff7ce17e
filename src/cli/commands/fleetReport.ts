import os from 'node:os'
import process from 'node:process'
import type { TableColumn } from '../../contract/tables/declaredTable'
import type { FleetFigure, FleetReport, FleetScheme } from '../../domain/fleet/fleetReport'
import { DUCKDB_BYTES, duckdbVersion } from '../../engine/fleet/duckdbPlace'
import { absolutePath } from '../../files/absolutePath'
import { AppError } from '../../primitives/appError'
import { parseSize } from '../../primitives/bytes'
import { EXIT } from '../../primitives/exitCode'
import { pathForDisplay } from '../../primitives/pathText'
import { formatCount, formatCounted } from '../../primitives/quantity'
import { readArguments } from '../arguments'
import { FLEET_REPORT, type FLEET_TABLE_NAMES } from '../declarations/fleet'
import { askYesOrNo } from '../questions'
import { openSession } from '../session'
import { openSettings } from '../settings'
import { type NamedTable, namedTables, printTables } from '../shape/namedTables'
import { formatSize, formatSizeRange } from '../shape/sizes'
import { ownTableLines } from '../shape/tableLines'
import type { Terminal } from '../terminal'

/** `fleet report`: what the sources of many fingerprints have in common. */
export async function fleetReportCommand(args: readonly string[], out: Terminal): Promise<number> {
  const { values, positionals } = readArguments(args, FLEET_REPORT)
  if (positionals.length === 0) throw new AppError('usage', 'give a folder of fingerprints')
  const names = values.table ?? []
  const tables = namedTables(TABLES, names)
  const settings = await openSettings(out)
  const maxMemory = settings.used('max-memory', { option: '--max-memory', text: values['max-memory'] })
  await using session = openSession(out, { canDoWithout: true })
  const place = session.fleet.duckdb(out.surroundings.env['STOWAGE_DUCKDB'])
  if (place === null && !values.yes) await askToInstall(out)
  const request = {
    folders: positionals.map((path) => absolutePath(path)),
    schemes: values.scheme ?? [],
    tables: names.filter((name) => name === 'pairs'),
    bounds: {
      memoryBytes: parseSize(maxMemory.value),
      threads: Math.max(1, Math.min(8, os.availableParallelism())),
    },
  }
  const report = session.fleet.reported(await session.run(() => session.fleet.report(request, place)))
  out.document(report)
  if (tables.length > 0) await printTables(report, tables, out)
  else printReport(report, out)
  return EXIT.done
}

/** @throws AppError `tool-missing` where nobody can be asked; `cancelled` for no */
async function askToInstall(out: Terminal): Promise<void> {
  const what = `DuckDB ${duckdbVersion()} with npm (${formatSize(DUCKDB_BYTES)} in the data folder)`
  if (!out.isInteractive || !process.stdin.isTTY)
    throw new AppError(
      'tool-missing',
      `DuckDB is not there: give --yes to install ${what}, or let STOWAGE_DUCKDB name a folder that has it`,
    )
  if (!(await askYesOrNo(`Install ${what}?`, out))) throw new AppError('cancelled', 'nothing was installed')
}

/** `share 1/1,024`. */
function shareText(shift: number): string {
  return shift === 0 ? '1' : `1/${formatCount(2 ** shift)}`
}

function figureText({ bytes, low, high, provenance }: FleetFigure): string {
  return provenance === 'exact' ? formatSize(bytes) : formatSizeRange(bytes, low, high)
}

function printReport(report: FleetReport, out: Terminal): void {
  const { sources, schemes, key } = report
  for (const { survey, folder, files, bytes } of sources)
    out.line(`${survey}  ${pathForDisplay(folder)}: ${formatCounted(files, 'file')}, ${formatSize(bytes)}`)
  out.line()
  out.line(`  ${key === null ? 'hashes without a key' : `hashes with the key ${key}`}`)
  out.line()
  out.lines(ownTableLines(SCHEME_COLUMNS, schemes), '  ')
  const differing = schemes.filter(({ sharesDiffer }) => sharesDiffer)
  if (differing.length > 0)
    out.note(
      `the surveys kept different shares of ${differing.map(({ name }) => name).join(', ')}: ` +
        'they are compared at the smaller one, which is shown',
    )
}

const SCHEME_COLUMNS: readonly TableColumn<FleetScheme, string>[] = [
  { heading: 'scheme', kind: 'words', of: ({ name }) => name },
  { heading: 'share', kind: 'words', of: ({ shift }) => shareText(shift) },
  { heading: 'sources', kind: 'count', of: ({ sources }) => sources.length },
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

interface PairRow {
  readonly scheme: string
  readonly one: string
  readonly other: string
  readonly shared: FleetFigure
}

const PAIR_COLUMNS: readonly TableColumn<PairRow, string>[] = [
  { heading: 'scheme', kind: 'words', of: ({ scheme }) => scheme },
  { heading: 'one', kind: 'words', of: ({ one }) => one },
  { heading: 'other', kind: 'words', of: ({ other }) => other },
  {
    heading: 'in common',
    kind: 'bytes',
    of: ({ shared }) => shared.bytes,
    text: ({ shared }) => figureText(shared),
  },
]

const TABLES: Readonly<Record<(typeof FLEET_TABLE_NAMES)[number], NamedTable<FleetReport>>> = {
  pairs: ({ sources, schemes }) =>
    ownTableLines(
      PAIR_COLUMNS,
      schemes.flatMap(({ name, pairs = [] }) =>
        pairs.map(({ one, other, shared }) => ({
          scheme: name,
          one: sources[one]?.survey ?? '',
          other: sources[other]?.survey ?? '',
          shared,
        })),
      ),
    ),
}
