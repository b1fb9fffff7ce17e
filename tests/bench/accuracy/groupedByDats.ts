/**
 * Forecasts of archives by DATs against real builds of made-up collections, by the command itself, and of the blocks of 7z archives
 * against a count. Run with Node 24 after the command line has been built: node tests/bench/accuracy/groupedByDats.ts [--sets cartridges,discs] [--seeds 1] [--options 7z-dat] [--layout non-merged] [--json FILE]
 * The first collection is planned, built, verified and restored with each option, too. Needs python3.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { OptionBuild, OptionsDocument } from '../../../src/contract/dto/options'
import type { SurveyDocument } from '../../../src/contract/dto/survey'
import { rounded, writeResult } from '../writeResult.ts'
import { CACHE, median, percent, withBundle } from './bundled.ts'
import { storeBytes } from './proofStore.ts'

type Bench = typeof import('./datCollections.ts')

const COMMAND = resolve(import.meta.dirname, '../../../dist/cli/stowage.cjs')
const OPTIONS = ['7z-dat', '7z-dat-split', '7z-t7z-files', 'torrentzip-dat', 'torrentzip-sets']
const NON_MERGED = '7z-dat-nonmerged'
const BLOCKS = [2, 4, 128]
const BLOCKED = ['7z-dat', '7z-dat-split', NON_MERGED, '7z-t7z-files'].flatMap((option) =>
  BLOCKS.map((kib) => `${option}+blocks-${kib}k`),
)

const { values: given } = parseArgs({
  options: {
    sets: { type: 'string' },
    seeds: { type: 'string', default: '1' },
    options: { type: 'string', default: OPTIONS.join(',') },
    layout: { type: 'string' },
    json: { type: 'string' },
  },
})
const BUILT = given.options.split(',')

interface Row {
  readonly set: string
  readonly seed: number
  readonly option: string
  readonly files: number
  readonly bytes: number
  readonly forecastBytes: number
  readonly lowBytes: number
  readonly highBytes: number
  readonly actualBytes: number
}

const rows: Row[] = []
const restored: string[] = []
const errorOf = ({ forecastBytes, actualBytes }: Row): number => forecastBytes / actualBytes - 1
const holds = ({ lowBytes, highBytes, actualBytes }: Row): boolean =>
  lowBytes <= actualBytes && actualBytes <= highBytes

mkdirSync(CACHE, { recursive: true })
const place = mkdtempSync(join(tmpdir(), 'stowage-by-dats-'))
try {
  await withBundle('datCollections.ts', async (bench: Bench) => {
    const names = given.sets?.split(',') ?? Object.keys(bench.DAT_COLLECTIONS)
    for (const name of names)
      for (let seed = 1; seed <= Number(given.seeds); seed++)
        compare(bench, name, seed, name === names[0] && seed === 1)
  })
} finally {
  rmSync(place, { recursive: true, force: true })
}
const errors = rows.map((row) => Math.abs(errorOf(row)))
for (const option of [...OPTIONS, NON_MERGED, ...BLOCKED]) {
  const own = rows.filter((row) => row.option === option)
  if (own.length === 0) continue
  const ofIt = own.map((row) => Math.abs(errorOf(row)))
  console.log(
    `${option}: ${own.length} builds, median |error| ${percent(median(ofIt))}, worst ${percent(Math.max(...ofIt))}, ranges that held: ${own.filter(holds).length}`,
  )
}
console.log(
  `\n${rows.length} builds on ${cpus()[0]?.model}: median |error| ${percent(median(errors))}; came back equal: ${restored.join(', ')}`,
)
if (given.json !== undefined)
  writeResult(given.json, {
    question: 'How far off are forecasts of one 7z per parent with clones, and per ROM set?',
    rows: rows.map((row) => ({ ...row, errorPercent: rounded(100 * errorOf(row), 2), held: holds(row) })),
    notes: [
      'Made-up collections; forecasts of archives were tuned on none of them, those of blocks on some. Normal samples, built by the command.',
      `Planned, built, verified and restored equal: ${restored.join(', ')}.`,
    ],
  })

function run(args: readonly string[], home: string): string {
  return execFileSync(process.execPath, [COMMAND, ...args], {
    env: { ...process.env, STOWAGE_HOME: home },
    stdio: ['ignore', 'pipe', 'ignore'],
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  })
}

function compare(bench: Bench, name: string, seed: number, isRestored: boolean): void {
  const folder = join(place, `${name}-${seed}`)
  const [source, home, dat] = [join(folder, 'source'), join(folder, 'home'), join(folder, 'made.dat')]
  mkdirSync(source, { recursive: true })
  const { layout } = given
  writeFileSync(dat, bench.makeDatCollection(source, name, 1000 * seed + 17, layout !== undefined))
  const laidOut = layout === undefined ? [] : ['--layout', layout]
  const words = ['survey', source, '--dat', dat, ...laidOut, '--json']
  const survey = JSON.parse(run(words, home)) as SurveyDocument
  const listed = JSON.parse(run(['options', '--survey', survey.id, '--json'], home)) as OptionsDocument
  for (const option of BUILT) {
    const out = join(folder, option)
    const asked = ['options', 'build', option, '--survey', survey.id, '--out', out, '--json']
    const { forecast, actual } = JSON.parse(run(asked, home)) as OptionBuild
    note({ set: name, seed, option }, survey, forecast.bytes, actual.bytes)
    for (const kib of option.startsWith('7z') ? BLOCKS : []) {
      const blocked = `${option}+blocks-${kib}k`
      const { bytes } = listed.options.find(({ variant }) => variant === blocked)?.estimate ?? forecast
      note({ set: name, seed, option: blocked }, survey, bytes, storeBytes(out, 1024 * kib))
    }
    if (isRestored && !option.startsWith('torrentzip')) restore(option, survey.id, { folder, source, home })
  }
  rmSync(folder, { recursive: true, force: true })
}

function note(
  of: Pick<Row, 'set' | 'seed' | 'option'>,
  { totals }: SurveyDocument,
  { value, low, high }: OptionBuild['forecast']['bytes'],
  actualBytes: number,
): void {
  const { files, bytes } = totals
  const row = { ...of, files, bytes, forecastBytes: value, lowBytes: low, highBytes: high, actualBytes }
  rows.push(row)
  const mega = (size: number): string => (size / 1e6).toFixed(2).padStart(7)
  console.log(
    `${of.set.padEnd(11)} ${of.seed} ${of.option.padEnd(24)} ${String(files).padStart(4)} files, ${mega(bytes)} MB: forecast ${mega(value)} (${mega(low)} to ${mega(high)}), actual ${mega(actualBytes)}, error ${percent(errorOf(row))} ${holds(row) ? 'held' : 'NOT HELD'}`,
  )
}

/** Plans, builds, verifies and restores on discs, and compares each file. */
function restore(
  option: string,
  surveyId: string,
  { folder, source, home }: { folder: string; source: string; home: string },
): void {
  const plan = join(folder, `plan ${option}`)
  run(['plan', '--survey', surveyId, '--option', option, '--medium', 'custom:3MB', '--out', plan], home)
  run(['build', plan], home)
  run(['verify', plan], home)
  const images = readdirSync(join(plan, 'images')).filter((file) => file.endsWith('.iso'))
  const to = join(folder, `back ${option}`)
  run(['restore', ...images.map((file) => join(plan, 'images', file)), '--to', to], home)
  const below = join(to, readdirSync(to).find((entry) => entry === 'source') ?? '')
  for (const path of filesBelow(source))
    if (!readFileSync(join(below, path)).equals(readFileSync(join(source, path))))
      throw new Error(`${path} differs`)
  restored.push(`${option} (${images.length} discs)`)
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
}
