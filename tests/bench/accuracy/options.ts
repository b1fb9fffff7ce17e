/**
 * Forecasts of options against real builds of them. Run with Node 24 after the command line has been built:
 * node tests/bench/accuracy/options.ts [--sets media,source,releases,logs,tiny,disk] [--samples normal] [--rounds 3] [--variants a,b,…]
 * [--markdown] [--save FOLDER]
 * Every set is surveyed and every variant is built by the command itself; sizes, times and memory that were forecast stand beside
 * what came. All of it is done in rounds, each with a survey of its own (long builds in the first alone), and the middle error of
 * each figure counts. Two methods that are alike come apart by chance in one of ten pairs of three rounds, and in one of 126 of five.
 * What was built is removed when all is done: ext4 looks at every inode that was freed within the last minutes before it gives one
 * to a new file (recently_deleted in fs/ext4/ialloc.c), so that files made after thousands were removed took four times as long.
 * `--learn` lets each build teach the forecasts of the next ones, as it does for a person; without it every round begins with an empty
 * catalog that knows one measurement of the disk. `--save FOLDER` keeps surveys and builds of each set as JSON, for fitting models to;
 * `--against FOLDER` builds nothing and holds new forecasts of sizes against what such a run built with normal samples. Needs python3,
 * borg, restic and mksquashfs.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { OptionBuild, OptionsDocument } from '../../../src/contract/dto/options'
import type { SurveyDocument } from '../../../src/contract/dto/survey'
import { CACHE, median, percent, withBundle } from './bundled.ts'
import { storeBytes } from './proofStore.ts'

const COMMAND = resolve(import.meta.dirname, '../../../dist/cli/stowage.cjs')
const FIGURES = ['bytes', 'buildSeconds', 'ramBytes'] as const
type Figure = (typeof FIGURES)[number]

/** At least ten of every source, one of each kind of reduction and container that can be built here. */
const VARIANTS = [
  'plain',
  'plain-hardlinks',
  'iso',
  'udzo',
  'files-gzip-6',
  'files-zstd-3',
  'files-zstd-19',
  '7z-files',
  '7z-solid-64m-path',
  '7z-solid-64m-content',
  '7z-titles',
  '7z-titles+files',
  'tar-zst-19-64m-path',
  'squashfs-gzip-128k',
  'squashfs-zstd-3-128k',
  'borg-1-none',
  'borg-1-zstd-3',
  'restic-off',
  'restic-auto',
]

/** Proof stores: nothing builds them, so their sizes alone are counted, of the source's files or of its archives by title. */
const STORES = ['blocks-4k', 'blocks-128k', '7z-titles+blocks-4k']

const { values: given } = parseArgs({
  options: {
    sets: { type: 'string', default: 'media,source,releases,logs,tiny,disk' },
    samples: { type: 'string', default: 'normal' },
    rounds: { type: 'string', default: '3' },
    variants: { type: 'string', default: [...VARIANTS, ...STORES].join(',') },
    learn: { type: 'boolean', default: false },
    markdown: { type: 'boolean', default: false },
    save: { type: 'string' },
    against: { type: 'string' },
  },
})

/** Builds shorter than this are made in every round. */
const SHORT_SECONDS = 12
const ROUNDS = Number(given.rounds)

/** Methods that came this close together have no order. */
const SAME_SHARE = 0.05

interface Row {
  readonly set: string
  readonly family: string
  readonly figure: Figure
  readonly error: number
  readonly plainError: number
  readonly half: number
  readonly held: boolean
}

mkdirSync(CACHE, { recursive: true })
const rows: Row[] = []
const homes: string[] = []
let home = newHome()
let built = 0
await withBundle('forecastSet.ts', async (bench: typeof import('./forecastSet.ts')) => {
  for (const name of given.sets.split(',')) {
    if (!given.learn && rows.length > 0) home = newHome()
    compareSet(name, bench.setFolder(CACHE, name))
  }
})
for (const made of homes) rmSync(made, { recursive: true })
summary()

