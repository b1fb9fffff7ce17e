/**
 * Forecasts of many solid archives against real ones by 7-Zip: one for each title of a folder, one for each group of files that
 * share data. Run with Node 24: node tests/bench/accuracy/grouped.ts
 * [--sets roms,collections,releases,programs,source] [--samples normal] [--seeds 1] [--dictionaries 1,32]
 * Sets and real archives are kept in .cache/truth, so that a second run only forecasts. Needs python3.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { CACHE, median, percent, withBundle } from './bundled.ts'
import { realGroups, type WantedArchive } from './groupedRuns.ts'

type Bench = typeof import('./solidSet.ts')

const MIB = 1024 * 1024
const { values: given } = parseArgs({
  options: {
    sets: { type: 'string', default: 'roms,collections,releases,programs,source' },
    samples: { type: 'string', default: 'normal' },
    seeds: { type: 'string', default: '1' },
    dictionaries: { type: 'string', default: '1,32' },
  },
})
const dictionaries = given.dictionaries.split(',').map((size) => Number(size) * MIB)

mkdirSync(CACHE, { recursive: true })
const errors: number[] = []
const halves: number[] = []
let held = 0
await withBundle('solidSet.ts', async (bench: Bench) => {
  const tool = await bench.sevenZipPath()
  for (const name of given.sets.split(',')) {
    for (let seed = 1; seed <= Number(given.seeds); seed++) await compare(bench, tool, name, seed)
  }
})
console.log(
  `\n${errors.length} figures: median |error| ${percent(median(errors))}, worst ${percent(Math.max(...errors))}, within 10 %: ${errors.filter((error) => error <= 0.1).length}, ranges that held: ${held}, median half-width ${percent(median(halves))}`,
)

async function compare(bench: Bench, tool: string, name: string, seed: number): Promise<void> {
  const folder = bench.solidSetFolder(CACHE, name)
  const found = await bench.forecastSolidSet(folder, given.samples as 'normal', seed, dictionaries, 512 * MIB)
  console.log(
    `\n${name} ${given.samples} seed ${seed}: ${found.files} files, ${(found.bytes / 1e6).toFixed(1)} MB; all solid forecasts in ${(found.wallMs / 1000).toFixed(1)} s, ${(found.cpuMs / 1000).toFixed(1)} s of CPU here without 7-Zip`,
  )
  console.log(
    'by      dictionary  archives (real)  distinct (real)  forecast       low      high    actual   error  covers   distinct    actual   error',
  )
  for (const row of found.grouped) {
    // No DAT is given.
    if (row.by === 'dat' || row.by === 'sets') continue
    const wanted = wantedOf(bench, folder, found, row.by)
    const real = realGroups(wanted, row.dictionaryBytes, tool, join(CACHE, `grouped-${name}.real.json`))
    const error = row.predictedBytes / real.bytes - 1
    const distinctError = row.distinctBytes / real.distinctBytes - 1
    const covers = row.low <= real.bytes && real.bytes <= row.high
    errors.push(Math.abs(error))
    halves.push((row.high - row.low) / 2 / real.bytes)
    held += covers ? 1 : 0
    const counts = [
      `${row.archives} (${real.archives})`.padStart(16),
      `${row.distinctArchives} (${real.distinctArchives})`.padStart(16),
    ]
    const kilo = (bytes: number): string => (bytes / 1000).toFixed(0).padStart(9)
    console.log(
      `${row.by.padEnd(7)} ${`${row.dictionaryBytes / MIB} MiB`.padStart(10)} ${counts.join(' ')} ${[row.predictedBytes, row.low, row.high, real.bytes].map(kilo).join(' ')} ${percent(error)} ${covers ? '  yes' : '   NO'}  ${kilo(row.distinctBytes)} ${kilo(real.distinctBytes)} ${percent(distinctError)}`,
    )
  }
}

function wantedOf(
  bench: Bench,
  folder: string,
  { pathOrder, contentGroups }: Awaited<ReturnType<Bench['forecastSolidSet']>>,
  by: 'titles' | 'groups',
): WantedArchive[] {
  const groups = new Map<string | number, string[]>()
  for (const [place, { path }] of pathOrder.entries()) {
    const key = by === 'titles' ? bench.titlePlace(path) : (contentGroups.groups[place] as number)
    const known = groups.get(key)
    if (known) known.push(path)
    else groups.set(key, [path])
  }
  return [...groups].map(([key, paths]) => {
    if (typeof key === 'number') return { folder, names: paths }
    const below = key.slice(0, key.lastIndexOf('/') + 1)
    return {
      folder: join(folder, Buffer.from(below, 'latin1').toString()),
      names: paths.map((path) => bench.titleMember(path)),
    }
  })
}
