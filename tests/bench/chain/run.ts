/**
 * Carries every option that can be built through the whole chain: plan, build, verify, restore to a new folder, and compares what
 * came back with the source by a walk of its own. Linux, after building (node scripts/bootstrap.mjs test):
 *   node tests/bench/chain/run.ts [--set NAME]… [SOURCE]… [--together] [--medium disk]… [--only RECIPE]… [--dictionary 64m]
 *   [--joined] [--encrypt] [--place DIR] [--keep FILE] [--json FILE]
 * Sets are those of the accuracy benches, to which names, links, holes and modes of all kinds are added. Media are `disk` and
 * `custom:120MB` when none is named. `--dictionary` leaves out recipes that differ from others in the dictionary alone; `--together`
 * carries all sources through at the same time. What came back equal or was refused is kept in the file of `--keep`, and not carried
 * through again when the same run is begun anew: the whole takes hours. Ends with 1 when something came back otherwise, or when a step failed that was not refused.
 * Pairs in the file of `--json` are forecast and actual.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { OptionsDocument } from '../../../src/contract/dto/options.ts'
import type { PlanDocument } from '../../../src/contract/dto/plan.ts'
import type { RunDocument } from '../../../src/contract/dto/run.ts'
import type { SurveyDocument } from '../../../src/contract/dto/survey.ts'
import type { Estimate } from '../../../src/primitives/estimate.ts'
import { CACHE, withBundle } from '../accuracy/bundled.ts'
import { writeResult } from '../writeResult.ts'
import { differencesOf } from './comparedTrees.ts'

const { values: given, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    set: { type: 'string', multiple: true, default: [] },
    medium: { type: 'string', multiple: true, default: ['disk', 'custom:120MB'] },
    only: { type: 'string', multiple: true },
    dictionary: { type: 'string' },
    together: { type: 'boolean', default: false },
    joined: { type: 'boolean', default: false },
    encrypt: { type: 'boolean', default: false },
    place: { type: 'string', default: tmpdir() },
    keep: { type: 'string' },
    json: { type: 'string' },
  },
})

/** Its figures are proved elsewhere; nothing can be restored from it. */
const PROOF_STORE = /^blocks-|^7z-titles\+blocks-/
const DICTIONARY = /^(?:7z-solid|tar-zst-19)-(\d+[kmg])-/
const COMMAND = resolve(import.meta.dirname, '../../../dist/cli/stowage.cjs')
const REFUSED = 'refused: '
/** The cells of a row's text. */
const FIGURES = ['volumes', 'MB', 'buildSeconds', 'verifySeconds', 'restoreSeconds']
const PASSWORD = 'correct horse\n'

interface Outcome {
  readonly code: number
  readonly output: string
  readonly errors: string
  readonly seconds: number
}

interface Row {
  readonly source: string
  readonly recipe: string
  readonly medium: string
  readonly text: readonly string[]
  readonly violations: readonly string[]
}

const folder = mkdtempSync(join(resolve(given.place), 'stowage-chain-'))
const rows: Row[] = keptRows()
try {
  const sources = positionals.map((source) => resolve(source))
  if (given.set.length > 0) {
    mkdirSync(CACHE, { recursive: true })
    await withBundle('../chain/chainSource.ts', async (module: never) => {
      const { makeChainSource } = module as typeof import('./chainSource.ts')
      for (const name of given.set) {
        makeChainSource(CACHE, name, join(folder, name))
        sources.push(join(folder, name))
      }
    })
  }
  if (given.together) await Promise.all(sources.map((source) => carryThrough(source)))
  else for (const source of sources) await carryThrough(source)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
report()

async function carryThrough(source: string): Promise<void> {
  const place = mkdtempSync(join(folder, 'place-'))
  const survey = join(place, 'survey.json')
  await need(place, ['survey', source, '--sha256', '--full', '--out', survey])
  const { totals } = JSON.parse(readFileSync(survey, 'utf8')) as SurveyDocument
  const shown = `\`${basename(source)}\`, ${totals.files.toLocaleString('en')} files of ${Math.round(totals.bytes / 1e6)} MB`
  const listed = JSON.parse(
    await need(place, ['options', '--survey', survey, '--all', '--json']),
  ) as OptionsDocument
  const quickFirst = listed.options.toSorted(
    (one, other) => one.estimate.buildSeconds.value - other.estimate.buildSeconds.value,
  )
  const recipes = [
    ...new Set(quickFirst.filter(({ build }) => build?.possible).map(({ variant }) => variant)),
  ]
    .filter((name) => !PROOF_STORE.test(name))
    .filter(
      (name) =>
        given.dictionary === undefined ||
        (DICTIONARY.exec(name)?.[1] ?? given.dictionary) === given.dictionary,
    )
    .filter((name) => given.only === undefined || given.only.some((part) => name.includes(part)))
  for (const recipe of recipes) {
    for (const medium of given.medium) {
      if (rows.some((row) => row.source === shown && row.recipe === recipe && row.medium === medium)) continue
      const row = { ...(await oneOption(source, place, recipe, medium)), source: shown }
      rows.push(row)
      console.log([basename(source), recipe, medium, ...row.text, ...row.violations].join(' | '))
      if (given.keep !== undefined) writeFileSync(given.keep, JSON.stringify(rows, null, 1))
      if (given.json !== undefined) writeRows(given.json)
    }
  }
}

async function oneOption(
  source: string,
  place: string,
  recipe: string,
  medium: string,
): Promise<Omit<Row, 'source'>> {
  const row = { recipe, medium }
  const [plan, restored] = [join(place, 'plan'), join(place, 'restored')]
  for (const old of [plan, restored]) rmSync(old, { recursive: true, force: true })
  const more = [...(given.joined ? ['--joined'] : []), ...(given.encrypt ? ['--encrypt', '256'] : [])]
  const planned = await run(place, [
    'plan',
    '--survey',
    join(place, 'survey.json'),
    '--option',
    recipe,
    '--medium',
    medium,
    '--out',
    plan,
    '--json',
    ...more,
  ])
  if (planned.code === 7 || planned.code === 4)
    return { ...row, text: [`${REFUSED}${reasonOf(planned)}`], violations: [] }
  if (planned.code !== 0) return { ...row, text: [], violations: [`plan: ${reasonOf(planned)}`] }
  const document = JSON.parse(planned.output) as PlanDocument
  const password = given.encrypt ? ['--password-stdin'] : []
  const built = await run(place, ['build', plan, '--json', ...password])
  if (built.code !== 0) return { ...row, text: [], violations: [`build: ${reasonOf(built)}`] }
  const { volumes } = JSON.parse(built.output) as RunDocument
  const verified = await run(place, ['verify', plan, ...password])
  const back = await run(place, ['restore', plan, '--to', restored, ...password])
  const violations = [
    ...(verified.code === 0 ? [] : [`verify: ${reasonOf(verified)}`]),
    ...(back.code === 0 ? [] : [`restore: ${reasonOf(back)}`]),
    ...(back.code === 0 ? differencesOf(source, restored).slice(0, 5) : []),
  ]
  const unit = document.medium.sectorBytes
  const sum = (all: readonly number[]): number => all.reduce((total, one) => total + one, 0)
  const forecast = document.times?.total
  const times = [
    timed([forecast?.pack, forecast?.build], built.seconds),
    timed([forecast?.verify], verified.seconds),
    timed([forecast?.restore], back.seconds),
  ]
  const text = [
    `${document.volumes.length} / ${volumes.length}`,
    `${megabytes(sum(document.volumes.map(({ sectors }) => sectors)) * unit)} / ${megabytes(sum(volumes.map(({ actualSectors }) => actualSectors ?? 0)) * unit)}`,
    ...times,
  ]
  return { ...row, text, violations }
}

/** A time that was forecast in one or two parts, and the actual one. */
function timed(parts: readonly (Estimate | null | undefined)[], actual: number): string {
  const known = parts.filter((part) => part !== null && part !== undefined)
  const forecast = known.reduce((total, { value }) => total + value, 0)
  return `${known.length === 0 ? '?' : forecast.toFixed(1)} / ${actual.toFixed(1)}`
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1)
}

