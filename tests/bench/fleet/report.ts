/**
 * Comparing fingerprints by DuckDB, against what the generator knows. After building (node scripts/bootstrap.mjs test):
 *   node tests/bench/fleet/report.ts large --folder DIR [--contents 666666680] [--pieces 5 [--first 3]] [--memory 4] [--pairs]
 *   node tests/bench/fleet/report.ts ranges --folder DIR [--seeds 100] [--source 10e9]
 *   node tests/bench/fleet/report.ts sets --folder DIR
 * `large` writes three sources with 15 rows for each 10 contents, piece by piece of the hashes (10^9 rows: 8 GB in all), and counts
 * each piece in ranges within so many GB. `ranges` draws two sources for each seed and every way of cutting at its usual share, and
 * says how often the ranges hold the true value. `sets` reports on 32 to 256 small fingerprints by the command.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { CACHE, withBundle } from '../accuracy/bundled.ts'
import type { MadeScheme, Tried } from './fleetRuns.ts'

const { values: given, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    folder: { type: 'string' },
    contents: { type: 'string', default: '666666680' },
    memory: { type: 'string', default: '4' },
    pieces: { type: 'string', default: '5' },
    first: { type: 'string', default: '1' },
    pairs: { type: 'boolean', default: false },
    seeds: { type: 'string', default: '100' },
    source: { type: 'string', default: '10e9' },
  },
})
if (given.folder === undefined) throw new Error('--folder DIR is needed')
const folder = resolve(given.folder)
mkdirSync(folder, { recursive: true })
mkdirSync(CACHE, { recursive: true })
const place = { folder: resolve(import.meta.dirname, '../../../.cache/duckdb'), version: '' }
const bounds = { memoryBytes: Number(given.memory) * 1e9, threads: 2 }
process.stdout.write(`${cpus()[0]?.model}, ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}\n`)

/** The ways of cutting at their usual shares. */
const SCHEMES: readonly MadeScheme[] = [
  ...[2, 4, 8, 16, 32, 64, 128, 256, 512, 1024].map((kib, at) => ({
    name: `blocks-${kib}k`,
    nominalBytes: kib * 1024,
    shift: 11 - at,
    isChunked: false,
  })),
  ...[
    ['fastcdc-8k', 13],
    ['fastcdc-16k', 14],
    ['casync', 16],
    ['fastcdc-64k', 16],
    ['restic', 20],
    ['borg', 21],
  ].map(([name, bits]) => ({
    name: String(name),
    nominalBytes: 2 ** Number(bits),
    shift: 22 - Number(bits),
    isChunked: true,
  })),
]

await withBundle('../fleet/fleetRuns.ts', async (module: never) => {
  const runs = module as typeof import('./fleetRuns.ts')
  if (positionals[0] === 'large') await large(runs)
  else if (positionals[0] === 'ranges') await ranges(runs)
  else sets()
})

async function large(runs: typeof import('./fleetRuns.ts')): Promise<void> {
  const pieces = Number(given.pieces)
  const contents = Number(given.contents)
  const at = (piece: number): number => 10 * Math.round((piece * contents) / pieces / 10)
  const all = { rows: 0, seconds: 0, cpu: 0, isRight: true }
  for (let piece = Number(given.first) - 1; piece < pieces; piece++) {
    let began = performance.now()
    const truth = await runs.writeLarge(
      folder,
      contents,
      { from: at(piece), to: at(piece + 1) },
      place,
      bounds,
    )
    const wrote = (performance.now() - began) / 1000
    began = performance.now()
    const watched = watchChildren()
    const found = await runs.countLarge(folder, truth.rows, truth.range, place, bounds, given.pairs, () =>
      watched.look(),
    )
    watched.stop()
    const seconds = (performance.now() - began) / 1000
    const isRight =
      found.unique === truth.unique &&
      Number(found.contents) === truth.contents &&
      found.adds.every((bytes, source) => bytes === truth.adds[source]) &&
      (!given.pairs || Object.entries(truth.pairs).every(([pair, bytes]) => found.pairs[pair] === bytes))
    all.rows += truth.rows
    all.seconds += seconds
    all.cpu += watched.cpuSeconds()
    all.isRight &&= isRight
    process.stdout.write(
      `piece ${piece + 1}/${pieces}: ${truth.rows} rows written in ${wrote.toFixed(0)} s; counted in ${seconds.toFixed(0)} s, ` +
        `${watched.text()}; ${isRight ? 'equal to' : 'DIFFERENT FROM'} the truth; together ${all.rows} rows, ` +
        `${all.seconds.toFixed(0)} s, ${all.cpu.toFixed(0)} s of CPU\n`,
    )
  }
  if (!all.isRight) process.exitCode = 1
}

