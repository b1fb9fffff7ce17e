/**
 * Carries every option that can be built through the whole chain: plan, build, verify, restore to a new folder, and compares what
 * came back with the source by a walk of its own. Linux, after building (node scripts/bootstrap.mjs test):
 *   node tests/bench/chain/run.ts SOURCE… [--medium disk]… [--only RECIPE]… [--joined] [--encrypt] [--place DIR] [--write FILE]
 * Media are `disk` and `custom:120MB` when none is named. Ends with 1 when something came back otherwise, or when a step failed that
 * was not refused. `--write` puts the table into a Markdown file between the comments `chain` and `/chain`.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { OptionsDocument } from '../../../src/contract/dto/options.ts'
import type { PlanDocument } from '../../../src/contract/dto/plan.ts'
import type { RunDocument } from '../../../src/contract/dto/run.ts'
import { differencesOf } from './comparedTrees.ts'

const { values: given, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    medium: { type: 'string', multiple: true, default: ['disk', 'custom:120MB'] },
    only: { type: 'string', multiple: true },
    joined: { type: 'boolean', default: false },
    encrypt: { type: 'boolean', default: false },
    place: { type: 'string', default: tmpdir() },
    write: { type: 'string' },
  },
})

/** Its figures are proved elsewhere; nothing can be restored from it. */
const PROOF_STORE = /^blocks-|^7z-titles\+blocks-/
const COMMAND = resolve(import.meta.dirname, '../../../dist/cli/stowage.cjs')
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
const rows: Row[] = []
try {
  for (const source of positionals) await carryThrough(resolve(source))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
report()

async function carryThrough(source: string): Promise<void> {
  const survey = join(folder, 'survey.json')
  rmSync(survey, { force: true })
  await need(['survey', source, '--sha256', '--full', '--out', survey])
  const listed = JSON.parse(await need(['options', '--survey', survey, '--all', '--json'])) as OptionsDocument
  const recipes = [
    ...new Set(listed.options.filter(({ build }) => build?.possible).map(({ variant }) => variant)),
  ]
    .filter((name) => !PROOF_STORE.test(name))
    .filter((name) => given.only === undefined || given.only.some((part) => name.includes(part)))
  for (const recipe of recipes) {
    for (const medium of given.medium) {
      const row = await oneOption(source, survey, recipe, medium)
      rows.push(row)
      console.log([basename(source), recipe, medium, ...row.text, ...row.violations].join(' | '))
    }
  }
}

async function oneOption(source: string, survey: string, recipe: string, medium: string): Promise<Row> {
  const row = { source: basename(source), recipe, medium }
  const [plan, restored] = [join(folder, 'plan'), join(folder, 'restored')]
  for (const old of [plan, restored]) rmSync(old, { recursive: true, force: true })
  const more = [...(given.joined ? ['--joined'] : []), ...(given.encrypt ? ['--encrypt', '256'] : [])]
  const planned = await run([
    'plan',
    '--survey',
    survey,
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
    return { ...row, text: [`refused: ${reasonOf(planned)}`], violations: [] }
  if (planned.code !== 0) return { ...row, text: [], violations: [`plan: ${reasonOf(planned)}`] }
  const document = JSON.parse(planned.output) as PlanDocument
  const password = given.encrypt ? ['--password-stdin'] : []
  const built = await run(['build', plan, '--json', ...password])
  if (built.code !== 0) return { ...row, text: [], violations: [`build: ${reasonOf(built)}`] }
  const { volumes } = JSON.parse(built.output) as RunDocument
  const verified = await run(['verify', plan, ...password])
  const back = await run(['restore', plan, '--to', restored, ...password])
  const violations = [
    ...(verified.code === 0 ? [] : [`verify: ${reasonOf(verified)}`]),
    ...(back.code === 0 ? [] : [`restore: ${reasonOf(back)}`]),
    ...(back.code === 0 ? differencesOf(source, restored).slice(0, 5) : []),
  ]
  const unit = document.medium.sectorBytes
  const sum = (all: readonly number[]): number => all.reduce((total, one) => total + one, 0)
  const text = [
    String(document.volumes.length),
    String(volumes.length),
    megabytes(sum(document.volumes.map(({ sectors }) => sectors)) * unit),
    megabytes(sum(volumes.map(({ actualSectors }) => actualSectors ?? 0)) * unit),
    built.seconds.toFixed(1),
    verified.seconds.toFixed(1),
    back.seconds.toFixed(1),
  ]
  return { ...row, text, violations }
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

async function need(args: readonly string[]): Promise<string> {
  const end = await run(args)
  if (end.code === 0 || end.code === 3) return end.output
  throw new Error(`stowage ${args[0]}: ${reasonOf(end)}`)
}

function run(args: readonly string[]): Promise<Outcome> {
  mkdirSync(join(folder, 'home'), { recursive: true })
  const started = performance.now()
  const env = { ...process.env, STOWAGE_HOME: join(folder, 'home') }
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
  const head = [
    'source',
    'recipe',
    'medium',
    'volumes forecast',
    'actual',
    'MB planned at most',
    'MB actual',
    'build s',
    'verify s',
    'restore s',
  ]
  const lines = [`| ${head.join(' | ')} |`, `|${head.map(() => '---').join('|')}|`]
  for (const { source, recipe, medium, text, violations } of rows)
    lines.push(`| ${[source, recipe, medium, ...text, ...violations].join(' | ')} |`)
  const violated = rows.filter(({ violations }) => violations.length > 0)
  const refused = rows.filter(({ text }) => text[0]?.startsWith('refused'))
  const equal = rows.length - violated.length - refused.length
  console.log(`${equal} came back equal, ${refused.length} were refused, ${violated.length} failed`)
  if (given.write !== undefined) {
    const file = readFileSync(given.write, 'utf8')
    const marked = /(<!-- chain -->\n)[\s\S]*?(<!-- \/chain -->)/
    writeFileSync(
      given.write,
      file.replace(marked, (_, open: string, close: string) => `${open}\n${lines.join('\n')}\n\n${close}`),
    )
  }
  process.exitCode = violated.length > 0 ? 1 : 0
}