function reasonOf({ errors, code }: Outcome): string {
  const line = errors.split('\n').findLast((one) => /^(?:stowage: |\{)/.test(one)) ?? ''
  if (!line.startsWith('{')) return line === '' ? `exit code ${code}` : line.slice('stowage: '.length)
  const { error, message } = JSON.parse(line) as { error?: { message?: string }; message?: string }
  return error?.message ?? message ?? line
}

async function need(place: string, args: readonly string[]): Promise<string> {
  const end = await run(place, args)
  if (end.code === 0 || end.code === 3) return end.output
  throw new Error(`stowage ${args[0]}: ${reasonOf(end)}`)
}

function run(place: string, args: readonly string[]): Promise<Outcome> {
  mkdirSync(join(place, 'home'), { recursive: true })
  const started = performance.now()
  const env = { ...process.env, STOWAGE_HOME: join(place, 'home') }
  const child: ChildProcess = spawn(process.execPath, [COMMAND, ...args], {
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(args.includes('--password-stdin') ? PASSWORD : '')
  const [output, errors]: [Buffer[], Buffer[]] = [[], []]
  child.stdout?.on('data', (piece: Buffer) => output.push(piece))
  child.stderr?.on('data', (piece: Buffer) => errors.push(piece))
  return new Promise((done, failed) => {
    child.once('error', failed)
    child.once('close', (code) =>
      done({
        code: code ?? -1,
        output: Buffer.concat(output).toString(),
        errors: Buffer.concat(errors).toString(),
        seconds: (performance.now() - started) / 1000,
      }),
    )
  })
}

function report(): void {
  const violated = rows.filter(({ violations }) => violations.length > 0)
  console.log(conclusion())
  process.exitCode = violated.length > 0 ? 1 : 0
}

function conclusion(): string {
  const violated = rows.filter(({ violations }) => violations.length > 0).length
  const refused = rows.filter(({ text }) => text[0]?.startsWith(REFUSED)).length
  return `${rows.length - violated - refused} came back equal, ${refused} were refused, ${violated} failed.`
}

/** Rows of an earlier run that need no other. */
function keptRows(): Row[] {
  if (given.keep === undefined || !existsSync(given.keep)) return []
  const all = JSON.parse(readFileSync(given.keep, 'utf8')) as Row[]
  return all.filter(({ violations }) => violations.length === 0)
}

function writeRows(file: string): void {
  writeResult(file, {
    question: 'Does every option come back equal from a plan?',
    rows: rows.map(({ source, recipe, medium, text, violations }) => {
      const [first = ''] = text
      const row = { source: /`(.+)`/.exec(source)?.[1], recipe, medium }
      if (violations.length > 0) return { ...row, violations }
      if (first.startsWith(REFUSED)) return { ...row, refused: first.slice(REFUSED.length) }
      return { ...row, ...Object.fromEntries(FIGURES.map((name, at) => [name, pairOf(text[at])])) }
    }),
    notes: [conclusion(), ...new Set(rows.map(({ source }) => `${source.replaceAll('`', '')}.`))],
  })
}

/** The forecast and the actual figure of a cell; null where there was no forecast. */
function pairOf(cell = ''): (number | null)[] {
  return cell.split(' / ').map((part) => (part === '?' ? null : Number(part)))
}
