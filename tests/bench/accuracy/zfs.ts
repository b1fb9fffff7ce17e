/**
 * Forecasts of ZFS against a count by the rules of OpenZFS (`zfsCount.py`, written apart from the forecasts in another language). Run
 * with Node 24 after the command line has been built:
 * node tests/bench/accuracy/zfs.ts [--set collections] [--samples normal] [--all] [--markdown]
 * Both leave out pointers, dnodes and the table itself. Needs python3, liblz4 and libzstd.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { SurveyDocument } from '../../../src/contract/dto/survey'
import { CACHE, median, percent, withBundle } from './bundled.ts'

const COMMAND = resolve(import.meta.dirname, '../../../dist/cli/stowage.cjs')
const COUNT = join(import.meta.dirname, 'zfsCount.py')
const KIB = 1024
/** Rows that the table in the docs has. */
const SHOWN = new Set([2 * KIB, 16 * KIB, 128 * KIB, 1024 * KIB, 16 * 1024 * KIB])

const { values: given } = parseArgs({
  options: {
    set: { type: 'string', default: 'collections' },
    samples: { type: 'string', default: 'normal' },
    all: { type: 'boolean', default: false },
    markdown: { type: 'boolean', default: false },
  },
})

interface Counted {
  readonly recordBytes: number
  readonly sectorBytes: number
  readonly codec: string
  readonly onceBytes: number
  readonly allBytes: number
  readonly entries: number
  readonly records: number
}

interface Row {
  readonly name: string
  readonly recordBytes: number
  readonly sectorBytes: number
  readonly codec: string
  readonly once: boolean
  readonly forecast: { readonly value: number; readonly low: number; readonly high: number }
  readonly counted: number
  readonly entries: { readonly value: number; readonly low: number; readonly high: number } | null
  readonly countedEntries: number
}

mkdirSync(CACHE, { recursive: true })
const home = mkdtempSync(join(CACHE, 'home-'))
try {
  await withBundle('zfsRows.ts', async (bench: typeof import('./zfsRows.ts')) => {
    const folder = bench.setFolder(CACHE, given.set)
    const survey = surveyed(folder)
    const counted = JSON.parse(
      execFileSync('python3', [COUNT, folder], { encoding: 'utf8', maxBuffer: 2 ** 26 }),
    ) as Counted[]
    const facts = bench.factsOf(survey, folder, 2)
    const rows = counted.flatMap((one) =>
      bench
        .zfsDatasets(facts, one.sectorBytes === 512 ? 512 : 4096)
        .filter((each) => each.recordBytes === one.recordBytes && (each.codec ?? 'off') === one.codec)
        .map(({ data, table }): Row => {
          const once = table !== null
          return {
            name: `${one.recordBytes / KIB} KiB ${one.codec}${once ? ', deduplicated' : ''}, sectors of ${one.sectorBytes} B`,
            recordBytes: one.recordBytes,
            sectorBytes: one.sectorBytes,
            codec: one.codec,
            once,
            forecast: data,
            counted: once ? one.onceBytes : one.allBytes,
            entries: table,
            countedEntries: one.entries,
          }
        }),
    )
    tell(survey, rows)
  })
} finally {
  rmSync(home, { recursive: true })
}

function surveyed(folder: string): SurveyDocument {
  const sizes = ['512', '2MiB', '4MiB', '8MiB', '16MiB'].flatMap((size) => ['--block-size', size])
  const args = [COMMAND, 'survey', folder, '--samples', given.samples, ...sizes, '--json']
  const env = { ...process.env, STOWAGE_HOME: home }
  const text = execFileSync(process.execPath, args, {
    env,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: 'pipe',
  })
  return JSON.parse(text) as SurveyDocument
}

function tell(survey: SurveyDocument, rows: readonly Row[]): void {
  const errorOf = ({ forecast, counted }: Row): number => forecast.value / counted - 1
  const holds = ({ forecast, counted }: Row): boolean => counted >= forecast.low && counted <= forecast.high
  const mega = (bytes: number): string => `${(bytes / 1e6).toFixed(2)} MB`
  const shown = given.all
    ? rows
    : rows.filter(
        ({ recordBytes, codec, once }) =>
          SHOWN.has(recordBytes) && once && ['off', 'lz4', 'gzip-9'].includes(codec),
      )
  console.log(
    `${given.set}: ${mega(survey.totals.bytes)}, ${survey.totals.files} files, samples ${given.samples}`,
  )
  for (const row of shown) {
    const { low, high, value } = row.forecast
    const cells = [
      row.name,
      `${mega(value)} (${(low / 1e6).toFixed(2)} to ${(high / 1e6).toFixed(2)})`,
      mega(row.counted),
      percent(errorOf(row)).trim(),
      holds(row) ? '' : 'OUTSIDE',
    ]
    console.log(given.markdown ? `| ${cells.slice(0, 4).join(' | ')} |` : cells.join('  '))
  }
  for (const kind of ['off', 'lz4', 'zstd-3', 'gzip-6', 'gzip-9']) {
    for (const once of [true, false]) {
      const own = rows.filter((row) => row.codec === kind && row.once === once)
      if (own.length === 0) continue
      const errors = own.map((row) => Math.abs(errorOf(row)))
      const worst = own.toSorted((a, b) => Math.abs(errorOf(b)) - Math.abs(errorOf(a)))[0] as Row
      console.log(
        `${kind}${once ? ', deduplicated' : ''}: ${own.length} rows, median error ${percent(median(errors)).trim()}, worst ` +
          `${percent(errorOf(worst)).trim()} (${worst.name}), ${own.filter(holds).length} within their range`,
      )
    }
  }
  const tables = rows.flatMap(({ entries, countedEntries }) => (entries ? [{ entries, countedEntries }] : []))
  const inside = tables.filter(
    ({ entries, countedEntries }) => countedEntries >= entries.low && countedEntries <= entries.high,
  )
  const off = tables.map(({ entries, countedEntries }) => Math.abs(entries.value / countedEntries - 1))
  console.log(
    `table entries: ${tables.length} rows, median error ${percent(median(off)).trim()}, ${inside.length} within their range`,
  )
}