/** A catalog that knows the disk. */
function newHome(): string {
  const made = mkdtempSync(join(CACHE, 'home-'))
  homes.push(made)
  stowage(made, ['measure', CACHE, '--preset', 'quick'])
  return made
}

function stowage(dataDir: string, args: string[]): unknown {
  const env = { ...process.env, STOWAGE_HOME: dataDir }
  const stdio: ('ignore' | 'pipe' | 'inherit')[] = ['ignore', 'pipe', 'pipe']
  const text = execFileSync(process.execPath, [COMMAND, ...args, '--json'], {
    env,
    stdio,
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  })
  return JSON.parse(text)
}

function compareSet(name: string, folder: string): void {
  if (given.against !== undefined) {
    const now = surveyed(folder)
    tellHead(name, now)
    for (const build of builtBefore(given.against, name, now.known)) tell(name, build)
    return
  }
  const rounds = roundsOf(name, folder)
  const [{ survey, known }] = rounds as [Round]
  tellHead(name, { survey, known })
  const methods = wanted(known).map((variant) => ({ variant, builds: builtIn(rounds, variant) }))
  const builds = methods.map((method) => middleBuild(method.builds))
  for (const build of builds) tell(name, build)
  tellStores(name, folder, { survey, known })
  if (given.save !== undefined) {
    mkdirSync(given.save, { recursive: true })
    writeFileSync(
      join(given.save, `${name}-${given.samples}.json`),
      JSON.stringify({ survey, known, builds, rounds }),
    )
  }
  // The order of one table, the middle one of each round's: every build has a forecast of its own moment.
  const listed = (variant: string, figure: Figure): number => {
    const values = rounds.map((round) => {
      const option = round.known.options.find((one) => one.variant === variant)
      if (!option) throw new Error(`${name}: ${variant} was built and is not listed`)
      return option.estimate[figure].value
    })
    return median(values) ?? 0
  }
  for (const [what, figure] of [
    ['size', 'bytes'],
    ['time', 'buildSeconds'],
  ] as const) {
    const compared = methods.map(({ variant, builds: made }) => ({
      variant,
      forecast: listed(variant, figure),
      actual: made.map((build) => build.actual[figure]),
    }))
    tellOrder(what, compared)
  }
}

function tellHead(name: string, { survey, known }: Surveyed): void {
  const { files, bytes } = survey.totals
  console.log(
    `\n${name}, ${given.samples} samples: ${files} files, ${(bytes / 1e6).toFixed(1)} MB; ${known.options.length} options, ${wanted(known).length} built`,
  )
  console.log(line(['option', 'figure', 'forecast', '95 %', 'actual', 'error', 'held']))
  if (given.markdown) console.log('|---|---|---|---|---|---|---|')
}

interface Surveyed {
  readonly survey: SurveyDocument
  readonly known: OptionsDocument
}

interface Round extends Surveyed {
  readonly builds: readonly OptionBuild[]
}

function surveyed(folder: string): Surveyed {
  const survey = stowage(home, ['survey', folder, '--samples', given.samples]) as SurveyDocument
  return { survey, known: stowage(home, ['options', '--survey', survey.id]) as OptionsDocument }
}

function wanted(known: OptionsDocument): string[] {
  return given.variants
    .split(',')
    .filter((variant) => known.options.some((option) => option.variant === variant && option.build.possible))
}

/**
 * The pace of a machine that others use changes within minutes: forecast and fact take turns. Each round measures the disk, surveys the
 * source anew and builds; what took long is built in the first alone.
 */
function roundsOf(name: string, folder: string): Round[] {
  const rounds: Round[] = []
  for (let round = 0; round < ROUNDS; round++) {
    if (round > 0 && !given.learn) home = newHome()
    const { survey, known } = surveyed(folder)
    const short = (variant: string): boolean =>
      rounds.every(({ builds }) =>
        builds.some((build) => build.variant === variant && build.actual.buildSeconds < SHORT_SECONDS),
      )
    const builds = wanted(known)
      .filter(short)
      .map((variant) => {
        const path = join(home, `made-${++built}`)
        const args = ['options', 'build', variant, '--survey', survey.id, '--out', path]
        return stowage(home, args) as OptionBuild
      })
    rounds.push({ survey, known, builds })
    process.stderr.write(`${name}: round ${round + 1} of ${ROUNDS} done\n`)
  }
  return rounds
}

