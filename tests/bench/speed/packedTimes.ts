/**
 * Compares the times that plans of packed files forecast with those of the real commands. Linux, after building
 * (node scripts/bootstrap.mjs test):
 *   node tests/bench/speed/packedTimes.ts --save FOLDER [--sources a+b,c,…] [--options x,y,…] [--medium custom:20MB]
 *   [--machine idle|NAME] [--kept] [--json FILE]
 * Each source is one or several sets of the accuracy benches. Every option is planned for it on the medium (repositories in one
 * folder), then built, verified and restored, each by its command. What was planned and what it took, with the CPU time of the
 * command and its programs, is kept in FOLDER: what is there already is not run again, only forecast anew by the present
 * code with the surveys and measurements of then; with `--kept` nothing is run. Times are compared only with `--machine idle`, CPU
 * times always; the name goes into the notes of `--json`.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { MeasurementDocument } from '../../../src/contract/dto/measure.ts'
import type { PlanDocument } from '../../../src/contract/dto/plan.ts'
import type { RunDocument } from '../../../src/contract/dto/run.ts'
import type { SurveyDocument } from '../../../src/contract/dto/survey.ts'
import { CACHE, withBundle } from '../accuracy/bundled.ts'
import { writeResult } from '../writeResult.ts'
import type { PackedRun, Took } from './packedForecasts.ts'

const COMMAND = resolve(import.meta.dirname, '../../../dist/cli/stowage.cjs')
const OPTIONS = [
  'files-zstd-3',
  '7z-solid-16m-path',
  'tar-zst-19-4m-path',
  'squashfs-zstd-3-128k',
  'udzo',
  'borg-1-zstd-3',
  'restic-auto',
]
/** Their containers may lie anywhere, and their programs need them in a folder. */
const REPOSITORY = /^(?:borg|restic)-/

const { values: given } = parseArgs({
  options: {
    save: { type: 'string' },
    sources: { type: 'string', default: 'source-2,media-2,disk-2' },
    options: { type: 'string', default: OPTIONS.join(',') },
    medium: { type: 'string', default: 'custom:20MB' },
    machine: { type: 'string', default: 'busy' },
    kept: { type: 'boolean', default: false },
    json: { type: 'string' },
  },
})
if (given.save === undefined) throw new Error('--save FOLDER is needed')
const saved = resolve(given.save)
mkdirSync(saved, { recursive: true })
mkdirSync(CACHE, { recursive: true })

const place = mkdtempSync(join(tmpdir(), 'stowage-packed-times-'))
process.once('SIGINT', () => {
  rmSync(place, { recursive: true, force: true })
  process.exit(130)
})
try {
  await withBundle('../speed/packedForecasts.ts', async (module: never) => {
    const bench = module as typeof import('./packedForecasts.ts')
    const runs: PackedRun[] = []
    for (const source of given.sources.split(',')) {
      const kept = join(saved, `${source}.json`)
      const of: PackedRun[] = existsSync(kept) ? (JSON.parse(readFileSync(kept, 'utf8')) as PackedRun[]) : []
      const lacking = given.options.split(',').filter((name) => !of.some(({ option }) => option === name))
      if (lacking.length > 0 && !given.kept) {
        const folder = join(place, source)
        mkdirSync(folder)
        for (const set of source.split('+'))
          spawnSync('cp', ['-a', bench.setFolder(CACHE, set), folder], { stdio: 'inherit' })
        await carryThrough(bench, folder, source, lacking, of, (all) =>
          writeFileSync(kept, JSON.stringify(all)),
        )
      }
      runs.push(...of)
    }
    console.log(bench.reportOf(runs, given.machine))
    if (given.json !== undefined)
      writeResult(given.json, {
        question: 'How close are forecast times of packed plans to actual ones?',
        rows: bench.resultOf(runs, given.machine),
        notes: [`Runs of a machine called ${given.machine}.`],
      })
  })
} finally {
  rmSync(place, { recursive: true, force: true })
}

