/**
 * CPU time a byte (user and system) of the survey's pass without samples, in turns with `cat`, on two seeded trees that are
 * in the cache: media-like (random bytes, 4 MB a file) and releases-like (text, each release with a tenth of the files of
 * the one before changed). At every level that STOWAGE_CPU can force on this processor. Clock times are not printed: other
 * work on the machine changes them, CPU times less.
 *   node tests/bench/speed/pass.ts [--rounds 5] [--media 800000000] [--releases 300000000] [--against OTHER.node]
 *   [--json FILE]
 * `--against` measures another build of the addon as well. `quick`: blocks and digests; `full`: with every chunker and
 * the sketch; `full, SHA-256`: with its digests. Each run is a process of its own.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { CHUNKERS, cutRuleOf } from '../../../src/domain/survey/chunkers.ts'
import { seededRandom } from '../../../src/primitives/seededRandom.ts'
import { ADDON } from '../../support/nativeAddon.ts'
import { rounded, writeResult } from '../writeResult.ts'
import { medianWithInterval } from './medianInterval.ts'

const KINDS = ['quick', 'full', 'full, SHA-256'] as const
type Kind = (typeof KINDS)[number]
const LEVELS = ['avx512', 'avx2', 'portable']
const TABLE_BYTES = 512 << 20

interface Pass {
  takeEntries(): { count: number; bytes: Float64Array } | null
  readonly finished: Promise<unknown>
}
interface Addon {
  startSurvey(options: object): Pass
  readonly blockHash: string
}

const { values: given } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    media: { type: 'string', default: '800000000' },
    releases: { type: 'string', default: '300000000' },
    against: { type: 'string' },
    json: { type: 'string' },
    // Of a run's own process.
    addon: { type: 'string' },
    kind: { type: 'string' },
    tree: { type: 'string' },
  },
})

if (given.addon !== undefined) await runOnce(given.addon, given.kind as Kind, given.tree as string)
else await compare()

/** Every draw of every chunker, as the engine asks for them. */
function chunkerNumbers(): Float64Array {
  return Float64Array.from(
    CHUNKERS.flatMap((chunker) => {
      const rule = cutRuleOf(chunker)
      const numbers = [rule.minBytes, rule.normalBytes, rule.maxBytes, rule.oddsBefore, rule.oddsAfter]
      const runs = { nowhere: 0, zeros: 1, any: 2 }[chunker.cutsInRuns]
      const window = { short: 0, long: 1 }[chunker.window]
      return Array.from({ length: chunker.draws }, (_, draw) => [...numbers, draw, runs, window]).flat()
    }),
  )
}

async function runOnce(path: string, kind: Kind, tree: string): Promise<void> {
  const addon = createRequire(import.meta.url)(path) as Addon
  const before = process.cpuUsage()
  const pass = addon.startSurvey({
    roots: [Buffer.from(tree)],
    leaveOut: [],
    rules: null,
    countExcluded: false,
    walkOnly: false,
    listFirst: false,
    blocksFrom512: false,
    blockSizes: new Float64Array(),
    sha256: kind === 'full, SHA-256',
    chunkers: kind === 'quick' ? new Float64Array() : chunkerNumbers(),
    maxTableBytes: TABLE_BYTES,
    marks: kind !== 'quick',
    anchors: false,
    fingerprints: null,
    known: null,
    sampleBytes: 0,
    threads: 2,
  })
  await pass.finished
  let bytes = 0
  for (let some = pass.takeEntries(); some !== null; some = pass.takeEntries())
    for (const size of some.bytes) bytes += size
  const { user, system } = process.cpuUsage(before)
  console.log(JSON.stringify({ level: addon.blockHash, bytes, user, system }))
}

