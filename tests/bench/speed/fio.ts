/**
 * Timed runs against fio: the same disk, file, size, depth and flags, in alternated runs (who begins changes from round to
 * round). Sequential 1 MiB writes (both preallocated, flushed, the flush in the time) and reads at depth 1 and 4, random
 * 4 KiB reads at depth 1 and 16, all past the cache. fio uses psync at depth 1 and libaio above; `threads16` is random16
 * with fio's psync in 16 threads instead. Run with Node 24:
 * node tests/bench/speed/fio.ts [--folder FOLDER] [--rounds 15] [--bytes 536870912] [--pause MS] [--only read1,random16]
 * [--refill (fio makes new data for every request, in its time)].
 * fio's memory is in huge pages like ours where they can be reserved (root on Linux).
 * On a busy machine run it under `chrt -f 1` (both then get a processor at once), writes and reads in separate runs: what
 * writes leave to be done in the background slows the reads behind them.
 * Prints every ratio (our rate / fio's), their median and the interval of that median by order statistics.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ADDON } from '../../support/nativeAddon.ts'
import { medianWithInterval } from './medianInterval.ts'

const { values: given } = parseArgs({
  options: {
    folder: { type: 'string', default: tmpdir() },
    rounds: { type: 'string', default: '15' },
    bytes: { type: 'string', default: String(512 << 20) },
    only: { type: 'string' },
    pause: { type: 'string', default: '200' },
    refill: { type: 'boolean', default: false },
  },
})

interface Samples {
  count: number
  phase: Uint8Array
  bytes: Float64Array
  startNs: Float64Array
  ns: Float64Array
}
interface Outcome {
  cache: { obtained: string; because: string; residentBytes: number | null }
  error: { action: string; cause: string } | null
}
interface Run {
  takeSamples(): Samples | null
  finished: Promise<Outcome>
}
const addon = createRequire(import.meta.url)(ADDON) as {
  startTimedRun(options: object): Run
  timingOverheadNs(): number
}
/** Values of `TIMED_PHASE` in src/engine/native/timing.ts. */
const PHASE = { write: 3, read: 4, randomRead: 6, flush: 10 }

const MIB = 1 << 20
const bytes = Number(given.bytes)
const scratch = mkdtempSync(join(resolve(given.folder), 'stowage-bench-'))
const dataFile = join(scratch, 'stowage-measure-data', 'data.timed')

async function timedRun(options: object): Promise<Map<number, { bytes: number; ns: number }>> {
  const run = addon.startTimedRun({
    directory: Buffer.from(scratch),
    runFolder: '',
    files: [{ name: Buffer.from(dataFile), foreign: true, bytes, seed: 0 }],
    cacheMode: 'uncached',
    flush: 'each',
    preallocate: true,
    keepFolder: false,
    minimumFreeBytes: 4 * bytes,
    ...options,
  })
  const { cache, error } = await run.finished
  if (error) throw new Error(`cannot ${error.action}: ${error.cause}`)
  if (cache.obtained !== 'uncached' || (cache.residentBytes ?? 0) > 0) throw new Error(cache.because)
  const sums = new Map<number, { bytes: number; ns: number }>()
  for (let batch = run.takeSamples(); batch; batch = run.takeSamples()) {
    for (let i = 0; i < batch.count; i++) {
      const phase = batch.phase[i] as number
      const sum = sums.get(phase) ?? { bytes: 0, ns: 0 }
      sum.bytes += batch.bytes[i] as number
      sum.ns += batch.ns[i] as number
      sums.set(phase, sum)
    }
  }
  return sums
}

/**
 * Our memory lies in huge pages, so fio's must: of ordinary ones each request has as many pieces as luck laid them. They are
 * set aside by root alone, and only while this runs.
 */
const RESERVED = '/proc/sys/vm/nr_hugepages'
function reserveHugePages(): string[] {
  try {
    const before = readFileSync(RESERVED, 'utf8')
    writeFileSync(RESERVED, String(Number(before) + 40))
    process.on('exit', () => writeFileSync(RESERVED, before))
    return ['--mem=mmaphuge']
  } catch (error) {
    console.log(`fio writes and reads in ordinary pages: ${(error as Error).message}`)
    return []
  }
}
const inHugePages = reserveHugePages()

const rateOf = (sum: { bytes: number; ns: number } | undefined) =>
  sum ? (sum.bytes / sum.ns) * 1e9 : Number.NaN

async function ownWrite(depth: number): Promise<number> {
  const sums = await timedRun({
    runFolder: 'stowage-measure-write',
    files: [{ name: Buffer.from('w'), foreign: false, bytes, seed: seeds++ }],
    steps: [
      { op: 'create', file: 0 },
      { op: 'write', file: 0, requestBytes: MIB, depth },
    ],
  })
  const write = sums.get(PHASE.write)
  return rateOf(write && { bytes: write.bytes, ns: write.ns + (sums.get(PHASE.flush)?.ns ?? 0) })
}

async function ownRead(depth: number): Promise<number> {
  return rateOf(
    (await timedRun({ steps: [{ op: 'read', file: 0, requestBytes: MIB, depth }] })).get(PHASE.read),
  )
}

async function ownRandom(depth: number, count: number): Promise<number> {
  const steps = [{ op: 'randomRead', file: 0, requestBytes: 4096, depth, count, seed: seeds++ }]
  return rateOf((await timedRun({ steps })).get(PHASE.randomRead))
}
let seeds = 1

