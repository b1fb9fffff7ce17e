/**
 * The CPU time of Stowage's images, in turn: its writer, `genisoimage -udf` and `openssl dgst -sha256` on large files and
 * on small ones, from the cache to /dev/null; the layout of a million files; `plan` of 200,000 files from a survey; `plan`
 * and `build` of 70,000 files of one folder.
 * Run with Node 24 after `npm run -s stowage -- --version`: node tests/bench/speed/discImage.ts [--runs 7] [--json FILE].
 * Everything it makes is removed at the end.
 */
import { spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { cpus, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { RawContentSource, RawDiscImage } from '../../../src/engine/native/rawDiscImage.ts'
import { seededRandom } from '../../../src/primitives/seededRandom.ts'
import { ADDON } from '../../support/nativeAddon.ts'
import { cpuMs, programMs, spread } from '../cpuTimes.ts'
import { type ResultRow, writeResult } from '../writeResult.ts'

const { values: given } = parseArgs({
  options: { runs: { type: 'string', default: '7' }, json: { type: 'string' } },
})
const require = createRequire(import.meta.url)
const addon = require(ADDON) as RawDiscImage

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

/** The columns of entries as the addon takes them. */
function columnsOf(entries: Tree['entries']): Parameters<RawDiscImage['layOutDiscImage']>[0] {
  const count = entries.length + 1
  const numbers = new Map([['', 0]])
  const parents = new Uint32Array(count)
  const kinds = new Uint8Array(count)
  const bytes = new Float64Array(count)
  const nameEnds = new Uint32Array(count)
  const names: string[] = ['']
  entries.forEach((entry, index) => {
    const number = index + 1
    const slash = Math.max(0, entry.path.lastIndexOf('/'))
    if (entry.bytes === null) numbers.set(entry.path, number)
    parents[number] = numbers.get(entry.path.slice(0, slash)) ?? 0
    kinds[number] = entry.bytes === null ? 0 : 1
    bytes[number] = entry.bytes ?? 0
    names.push(entry.path.slice(slash === 0 ? 0 : slash + 1))
    nameEnds[number] = (nameEnds[number - 1] ?? 0) + Buffer.byteLength(names.at(-1) ?? '')
  })
  return {
    kinds,
    parents,
    bytes,
    nameEnds,
    names: Buffer.from(names.join('')),
    ranks: new Uint8Array(count),
    contents: Uint32Array.from({ length: count }, (_, at) => at),
    modes: new Uint32Array(count).fill(0o444),
    users: new Uint32Array(count),
    groups: new Uint32Array(count),
    seconds: new Float64Array(count),
    nanoseconds: new Uint32Array(count),
    createdSeconds: new Float64Array(count).fill(Number.NaN),
    createdNanoseconds: new Uint32Array(count),
    targets: new Uint8Array(),
    targetEnds: new Uint32Array(count),
    label: 'BENCH',
    uniqueId: '0123456789ABCDEF',
    application: 'STOWAGE',
    madeSeconds: 0,
  }
}

async function ours({ folder, entries }: Tree, hashes: boolean): Promise<number> {
  const before = process.cpuUsage()
  const sources = entries.flatMap(({ path, bytes }, index): RawContentSource[] =>
    bytes === null
      ? []
      : [{ entry: index + 1, path: Buffer.from(join(folder, path)), offset: 0, sha256: null }],
  )
  const layout = await addon.layOutDiscImage(columnsOf(entries)).finished
  const output = openSync('/dev/null', 'w')
  const end = await layout.write(output, sources, hashes, hashes).finished
  closeSync(output)
  if (end.failure) throw new Error(end.failure.cause)
  return cpuMs(before)
}

async function layoutMs(folders: number, files: number): Promise<number> {
  const entries: Tree['entries'][number][] = []
  for (let at = 0; at < folders; at++) {
    entries.push({ path: `folder-${at}`, bytes: null })
    for (let file = 0; file < files; file++)
      entries.push({ path: `folder-${at}/photo of a long holiday, number ${file}.jpeg`, bytes: file })
  }
  const columns = columnsOf(entries)
  const before = process.cpuUsage()
  await addon.layOutDiscImage(columns).finished
  return cpuMs(before)
}

const COMMAND = resolve(import.meta.dirname, '../../../dist/cli/stowage.cjs')
const stowage = (...args: readonly string[]): number => programMs(process.execPath, [COMMAND, ...args])

/** Surveys a tree, and plans it so many times from that survey; builds each plan, if asked for. */
function planned({ name, folder }: Tree, times: number, builds: boolean): ResultRow {
  const argv = [COMMAND, 'survey', folder, '--samples', 'fast', '--json']
  const survey = JSON.parse(spawnSync(process.execPath, argv, { encoding: 'utf8' }).stdout) as { id: string }
  const planCpuMs: number[] = []
  const buildCpuMs: number[] = []
  for (let run = 0; run < times; run++) {
    const out = join(scratch, `plan ${run}`)
    planCpuMs.push(stowage('plan', '--survey', survey.id, '--medium', 'bd-r-25', '--out', out))
    if (builds) buildCpuMs.push(stowage('build', out))
    rmSync(out, { recursive: true })
  }
  rmSync(folder, { recursive: true })
  return { planOf: name, planCpuMs, ...(builds ? { buildCpuMs } : {}) }
}

const runs = Number(given.runs)

try {
  const trees = [
    tree('1 GiB in 8 files', 1, 8, () => 128 * 1024 * 1024),
    tree('20,000 small files', 100, 200, (file) => 3000 + (file % 50) * 100),
  ]
  const rows: ResultRow[] = []
  for (const one of trees) {
    const theirs: number[] = []
    const own: number[] = []
    const hashed: number[] = []
    const digests: number[] = []
    const files = one.entries.flatMap(({ path, bytes }) => (bytes === null ? [] : join(one.folder, path)))
    await ours(one, false)
    for (let run = 0; run < runs; run++) {
      theirs.push(
        programMs('genisoimage', ['-quiet', '-udf', '-r', '-iso-level', '3', '-o', '/dev/null', one.folder]),
      )
      own.push(await ours(one, false))
      hashed.push(await ours(one, true))
      digests.push(programMs('openssl', ['dgst', '-sha256', ...files]))
    }
    rows.push({
      tree: one.name,
      bytes: one.entries.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0),
      genisoimageCpuMs: theirs,
      ownCpuMs: own,
      ownWithDigestsCpuMs: hashed,
      opensslCpuMs: digests,
      ...spread(
        'ratio',
        own.map((ms, at) => ms / (theirs[at] ?? 1)),
      ),
      ...spread(
        'digestsInOpenssl',
        hashed.map((ms, at) => (ms - (own[at] ?? 0)) / (digests[at] ?? 1)),
      ),
    })
    rmSync(one.folder, { recursive: true })
  }
  const layouts: number[] = []
  for (let run = 0; run < runs; run++) layouts.push(await layoutMs(1000, 1000))
  rows.push({ layoutOf: '1,000,000 files in 1,000 folders', cpuMs: layouts, ...spread('cpuMs', layouts) })
  process.env.STOWAGE_HOME = join(scratch, 'home')
  const many = tree('200,000 files in 400 folders', 400, 500, (file) => 20 + 3 * file)
  rows.push(planned(many, Math.min(runs, 3), false))
  const flat = tree('70,000 files in one folder', 1, 70_000, (file) => 20 + (file % 1500))
  rows.push(planned(flat, Math.min(runs, 3), true))
  console.log(JSON.stringify({ processor: cpus()[0]?.model, rows }, null, 1))
  if (given.json !== undefined)
    writeResult(given.json, {
      question: 'What does an image of our own cost?',
      rows,
      notes: [
        'CPU time; cached; the first two to /dev/null. Programs in steps of 10 ms',
        'digests: of every file and of the image, so twice the bytes; digestsInOpenssl is their time, in times of openssl dgst -sha256 of the files',
      ],
    })
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
