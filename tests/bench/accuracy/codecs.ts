/**
 * Forecasts of codecs against real runs of the tools. Run with Node 24: node tests/bench/accuracy/codecs.ts
 * [--sets media,source,releases,logs,tiny,disk,programs and the same with -2: held out] [--samples fast,normal,thorough] [--seeds 1]
 * [--share 1] [--brief: only figures that are off by more than the target, or whose range misses]
 * `--patient` lets only CPU time end a forecast, not the clock: for machines that others use too.
 * `--share 0.3` keeps at most that share of each set as samples, as if the sets were larger than what a level keeps.
 * Sets and real runs are kept in .cache/truth, so that a second run only forecasts. Needs gzip, zstd, lz4 and python3.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { CACHE, median, percent, withBundle } from './bundled.ts'

type Bench = typeof import('./forecastSet.ts')

const { values: given } = parseArgs({
  options: {
    sets: { type: 'string' },
    brief: { type: 'boolean', default: false },
    samples: { type: 'string', default: 'normal' },
    seeds: { type: 'string', default: '1' },
    share: { type: 'string', default: '1' },
    patient: { type: 'boolean', default: false },
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
const rows: Row[] = []
await withBundle('forecastSet.ts', async (bench: Bench) => {
  const tool = await bench.sevenZipPath()
  for (const name of given.sets?.split(',') ?? Object.keys(bench.SETS)) {
    const folder = bench.setFolder(CACHE, name)
    const startMs = performance.now()
    const truth = {
      ...bench.realRuns(folder, join(CACHE, `${name}.truth.json`), tool),
      ...bench.realTogether(folder, join(CACHE, `${name}.together.json`)),
    }
    const took = ((performance.now() - startMs) / 1000).toFixed(1)
    console.log(
      `\n${name}: real runs took ${took} s; equal beginnings of compressed files would save ${percent(1 - (truth['equalBeginnings'] ?? 1))} more`,
    )
    for (const level of given.samples.split(',')) {
      for (let seed = 1; seed <= Number(given.seeds); seed++)
        await compare(bench, name, folder, truth, level, seed)
    }
  }
})
summary()

async function compare(
  bench: Bench,
  name: string,
  folder: string,
  truth: Record<string, number>,
  level: string,
  seed: number,
): Promise<void> {
  const startMs = performance.now()
  const cpu = process.cpuUsage()
  const found = await bench.forecastSet(folder, level as 'normal', seed, Number(given.share), given.patient)
  const used = process.cpuUsage(cpu)
  const wall = ((performance.now() - startMs) / 1000).toFixed(1)
  const cpuSeconds = ((used.user + used.system) / 1e6).toFixed(1)
  console.log(
    `${name} ${level} seed ${seed}: ${(found.bytes / 1e6).toFixed(1)} MB, ${wall} s wall, ${cpuSeconds} s CPU here without 7-Zip`,
  )
  console.log(
    `${'figure'.padEnd(38)} forecast       low      high    actual   error    half  holds  sampled MB    MB/s`,
  )
  for (const one of found.compression) {
    const key = one.recordSize === null ? one.codec : `${one.codec}@${one.recordSize}`
    const more = `${(one.sampledBytes / 1e6).toFixed(2).padStart(11)} ${(one.bytesPerSecond / 1e6).toFixed(1).padStart(7)}`
    tell({ level, scope: one.scope }, key, [one.predictedBytes, one.low, one.high], truth[key], more)
  }
  for (const one of found.combined) {
    const key = `${one.method}/${one.codec}@${one.recordSize}/${one.sectorBytes}`
    tell({ level, scope: one.method }, key, [one.predictedBytes, one.low, one.high], truth[key], '')
    if (one.method !== 'zfs') continue
    const entries = [one.tableEntries, one.tableEntriesLow, one.tableEntriesHigh] as const
    tell({ level, scope: 'entries' }, `#${key}`, entries, truth[`#${key}`], '')
  }
  if (found.compressedAlready.length > 0) {
    console.log(`compressed already: ${found.compressedAlready.map((one) => one.stratum).join(', ')}`)
  }
}

function tell(
  of: { readonly level: string; readonly scope: string },
  key: string,
  [predicted, low, high]: readonly [value: number, low: number, high: number],
  actual: number | undefined,
  more: string,
): void {
  if (actual === undefined || actual === 0) return
  const error = predicted / actual - 1
  const half = (high - low) / 2 / actual
  const covered = low <= actual && actual <= high
  rows.push({ ...of, error, half, covered })
  if (given.brief && covered && Math.abs(error) <= limitOf(of.level)) return
  const figures = [predicted, low, high, actual].map((value) => (value / 1000).toFixed(0).padStart(9))
  console.log(
    `${key.padEnd(37)} ${figures.join(' ')} ${percent(error)} ${percent(half)} ${covered ? '  yes' : '   NO'} ${more}`,
  )
}

function limitOf(level: string): number {
  return level === 'thorough' ? 0.02 : 0.04
}

function summary(): void {
  for (const level of given.samples.split(',')) {
    for (const scope of [
      'file',
      'record',
      'deduplicate-compress',
      'compress-deduplicate',
      'zfs',
      'entries',
    ]) {
      const some = rows.filter((row) => row.level === level && row.scope === scope)
      if (some.length === 0) continue
      const errors = some.map((row) => Math.abs(row.error))
      const within = errors.filter((error) => error <= limitOf(level)).length
      const covered = some.filter((row) => row.covered).length
      console.log(
        `${level} ${scope}: ${some.length} figures, median |error| ${percent(median(errors))}, worst ${percent(Math.max(...errors))}, within ${limitOf(level) * 100} %: ${within}, ranges hold ${percent(covered / some.length)}, median half-width ${percent(median(some.map((row) => row.half)))}`,
      )
    }
  }
}