/** CPU time and the largest resident size of the children of this process (Linux). */
function watchChildren(): { look(): void; text(): string; cpuSeconds(): number; stop(): void } {
  let most = 0
  let cpu = 0
  const look = (): void => {
    const own = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ')
    for (const pid of own.filter((one) => one !== '')) {
      try {
        const peak = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
        const [user = 0, system = 0] =
          readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ').slice(11, 13).map(Number) ?? []
        if (peak > most) most = peak
        if ((user + system) / 100 > cpu) cpu = (user + system) / 100
      } catch {
        // It has ended.
      }
    }
  }
  const timer = setInterval(look, 500)
  return {
    look,
    cpuSeconds: () => cpu,
    text: () => `${cpu.toFixed(0)} s of CPU, ${(most / 1e9).toFixed(2)} GB resident`,
    stop: () => clearInterval(timer),
  }
}

async function ranges(runs: typeof import('./fleetRuns.ts')): Promise<void> {
  const tried: Tried[] = []
  await runs.withDuckdb(
    place,
    { ...bounds, memoryBytes: 1e9 },
    new AbortController().signal,
    async (database) => {
      for (let seed = 1; seed <= Number(given.seeds); seed++)
        tried.push(
          ...(await runs.tryRanges(folder, SCHEMES, Number(given.source), seeded(seed), database, bounds)),
        )
    },
  )
  for (const { name } of SCHEMES)
    for (const figure of ['unique', 'new of the second', 'in common']) {
      const own = tried.filter((one) => one.scheme === name && one.figure === figure)
      const within = own.filter(({ isWithin }) => isWithin).length
      const mean = (of: (one: Tried) => number): number =>
        own.reduce((sum, one) => sum + of(one), 0) / own.length
      process.stdout.write(
        `${name.padEnd(12)} ${figure.padEnd(18)} ${within}/${own.length}  kept ${mean(({ kept }) => kept)
          .toFixed(0)
          .padStart(6)}` +
          `  ±${(100 * mean(({ width }) => width)).toFixed(1)} %  mean error ${(100 * mean(({ error }) => error)).toFixed(2)} %\n`,
      )
    }
}

/** xoshiro128** by its seed: numbers from 0 to 1. */
function seeded(seed: number): () => number {
  const state = Uint32Array.from([seed, 0x9e3779b9, 0x243f6a88, 0xb7e15162])
  const rotated = (value: number, by: number): number => (value << by) | (value >>> (32 - by))
  const next = (): number => {
    const [a = 0, b = 0, c = 0, d = 0] = state
    const result = Math.imul(rotated(Math.imul(b, 5), 7), 9) >>> 0
    const shifted = b << 9
    const [cc, dd] = [c ^ a, d ^ b]
    state.set([a ^ dd, b ^ cc, cc ^ shifted, rotated(dd, 11)])
    return result
  }
  for (let at = 0; at < 64; at++) next()
  return () => (next() * 2 ** 21 + (next() >>> 11)) / 2 ** 53
}

/** Small surveys, of which each number of sets has the first. */
function sets(): void {
  const command = resolve(import.meta.dirname, '../../../dist/cli/stowage.cjs')
  const env = { ...process.env, STOWAGE_HOME: join(folder, 'home'), STOWAGE_DUCKDB: place.folder }
  const run = (...args: string[]): void => {
    const { status, stderr } = spawnSync(process.execPath, [command, ...args], { env, encoding: 'utf8' })
    if (status !== 0) throw new Error(stderr)
  }
  const prints = (at: number): string => join(folder, `set-${at}`)
  for (let at = 0; at < 256; at++) {
    const source = join(folder, 'source')
    rmSync(source, { recursive: true, force: true })
    mkdirSync(source)
    const random = seeded(at + 1)
    for (let file = 0; file < 8; file++)
      writeFileSync(
        join(source, `f${file}`),
        Uint8Array.from({ length: 100_000 }, () => random() * 256),
      )
    rmSync(prints(at), { recursive: true, force: true })
    run('survey', source, '--quick', '--fingerprints', prints(at), '--fingerprint-share', '1')
  }
  for (const count of [32, 64, 128, 256]) {
    const began = performance.now()
    run('fleet', 'report', ...Array.from({ length: count }, (_, at) => prints(at)))
    process.stdout.write(`${count} sets: ${((performance.now() - began) / 1000).toFixed(2)} s\n`)
  }
}