function builtIn(rounds: readonly Round[], variant: string): OptionBuild[] {
  return rounds.flatMap(({ builds }) => builds.filter((build) => build.variant === variant))
}

/** Of each figure forecast, range and fact of the round whose error is the middle one. */
function middleBuild(builds: readonly OptionBuild[]): OptionBuild {
  const [first] = builds as [OptionBuild]
  const of = (figure: Figure): OptionBuild => {
    const ratio = ({ forecast, actual }: OptionBuild): number =>
      forecast[figure].value / (actual[figure] || 1)
    const sorted = builds.toSorted((one, other) => ratio(one) - ratio(other))
    return sorted[Math.floor((sorted.length - 1) / 2)] as OptionBuild
  }
  const bytes = of('bytes')
  const seconds = of('buildSeconds')
  const ram = of('ramBytes')
  const part = <K extends 'forecast' | 'uncalibrated' | 'actual'>(key: K): OptionBuild[K] => ({
    ...first[key],
    bytes: bytes[key].bytes,
    buildSeconds: seconds[key].buildSeconds,
    ramBytes: ram[key].ramBytes,
  })
  return { ...first, forecast: part('forecast'), uncalibrated: part('uncalibrated'), actual: part('actual') }
}

/** The wanted builds of an earlier run, beside the forecasts of their sizes from now. */
function builtBefore(folder: string, name: string, known: OptionsDocument): OptionBuild[] {
  const saved = JSON.parse(readFileSync(join(folder, `${name}-normal.json`), 'utf8')) as {
    builds: OptionBuild[]
  }
  const again = saved.builds.filter(({ variant }) => given.variants.split(',').includes(variant))
  const forecastNow = (build: OptionBuild): OptionBuild => {
    const bytes = known.options.find(({ variant }) => variant === build.variant)?.estimate.bytes
    if (!bytes) throw new Error(`${name}: ${build.variant} was built and is not forecast any more`)
    return {
      ...build,
      forecast: { ...build.forecast, bytes },
      uncalibrated: { ...build.uncalibrated, bytes: bytes.value },
    }
  }
  return again.map(forecastNow)
}

/**
 * Of all pairs of methods that differ, how many were forecast in the order in which they came; and those that were not. Each may have
 * come several times: two have an order where all of the one are less than all of the other, and the middle ones differ.
 */
function tellOrder(what: string, methods: readonly Method[]): void {
  const middle = ({ actual }: Method): number => median(actual) ?? 0
  let pairs = 0
  const wrong: string[] = []
  methods.forEach((one, index) => {
    for (const other of methods.slice(index + 1)) {
      const ratio = middle(one) / middle(other)
      const [less, more] = ratio < 1 ? [one, other] : [other, one]
      const meet = Math.max(...less.actual) >= Math.min(...more.actual)
      if (meet || Math.abs(Math.log(ratio)) < Math.log1p(SAME_SHARE)) continue
      pairs++
      if (less.forecast > more.forecast) wrong.push(`${less.variant} and ${more.variant}`)
    }
  })
  const order = methods.toSorted((one, other) => middle(one) - middle(other)).map(({ variant }) => variant)
  console.log(`by ${what} as built: ${order.join(', ')}`)
  console.log(
    `by ${what}: ${pairs - wrong.length} of ${pairs} pairs that differ each time, and by more than ${SAME_SHARE * 100} %, in the order that was forecast${wrong.length > 0 ? `; not ${wrong.join('; ')}` : ''}`,
  )
}

interface Method {
  readonly variant: string
  readonly forecast: number
  /** Of each time that it was built. */
  readonly actual: readonly number[]
}

