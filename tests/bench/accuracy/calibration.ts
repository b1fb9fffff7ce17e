/**
 * Whether builds on this machine make forecasts of other sources better. Run with Node 24 after the command line has been built:
 * node tests/bench/accuracy/calibration.ts --save FOLDER [--sets a,b,…] [--variants a,b,…] [--states idle,busy]
 * Builds every variant of every source by the command itself, once on the machine as it is and once while a busy loop runs for each
 * core, and keeps surveys and builds as JSON in FOLDER; what is there already is not built again. Then each source is forecast with
 * what the builds of the other sources in either state taught, and without. Durations of a busy machine are beyond any forecast; its
 * CPU time is not. What was built is removed when all is done: ext4 makes files slowly for minutes after thousands were removed (see
 * options.ts). Needs borg, restic and mksquashfs.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { MeasurementDocument } from '../../../src/contract/dto/measure'
import type { OptionBuild } from '../../../src/contract/dto/options'
import type { SurveyDocument } from '../../../src/contract/dto/survey'
import { CACHE, median, percent, withBundle } from './bundled.ts'
import type { Built, Times } from './calibratedTimes.ts'

const COMMAND = resolve(import.meta.dirname, '../../../dist/cli/stowage.cjs')
const VARIANTS = [
  'plain',
  'iso',
  'files-gzip-6',
  'files-zstd-3',
  '7z-solid-16m-path',
  'squashfs-gzip-128k',
  'squashfs-zstd-3-128k',
  'borg-1-zstd-3',
  'restic-auto',
]

const { values: given } = parseArgs({
  options: {
    save: { type: 'string' },
    sets: { type: 'string', default: 'disk-2,tiny-2,logs-2,source-2,releases-2,media-2' },
    variants: { type: 'string', default: VARIANTS.join(',') },
    states: { type: 'string', default: 'idle,busy' },
  },
})
if (given.save === undefined) throw new Error('--save FOLDER is needed')
const folder = resolve(given.save)

mkdirSync(CACHE, { recursive: true })
mkdirSync(folder, { recursive: true })
const states = given.states.split(',')
const homes: string[] = []
await withBundle('calibratedTimes.ts', async (bench: typeof import('./calibratedTimes.ts')) => {
  for (const set of given.sets.split(',')) {
    const source = bench.setFolder(CACHE, set)
    for (const state of states) {
      if (existsSync(fileOf(state, set))) continue
      const loops = state === 'busy' ? cpus().map(busyLoop) : []
      try {
        buildSet(state, set, source)
      } finally {
        for (const loop of loops) loop.kill('SIGKILL')
      }
    }
  }
  for (const home of homes) rmSync(home, { recursive: true })
  report(bench)
})

function busyLoop(): ChildProcess {
  return spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' })
}

function fileOf(state: string, set: string): string {
  return join(folder, `${state}-${set}.json`)
}

function buildSet(state: string, set: string, source: string): void {
  const home = mkdtempSync(join(CACHE, 'home-'))
  homes.push(home)
  const measurement = stowage(home, ['measure', CACHE, '--preset', 'quick']) as MeasurementDocument
  const survey = stowage(home, ['survey', source]) as SurveyDocument
  const builds = given.variants.split(',').map((variant) => {
    const to = ['--survey', survey.id, '--out', join(home, `made-${variant}`)]
    return stowage(home, ['options', 'build', variant, ...to, '--no-calibration']) as OptionBuild
  })
  const built: Built = { set, survey, measurement, builds }
  writeFileSync(fileOf(state, set), JSON.stringify(built))
  process.stderr.write(`${new Date().toISOString()} ${state} ${set} built\n`)
}

function stowage(home: string, args: string[]): unknown {
  const text = execFileSync(process.execPath, [COMMAND, ...args, '--json'], {
    env: { ...process.env, STOWAGE_HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  })
  return JSON.parse(text)
}

/** Each source's times from builds of the others, learnt in one state of the machine and held against another. */
function report(bench: typeof import('./calibratedTimes.ts')): void {
  const sets = given.sets.split(',').filter((set) => states.every((state) => existsSync(fileOf(state, set))))
  const read = (state: string): Built[] =>
    sets.map((set) => JSON.parse(readFileSync(fileOf(state, set), 'utf8')) as Built)
  const all = new Map(states.map((state) => [state, read(state)]))
  for (const [state, built] of all) {
    const loads = built.flatMap(({ builds }) => builds.map(({ otherCores }) => otherCores ?? 0))
    const range = `${Math.min(...loads).toFixed(1)} to ${Math.max(...loads).toFixed(1)}`
    console.log(`${state}: other work on ${(median(loads) ?? 0).toFixed(1)} cores in the median, ${range}`)
    const rows = bench.calibrationOf(
      bench.builtTimes({ optionBuilds: () => built.flatMap(({ builds }) => builds) }),
    )
    for (const { family, variant, figure, factor, builds } of rows) {
      console.log(`  ${variant ?? `${family}, all`}: ${figure} times ${factor.toFixed(2)} (${builds} builds)`)
    }
  }
  const sizes = [...all.values()].flatMap((built) => built.flatMap(({ builds }) => builds))
  const wrong = sizes.map(({ forecast, actual }) => Math.abs(forecast.bytes.value / actual.bytes - 1))
  const held = sizes.filter(
    ({ forecast, actual }) => forecast.bytes.low <= actual.bytes && actual.bytes <= forecast.bytes.high,
  )
  console.log(
    `sizes: median error ${percent(median(wrong)).trim()}, worst ${percent(Math.max(...wrong)).trim()}, ${held.length} of ${sizes.length} ranges hold`,
  )
  const lines = [...all.keys()].flatMap((learnt) =>
    [...all].map(([state, built]) => compared(learnt, state, built)),
  )
  const header = ['learnt from', 'forecast of', 'builds', 'time without', 'with', 'CPU time without', 'with']
  console.log(`| ${header.join(' | ')} |\n|${'---|'.repeat(header.length)}`)
  for (const line of lines) console.log(`| ${line.join(' | ')} |`)

  function compared(learnt: string, state: string, built: readonly Built[]): string[] {
    const times = built.flatMap((each) => {
      const others = (all.get(learnt) ?? []).filter(({ set }) => set !== each.set)
      return bench.calibratedTimes(
        each,
        others.flatMap(({ builds }) => builds),
      )
    })
    const errors = (figure: 'seconds' | 'cpuSeconds', which: 0 | 1): string => {
      const off = times.flatMap((each: Times) => {
        const actual = each[figure][2]
        return actual < 0.2 ? [] : [Math.abs(each[figure][which] / actual - 1)]
      })
      return percent(median(off)).trim()
    }
    const figures = (['seconds', 'cpuSeconds'] as const).flatMap((figure) => [
      errors(figure, 0),
      errors(figure, 1),
    ])
    return [learnt, state, String(times.length), ...figures]
  }
}