async function carryThrough(
  bench: typeof import('./packedForecasts.ts'),
  source: string,
  name: string,
  options: readonly string[],
  runs: PackedRun[],
  keep: (runs: readonly PackedRun[]) => void,
): Promise<void> {
  const home = mkdtempSync(join(place, 'home-'))
  const [plan, restored] = [join(home, 'plan'), join(home, 'restored')]
  const measurement = need(home, ['measure', home, '--preset', 'quick', '--json']).document
  const survey = need(home, ['survey', source, '--sha256', '--json']).document
  const started = [1, 2, 3].map(() => stowage(home, ['--version']))
  const start: Took = {
    seconds: Math.min(...started.map(({ seconds }) => seconds)),
    cpuSeconds: Math.min(...started.map(({ cpuSeconds }) => cpuSeconds)),
  }
  for (const option of options) {
    for (const old of [plan, restored]) rmSync(old, { recursive: true, force: true })
    const medium = REPOSITORY.test(option) ? 'disk' : given.medium
    const { id } = survey as SurveyDocument
    const planned = stowage(home, [
      'plan',
      '--survey',
      id,
      '--option',
      option,
      '--medium',
      medium,
      '--out',
      plan,
      '--json',
    ])
    if (planned.status !== 0) {
      console.log(`${name} ${option}: no plan: ${planned.errors.trim().split('\n').at(-1)}`)
      continue
    }
    const workMs = await bench.workTimes()
    const timed = async (args: readonly string[]): Promise<ReturnType<typeof need>> => {
      const outcome = need(home, args)
      workMs.push(...(await bench.workTimes()))
      return outcome
    }
    const built = await timed(['build', plan, '--json'])
    const verified = await timed(['verify', plan, '--json'])
    const back = await timed(['restore', plan, '--to', restored, '--json'])
    const run = built.document as RunDocument
    const inVolumes = run.volumes.reduce((sum, { elapsedMs }) => sum + (elapsedMs ?? 0), 0) / 1000
    const elapsed = (of: unknown): number => (of as { elapsedMs: number }).elapsedMs / 1000
    const apart = ({ seconds, cpuSeconds }: Took, whole: number): Took => ({
      seconds: Math.min(whole, seconds),
      cpuSeconds: Math.max(0, cpuSeconds - start.cpuSeconds),
    })
    runs.push({
      source: name,
      option,
      survey: survey as SurveyDocument,
      measurement: measurement as MeasurementDocument,
      plan: JSON.parse(planned.output) as PlanDocument,
      workMs,
      volumes: run.volumes.length,
      sectors: run.volumes.map(({ actualSectors }) => actualSectors ?? 0),
      packSeconds: run.elapsedMs / 1000 - inVolumes,
      build: apart(built, elapsed(run)),
      verify: apart(verified, elapsed(verified.document)),
      restore: apart(back, elapsed(back.document)),
    })
    keep(runs)
    const last = runs.at(-1) as PackedRun
    console.log(
      `${name} ${option}: ${(['build', 'verify', 'restore'] as const).map((step) => `${step} ${last[step].seconds.toFixed(1)} s, CPU ${last[step].cpuSeconds.toFixed(1)} s`).join('; ')}`,
    )
  }
}

interface Outcome extends Took {
  readonly status: number | null
  readonly output: string
  readonly errors: string
}

function need(home: string, args: readonly string[]): Outcome & { readonly document: unknown } {
  const outcome = stowage(home, args)
  if (outcome.status !== 0 && outcome.status !== 3)
    throw new Error(`stowage ${args.join(' ')}: ${outcome.errors}`)
  return { ...outcome, document: JSON.parse(outcome.output) }
}

/** Runs a command to its end; bash counts the CPU time of it and of all programs that it waited for. */
function stowage(home: string, args: readonly string[]): Outcome {
  const times = join(home, 'times')
  const script = `TIMEFORMAT='%R %U %S'; { time "$@" 2>&3; } 3>&2 2>"$TIMES"`
  const { status, stdout, stderr } = spawnSync(
    'bash',
    ['-c', script, 'bash', process.execPath, COMMAND, ...args],
    {
      env: { ...process.env, STOWAGE_HOME: join(home, 'data'), TIMES: times },
      encoding: 'utf8',
      maxBuffer: 2 ** 30,
    },
  )
  const [seconds = 0, user = 0, system = 0] = readFileSync(times, 'utf8').trim().split(' ').map(Number)
  return { status, output: stdout, errors: stderr, seconds, cpuSeconds: user + system }
}