function fio(kind: 'read' | 'write', depth: number, flags: string[]): number {
  const engine = depth === 1 ? ['--ioengine=psync'] : ['--ioengine=libaio', `--iodepth=${depth}`]
  const json = execFileSync(
    'fio',
    ['--name=peer', '--direct=1', ...inHugePages, '--output-format=json', '--thread', ...engine, ...flags],
    { encoding: 'utf8', maxBuffer: 16 << 20 },
  )
  const parsed = JSON.parse(json.slice(json.indexOf('{'))) as {
    jobs: Record<'read' | 'write', { io_bytes: number; runtime: number }>[]
  }
  const { io_bytes, runtime } = (parsed.jobs[0] as (typeof parsed.jobs)[0])[kind]
  return (io_bytes / runtime) * 1000
}

const fioRead = (depth: number) =>
  fio('read', depth, [`--filename=${dataFile}`, `--size=${bytes}`, '--rw=read', '--bs=1m', '--readonly'])
const fioRandom = (depth: number, count: number) =>
  fio('read', depth, [
    `--filename=${dataFile}`,
    `--size=${bytes}`,
    `--io_size=${count * 4096}`,
    '--rw=randread',
    '--bs=4k',
    '--readonly',
    '--randrepeat=0',
    '--norandommap',
  ])
/** As many threads as requests, each with one request at a time: our own way. */
const fioRandomThreads = (threads: number, count: number) =>
  fio('read', 1, [
    `--filename=${dataFile}`,
    `--size=${bytes}`,
    `--io_size=${(count / threads) * 4096}`,
    '--rw=randread',
    '--bs=4k',
    '--readonly',
    '--randrepeat=0',
    '--norandommap',
    `--numjobs=${threads}`,
    '--group_reporting',
  ])
const fioWrite = (depth: number) =>
  fio('write', depth, [
    `--filename=${join(scratch, 'fio.data')}`,
    `--size=${bytes}`,
    '--rw=write',
    '--bs=1m',
    '--fallocate=native',
    '--end_fsync=1',
    '--unlink=1',
    '--scramble_buffers=0',
    `--refill_buffers=${given.refill ? 1 : 0}`,
  ])

const TESTS: { name: string; own(): Promise<number>; peer(): number; unit: string; scale: number }[] = [
  { name: 'write1', own: () => ownWrite(1), peer: () => fioWrite(1), unit: 'MB/s', scale: 1e6 },
  { name: 'write4', own: () => ownWrite(4), peer: () => fioWrite(4), unit: 'MB/s', scale: 1e6 },
  { name: 'read1', own: () => ownRead(1), peer: () => fioRead(1), unit: 'MB/s', scale: 1e6 },
  { name: 'read4', own: () => ownRead(4), peer: () => fioRead(4), unit: 'MB/s', scale: 1e6 },
  {
    name: 'random1',
    own: () => ownRandom(1, 20_000),
    peer: () => fioRandom(1, 20_000),
    unit: 'IOPS',
    scale: 4096,
  },
  {
    name: 'random16',
    own: () => ownRandom(16, 80_000),
    peer: () => fioRandom(16, 80_000),
    unit: 'IOPS',
    scale: 4096,
  },
  {
    name: 'threads16',
    own: () => ownRandom(16, 80_000),
    peer: () => fioRandomThreads(16, 80_000),
    unit: 'IOPS',
    scale: 4096,
  },
]

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))

try {
  const overhead = Array.from({ length: 9 }, () => addon.timingOverheadNs()).toSorted((a, b) => a - b)
  console.log(
    `timing one operation costs ${overhead[4]?.toFixed(0)} ns (${overhead[0]?.toFixed(0)} to ${overhead[8]?.toFixed(0)} in 9 series of 20,000)`,
  )
  await timedRun({
    runFolder: 'stowage-measure-data',
    keepFolder: true,
    files: [{ name: Buffer.from('data'), foreign: false, bytes, seed: 77 }],
    steps: [
      { op: 'create', file: 0 },
      { op: 'write', file: 0, requestBytes: MIB, depth: 1 },
    ],
  })
  const tests = TESTS.filter((test) => !given.only || given.only.split(',').includes(test.name))
  const found = tests.map((test) => ({ test, own: [] as number[], peer: [] as number[] }))
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort()) // ends after the round and prints what there is
  for (let round = 0; round < Number(given.rounds) && !stop.signal.aborted; round++) {
    for (const { test, own, peer } of found) {
      await pause(Number(given.pause))
      if (round % 2 === 0) own.push(await test.own())
      peer.push(test.peer())
      await pause(Number(given.pause))
      if (round % 2 === 1) own.push(await test.own())
    }
  }
  for (const { test, own, peer } of found) {
    const ratios = own.map((rate, round) => rate / (peer[round] as number))
    const ratio = medianWithInterval(ratios)
    const speed = (rates: number[]) => (medianWithInterval(rates).median / test.scale).toFixed(0)
    console.log(
      `${test.name.padEnd(9)} ours ${speed(own)} ${test.unit}, fio ${speed(peer)}: ratio ${ratio.median.toFixed(3)}, ` +
        `${(100 * ratio.confidence).toFixed(1)} % interval ${ratio.low.toFixed(3)} to ${ratio.high.toFixed(3)}, n ${ratios.length}`,
    )
    console.log(`         ${ratios.map((value) => value.toFixed(2)).join(' ')}`)
  }
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