function tell(set: string, build: OptionBuild): void {
  for (const figure of given.against === undefined ? FIGURES : (['bytes'] as const)) {
    const [forecast, actual] = [build.forecast[figure], build.actual[figure]]
    if (actual === null || actual === 0) continue
    tellFigure(set, build, { figure, forecast, plain: build.uncalibrated[figure], actual })
  }
}

function tellFigure(
  set: string,
  { variant, family }: Pick<OptionBuild, 'variant' | 'family'>,
  reported: { figure: Figure; forecast: OptionBuild['forecast'][Figure]; plain: number; actual: number },
): void {
  const { figure, plain, actual } = reported
  const { value, low, high } = reported.forecast
  const held = low <= actual && actual <= high
  const error = value / actual - 1
  rows.push({
    set,
    family,
    figure,
    error,
    plainError: plain / actual - 1,
    half: (high - low) / 2 / actual,
    held,
  })
  const text = (each: number): string =>
    figure === 'buildSeconds' ? `${each.toFixed(2)} s` : `${(each / 1e6).toFixed(2)} MB`
  const range = `${text(low)} to ${text(high)}`
  console.log(
    line([variant, figure, text(value), range, text(actual), percent(error).trim(), held ? 'yes' : 'NO']),
  )
}

/** Counts the sizes of the proof stores that were asked for. */
function tellStores(set: string, folder: string, { survey, known }: Surveyed): void {
  let titles: string | null = null
  for (const option of known.options) {
    const { variant, family, medium, estimate } = option
    const blocks = /^(7z-titles\+)?blocks-(\d+)([km]?)$/.exec(variant)
    if (!blocks || medium !== 'disk' || !given.variants.split(',').includes(variant)) continue
    const blockBytes = Number(blocks[2]) * { '': 1, k: 1024, m: 1024 ** 2 }[blocks[3] as '' | 'k' | 'm']
    if (blocks[1] !== undefined && titles === null) {
      titles = join(home, `made-${++built}`)
      stowage(home, ['options', 'build', '7z-titles', '--survey', survey.id, '--out', titles])
    }
    const actual = storeBytes(blocks[1] === undefined ? folder : (titles as string), blockBytes)
    const forecast = estimate.bytes
    tellFigure(set, { variant, family }, { figure: 'bytes', forecast, plain: forecast.value, actual })
  }
}

function line(cells: readonly string[]): string {
  if (given.markdown) return `| ${cells.join(' | ')} |`
  const widths = [22, 13, 11, 26, 11, 9, 4]
  return cells
    .map((cell, index) => cell.padStart(index < 2 ? 0 : (widths[index] ?? 0)).padEnd(widths[index] ?? 0))
    .join(' ')
}

/** What is expected of each family: solid archives 10 %, repositories 3 %, the others as codecs. */
function limitOf({ family, figure }: Row): number {
  if (figure !== 'bytes') return 0.15
  if (['borg', 'restic', 'kopia'].includes(family)) return 0.03
  if (['seven-zip-solid', 'seven-zip-merged', 'seven-zip-blocks', 'torrent7z', 'tar-zst'].includes(family))
    return 0.1
  return given.samples === 'thorough' ? 0.02 : 0.04
}

function summary(): void {
  console.log('')
  for (const figure of FIGURES) {
    const all = rows.filter((row) => row.figure === figure)
    if (all.length === 0) continue
    const errors = all.map((row) => Math.abs(row.error))
    const within = all.filter((row) => Math.abs(row.error) <= limitOf(row)).length
    const held = all.filter((row) => row.held).length
    console.log(
      `${figure}: ${all.length} figures, median |error| ${percent(median(errors))} (${percent(median(all.map((row) => Math.abs(row.plainError))))} without calibration), worst ${percent(Math.max(...errors))}, within its limit ${within}, ranges hold ${percent(held / all.length)}, median half-width ${percent(median(all.map((row) => row.half)))}`,
    )
  }
  const off = rows.filter((row) => Math.abs(row.error) > limitOf(row) && row.figure === 'bytes')
  for (const { set, family, error } of off) console.log(`  size off: ${set} ${family} ${percent(error)}`)
}
