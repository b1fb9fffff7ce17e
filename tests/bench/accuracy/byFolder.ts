/**
 * Forecasts of options by folder against real builds of made-up collections, two in one source, by the command itself.
 * Run with Node 24 after the command line has been built: node tests/bench/accuracy/byFolder.ts [--pairs cartridges+boards,…] [--seeds 1] [--json FILE]
 * All files have one type, so nothing tells the forecast how much better one folder packs than the other.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { OptionBuild } from '../../../src/contract/dto/options'
import type { SurveyDocument } from '../../../src/contract/dto/survey'
import { rounded, writeResult } from '../writeResult.ts'
import { CACHE, median, percent, withBundle } from './bundled.ts'

type Bench = typeof import('./datCollections.ts')

const COMMAND = resolve(import.meta.dirname, '../../../dist/cli/stowage.cjs')
/** A `=` behind a pair: the second folder has every other ROM set of the first one, too. */
const PAIRS = [
  'cartridges+boards',
  'handhelds+floppies',
  'hacks+discs',
  'packed+adventures',
  'floppies+boards=',
]
const RULES = [
  ['Cowering/**=7z-dat', '*=7z-t7z-files'],
  ['Cowering/**=7z-t7z-files', '*=files-zstd-19'],
  ['Cowering/**=torrentzip-sets', '*=7z-dat'],
] as const

const { values: given } = parseArgs({
  options: { pairs: { type: 'string' }, seeds: { type: 'string', default: '1' }, json: { type: 'string' } },
})

interface Row {
  readonly pair: string
  readonly seed: number
  readonly rules: string
  readonly forecastBytes: number
  readonly lowBytes: number
  readonly highBytes: number
  readonly actualBytes: number
}

const rows: Row[] = []
const errorOf = ({ forecastBytes, actualBytes }: Row): number => forecastBytes / actualBytes - 1
const holds = ({ lowBytes, highBytes, actualBytes }: Row): boolean =>
  lowBytes <= actualBytes && actualBytes <= highBytes
const widthOf = ({ lowBytes, highBytes, forecastBytes }: Row): number =>
  (highBytes - lowBytes) / 2 / forecastBytes

mkdirSync(CACHE, { recursive: true })
const place = mkdtempSync(join(tmpdir(), 'stowage-by-folder-'))
try {
  await withBundle('datCollections.ts', async (bench: Bench) => {
    for (const pair of given.pairs?.split(',') ?? PAIRS)
      for (let seed = 1; seed <= Number(given.seeds); seed++) compare(bench, pair, seed)
  })
} finally {
  rmSync(place, { recursive: true, force: true })
}
const errors = rows.map((row) => Math.abs(errorOf(row)))
console.log(
  `\n${rows.length} builds on ${cpus()[0]?.model}: median |error| ${percent(median(errors))}, worst ${percent(Math.max(...errors))}, ` +
    `ranges that held: ${rows.filter(holds).length}, median half width ${percent(median(rows.map(widthOf)))}`,
)
if (given.json !== undefined)
  writeResult(given.json, {
    question: 'How far off are forecasts of options by folder?',
    rows: rows.map((row) => ({ ...row, errorPercent: rounded(100 * errorOf(row), 2), held: holds(row) })),
    notes: ['Made-up collections, two folders in each source, all files of one type; normal samples.'],
  })

function run(args: readonly string[], home: string): string {
  return execFileSync(process.execPath, [COMMAND, ...args], {
    env: { ...process.env, STOWAGE_HOME: home },
    stdio: ['ignore', 'pipe', 'ignore'],
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  })
}

function compare(bench: Bench, pair: string, seed: number): void {
  const folder = join(place, `${pair}-${seed}`)
  const [source, home] = [join(folder, 'source'), join(folder, 'home')]
  const [one = '', other = ''] = pair.replace('=', '').split('+')
  const dats = [
    ['Cowering', one],
    ['TOSEC', other],
  ].flatMap(([at = '', name = ''], second) => {
    mkdirSync(join(source, at), { recursive: true })
    const dat = join(folder, `${name}.dat`)
    writeFileSync(dat, bench.makeDatCollection(join(source, at), name, 1000 * seed + 17 + second))
    return ['--dat', dat]
  })
  if (pair.endsWith('='))
    for (const [at, entry] of readdirSync(join(source, 'Cowering', one))
      .toSorted()
      .entries())
      if (at % 2 === 0)
        cpSync(join(source, 'Cowering', one, entry), join(source, 'TOSEC', one, entry), {
          recursive: true,
        })
  const { id } = JSON.parse(run(['survey', source, ...dats, '--json'], home)) as SurveyDocument
  for (const rules of RULES) {
    const words = rules.flatMap((rule) => ['--option-for', rule])
    const build = [
      'options',
      'build',
      ...words,
      '--survey',
      id,
      '--out',
      join(folder, 'built'),
      '--discard',
      '--json',
    ]
    const { forecast, actual } = JSON.parse(run(build, home)) as OptionBuild
    const { value, low, high } = forecast.bytes
    const row = {
      pair,
      seed,
      rules: rules.join(' '),
      forecastBytes: value,
      lowBytes: low,
      highBytes: high,
      actualBytes: actual.bytes,
    }
    rows.push(row)
    const mega = (size: number): string => (size / 1e6).toFixed(2)
    console.log(
      `${pair} ${seed} ${row.rules}: forecast ${mega(value)} (${mega(low)} to ${mega(high)}), actual ${mega(actual.bytes)}, error ${percent(errorOf(row))} ${holds(row) ? 'held' : 'NOT HELD'}`,
    )
  }
  rmSync(folder, { recursive: true, force: true })
}
