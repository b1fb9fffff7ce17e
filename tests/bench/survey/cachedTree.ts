/**
 * The survey's quick pass over a cached tree (in this process, `pass`) and the whole `stowage survey --quick` command with
 * its catalog (`command`) against reading it with cat and against restic's dry run, in alternated runs. With --chunkers
 * both cut chunks too (`--samples none`). Run with Node 24: node tests/bench/survey/cachedTree.ts [--runs 5]
 * [--files 80000] [--bytes 1500000000] [--tree FOLDER (made there once, and kept)] [--no-restic] [--chunkers].
 * Prints every sample, medians, spreads and ratios.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { CHUNKERS, cutRuleOf } from '../../../src/domain/chunking/chunkers.ts'
import { writeTree } from '../../fixtures/treeOfFiles.ts'

const { values: given } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    files: { type: 'string', default: '80000' },
    bytes: { type: 'string', default: '1500000000' },
    tree: { type: 'string' },
    threads: { type: 'string', default: '0' },
    sha256: { type: 'boolean', default: false },
    chunkers: { type: 'boolean', default: false },
    'sample-bytes': { type: 'string', default: '0' },
    'no-marks': { type: 'boolean', default: false },
    'no-restic': { type: 'boolean', default: false },
  },
})

const chunkers = Float64Array.from(
  CHUNKERS.map(cutRuleOf).flatMap((rule) => [
    rule.minBytes,
    rule.normalBytes,
    rule.maxBytes,
    rule.oddsBefore,
    rule.oddsAfter,
  ]),
)

interface Survey {
  takeEntries(): { count: number } | null
  blockLevels(): { uniqueBytes: number; bytes: number }[]
  finished: Promise<{ threads: number; peakRssBytes: number }>
}
const addonPath =
  process.env['STOWAGE_ADDON'] ?? resolve(import.meta.dirname, '../../../build/native/stowage.node')
const addon = createRequire(import.meta.url)(addonPath) as {
  startSurvey(options: object): Survey
  blockHash: string
}

const scratch = mkdtempSync(join(tmpdir(), 'stowage-bench-'))
const tree = resolve(given.tree ?? join(scratch, 'tree'))
const finishedMark = `${tree}.complete`

async function survey(): Promise<void> {
  const running = addon.startSurvey({
    roots: [Buffer.from(tree)],
    blocksFrom512: false,
    sha256: given.sha256,
    sampleBytes: Number(given['sample-bytes']),
    chunkers: given.chunkers ? chunkers : new Float64Array(),
    maxTableBytes: 512 << 20,
    marks: !given['no-marks'],
    known: null,
    threads: Number(given.threads),
  })
  await running.finished
  while (running.takeEntries()) {}
  running.blockLevels()
}

const bundle = resolve(import.meta.dirname, '../../../dist/cli/stowage.cjs')
function command(): void {
  const env = { ...process.env, STOWAGE_HOME: join(scratch, 'home') }
  const flags = given.sha256 ? ['--sha256'] : []
  execFileSync(
    process.execPath,
    [bundle, 'survey', tree, '--json', given.chunkers ? '--samples=none' : '--quick', ...flags],
    { env, stdio: 'ignore' },
  )
}

function cat(): void {
  execFileSync('sh', ['-c', 'find "$1" -type f -print0 | xargs -0 cat > /dev/null', 'sh', tree])
}

let repositories = 0
function restic(): () => void {
  const repository = join(scratch, `restic-${repositories++}`)
  const env = { ...process.env, RESTIC_PASSWORD: 'bench', RESTIC_REPOSITORY: repository }
  const cache = ['--cache-dir', join(scratch, 'restic-cache')]
  execFileSync('restic', [...cache, 'init'], { env, stdio: 'ignore' })
  return () =>
    execFileSync('restic', [...cache, 'backup', '--dry-run', '--quiet', tree], { env, stdio: 'ignore' })
}

async function timed(work: () => unknown): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

function median(samples: number[]): number {
  const sorted = samples.toSorted((a, b) => a - b)
  const half = sorted.length >> 1
  return sorted.length % 2 === 1
    ? (sorted[half] as number)
    : ((sorted[half - 1] as number) + (sorted[half] as number)) / 2
}

try {
  if (!existsSync(finishedMark)) {
    rmSync(tree, { recursive: true, force: true })
    mkdirSync(tree, { recursive: true })
    const shape = { seed: 11, files: Number(given.files), totalBytes: Number(given.bytes), duplicates: 0.3 }
    const bytes = writeTree(tree, { ...shape, filesPerFolder: 40 })
    writeFileSync(finishedMark, `${bytes}\n`)
    console.log(`wrote ${given.files} files, ${bytes} bytes`)
  }
  cat() // into the cache
  const times: Record<string, number[]> = { pass: [], command: [], cat: [] }
  if (!given['no-restic']) times['restic'] = []
  for (let run = 0; run < Number(given.runs); run++) {
    times['pass']?.push(await timed(survey))
    times['command']?.push(await timed(command))
    times['cat']?.push(await timed(cat))
    const backup = times['restic'] && restic()
    if (backup) times['restic']?.push(await timed(backup))
  }
  console.log(`block hash ${addon.blockHash}`)
  for (const [name, samples] of Object.entries(times)) {
    const all = samples.map((sample) => sample.toFixed(0)).join(' ')
    const spread = `${Math.min(...samples).toFixed(0)} to ${Math.max(...samples).toFixed(0)}`
    console.log(`${name.padEnd(7)} median ${median(samples).toFixed(0)} ms, ${spread} ms (${all})`)
  }
  for (const own of ['pass', 'command']) {
    const ms = median(times[own] as number[])
    console.log(`${own} / cat = ${(ms / median(times['cat'] as number[])).toFixed(2)}`)
    if (times['restic']) console.log(`restic / ${own} = ${(median(times['restic']) / ms).toFixed(1)}`)
  }
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
