/**
 * The CPU time of Stowage's image writer and of `genisoimage -udf`, in turn, on large files and on small ones, both to
 * /dev/null from the cache.
 * Run with Node 24 after `npm run -s stowage -- --version`: node tests/bench/speed/discImage.ts [--runs 7] [--json FILE].
 * Everything it makes is removed at the end.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { cpus, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { RawContentSource, RawDiscImage } from '../../../src/engine/native/rawDiscImage.ts'
import { seededRandom } from '../../../src/primitives/seededRandom.ts'
import { writeResult } from '../writeResult.ts'

const { values: given } = parseArgs({
  options: { runs: { type: 'string', default: '7' }, json: { type: 'string' } },
})
const require = createRequire(import.meta.url)
const addon = require(resolve(import.meta.dirname, '../../../build/native/stowage.node')) as RawDiscImage

interface Tree {
  readonly name: string
  readonly folder: string
  /** Paths below the folder, folders before what they hold. */
  readonly entries: readonly { readonly path: string; readonly bytes: number | null }[]
}

const scratch = mkdtempSync(join(tmpdir(), 'stowage-disc-image-'))

function tree(name: string, folders: number, files: number, bytesOf: (file: number) => number): Tree {
  const random = seededRandom(1)
  const folder = join(scratch, name)
  const entries: Tree['entries'][number][] = []
  for (let at = 0; at < folders; at++) {
    mkdirSync(join(folder, `folder-${at}`), { recursive: true })
    entries.push({ path: `folder-${at}`, bytes: null })
    for (let file = 0; file < files; file++) {
      const content = new Uint8Array(bytesOf(file))
      random.fillBytes(content)
      const path = `folder-${at}/file-${file}.dat`
      writeFileSync(join(folder, path), content)
      entries.push({ path, bytes: content.length })
    }
  }
  return { name, folder, entries }
}

async function ours({ folder, entries }: Tree, hashes: boolean): Promise<number> {
  const before = process.cpuUsage()
  const count = entries.length + 1
  const numbers = new Map([['', 0]])
  const parents = new Uint32Array(count)
  const kinds = new Uint8Array(count)
  const bytes = new Float64Array(count)
  const nameEnds = new Uint32Array(count)
  const names: string[] = ['']
  const sources: RawContentSource[] = []
  entries.forEach((entry, index) => {
    const number = index + 1
    const slash = Math.max(0, entry.path.lastIndexOf('/'))
    numbers.set(entry.path, number)
    parents[number] = numbers.get(entry.path.slice(0, slash)) ?? 0
    kinds[number] = entry.bytes === null ? 0 : 1
    bytes[number] = entry.bytes ?? 0
    names.push(entry.path.slice(slash === 0 ? 0 : slash + 1))
    nameEnds[number] = (nameEnds[number - 1] ?? 0) + Buffer.byteLength(names.at(-1) ?? '')
    if (entry.bytes !== null)
      sources.push({ entry: number, path: Buffer.from(join(folder, entry.path)), offset: 0, sha256: null })
  })
  const layout = await addon.layOutDiscImage({
    kinds,
    parents,
    bytes,
    nameEnds,
    names: Buffer.from(names.join('')),
    lasts: new Uint8Array(count),
    contents: Uint32Array.from({ length: count }, (_, at) => at),
    modes: new Uint32Array(count).fill(0o444),
    users: new Uint32Array(count),
    groups: new Uint32Array(count),
    seconds: new Float64Array(count),
    nanoseconds: new Uint32Array(count),
    targets: new Uint8Array(),
    targetEnds: new Uint32Array(count),
    label: 'BENCH',
    uniqueId: '0123456789ABCDEF',
    application: 'STOWAGE',
    madeSeconds: 0,
  }).finished
  const output = openSync('/dev/null', 'w')
  const end = await layout.write(output, sources, hashes, hashes).finished
  closeSync(output)
  if (end.failure) throw new Error(end.failure.cause)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** CPU milliseconds of a program, from its own times in /proc: GNU time is not everywhere. */
function programMs(program: string, args: readonly string[]): number {
  const script =
    'const { spawnSync } = require("child_process"); ' +
    'const end = spawnSync(process.argv[1], process.argv.slice(2), { stdio: "ignore" });' +
    'const stat = require("fs").readFileSync("/proc/self/stat", "utf8"); const f = stat.slice(stat.lastIndexOf(")") + 2).split(" ");' +
    'console.log(end.status, (Number(f[13]) + Number(f[14])) * 10)'
  const { stdout } = spawnSync(process.execPath, ['-e', script, program, ...args], { encoding: 'utf8' })
  const [status, ms] = stdout.trim().split(' ').map(Number)
  if (status !== 0) throw new Error(`${program} ended with ${status}`)
  return ms ?? 0
}

function digestMs(folder: string, entries: Tree['entries']): number {
  const before = process.cpuUsage()
  for (const { path, bytes } of entries)
    if (bytes !== null)
      createHash('sha256')
        .update(readFileSync(join(folder, path)))
        .digest()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0

try {
  const trees = [
    tree('1 GiB in 8 files', 1, 8, () => 128 * 1024 * 1024),
    tree('20,000 small files', 100, 200, (file) => 3000 + (file % 50) * 100),
  ]
  const rows = []
  for (const one of trees) {
    const theirs: number[] = []
    const own: number[] = []
    const hashed: number[] = []
    const digests: number[] = []
    await ours(one, false)
    for (let run = 0; run < Number(given.runs); run++) {
      theirs.push(
        programMs('genisoimage', ['-quiet', '-udf', '-r', '-iso-level', '3', '-o', '/dev/null', one.folder]),
      )
      own.push(Math.round(await ours(one, false)))
      hashed.push(Math.round(await ours(one, true)))
      digests.push(Math.round(digestMs(one.folder, one.entries)))
    }
    const ratios = own.map((ms, at) => ms / (theirs[at] ?? 1))
    rows.push({
      tree: one.name,
      bytes: one.entries.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0),
      genisoimageCpuMs: theirs,
      ownCpuMs: own,
      ownWithDigestsCpuMs: hashed,
      sha256CpuMs: digests,
      ratioMedian: Number(median(ratios).toFixed(2)),
      ratioLeast: Number(Math.min(...ratios).toFixed(2)),
      ratioMost: Number(Math.max(...ratios).toFixed(2)),
      digestsRatioMedian: Number(
        median(hashed.map((ms, at) => (ms - (own[at] ?? 0)) / (digests[at] ?? 1))).toFixed(2),
      ),
    })
  }
  console.log(JSON.stringify({ processor: cpus()[0]?.model, rows }, null, 1))
  if (given.json !== undefined)
    writeResult(given.json, {
      question: 'What does an image of our own cost compared with genisoimage -udf?',
      rows,
      notes: [
        'CPU time; cached; to /dev/null. genisoimage in steps of 10 ms',
        'digests: of every file and of the image, so twice the bytes; sha256CpuMs is one digest of the files by Node with its reading',
      ],
    })
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