function writeTrees(parent: string): Record<string, string> {
  const trees = { media: join(parent, 'media'), releases: join(parent, 'releases') }
  const random = seededRandom(27)
  mkdirSync(trees.media)
  const content = new Uint8Array(4_000_000)
  for (let written = 0, file = 0; written < Number(given.media); file++, written += content.length) {
    random.fillBytes(content)
    writeFileSync(join(trees.media, `${file}.mp4`), content)
  }
  const words = Array.from({ length: 5000 }, () => random.uint32().toString(36))
  const text = (): string =>
    Array.from(
      { length: 100 + random.below(4000) },
      () => words[Math.floor(words.length * random.unit() ** 3)],
    ).join(' ')
  const files = Array.from({ length: 2500 }, text)
  for (let written = 0, release = 0; written < Number(given.releases); release++) {
    const folder = join(trees.releases, `${release}`)
    mkdirSync(folder, { recursive: true })
    for (const [index, file] of files.entries()) {
      const now = random.unit() < 0.1 ? text() : file
      files[index] = now
      writeFileSync(join(folder, `${index}.c`), now)
      written += now.length
    }
  }
  return trees
}

/** CPU nanoseconds of the shell's children. */
function catNs(tree: string): number {
  const script = 'find "$1" -type f -print0 | xargs -0 cat > /dev/null; times'
  const reported = execFileSync('sh', ['-c', script, 'sh', tree], { encoding: 'utf8' })
  const children = reported.trim().split('\n').at(-1) ?? ''
  return [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + (Number(minutes) * 60 + Number(seconds)) * 1e9,
    0,
  )
}

function passCost(addon: string, level: string, kind: Kind, tree: string) {
  const argv = [import.meta.filename, '--addon', addon, '--kind', kind, '--tree', tree]
  const env = { ...process.env, STOWAGE_CPU: level }
  const reported = execFileSync(process.execPath, argv, { env, encoding: 'utf8' })
  return JSON.parse(reported) as { level: string; bytes: number; user: number; system: number }
}

/** The levels that this processor really has. */
function levelsHere(tree: string): string[] {
  if (process.arch === 'arm64') return ['neon', 'portable']
  return LEVELS.filter((level) => passCost(ADDON, level, 'quick', tree).level === level)
}

async function compare(): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'stowage-pass-'))
  try {
    const trees = writeTrees(scratch)
    const levels = levelsHere(trees['releases'] as string)
    const runs = levels.map((level) => ({ name: level, addon: ADDON, level }))
    if (given.against !== undefined)
      runs.push({ name: 'other build', addon: resolve(given.against), level: '' })
    const costs = new Map<string, number[]>()
    const note = (name: string, ns: number) => costs.set(name, [...(costs.get(name) ?? []), ns])
    const loads: number[] = []
    for (let round = 0; round < Number(given.rounds); round++) {
      for (const [treeName, tree] of Object.entries(trees)) {
        let bytes = 0
        for (const kind of KINDS) {
          for (const { name, addon, level } of runs) {
            const cost = passCost(addon, level, kind, tree)
            bytes = cost.bytes
            note(`${treeName} | ${kind} | ${name}`, ((cost.user + cost.system) * 1000) / bytes)
            note(`${treeName} | ${kind} | ${name}, user only`, (cost.user * 1000) / bytes)
          }
        }
        note(`${treeName} | | cat`, catNs(tree) / bytes)
        loads.push(loadavg()[0] ?? 0)
      }
    }
    const load = loads.map((value) => value.toFixed(0)).join(', ')
    const kernel = readFileSync('/proc/version', 'utf8').split(' ')[2]
    console.log(`${cpus().length} × ${cpus()[0]?.model}, Linux ${kernel}, load ${load}\n`)
    console.log('| tree | pass | level | ns of CPU a byte | least | most |\n|---|---|---|---|---|---|')
    const rows = [...costs].map(([name, samples]) => {
      const cells = [medianWithInterval(samples).median, Math.min(...samples), Math.max(...samples)]
      console.log(`| ${name} | ${cells.map((cell) => cell.toFixed(2)).join(' | ')} |`)
      const [tree, pass, level] = name.split('|').map((part) => part.trim())
      const [nsPerByte, least, most] = cells.map((cell) => rounded(cell, 2))
      return { tree, pass, level, nsPerByte, least, most }
    })
    if (given.json !== undefined)
      writeResult(given.json, {
        question: 'How much CPU time does the pass of a survey take for each byte?',
        rows,
        notes: [`Linux ${kernel}, load of the rounds ${load}.`],
      })
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}
