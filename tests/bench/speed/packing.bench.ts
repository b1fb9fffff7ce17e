/**
 * Time of packing and distance from the lower bound on seeded inventories; prints one line for each: median, fastest and
 * slowest of the runs, CPU time (which a busy machine stretches less), volumes, bound, folder breaks. Run it with
 * `vitest run --config tests/bench/speed/vitest.bench.config.ts`; STOWAGE_BENCH_JSON names a file for the results.
 */
import { afterAll, expect, it } from 'vitest'
import { costsOf } from '../../../src/domain/sets/packing/costModel'
import type { InventoryItem } from '../../../src/domain/sets/packing/inventory'
import { packVolumes } from '../../../src/domain/sets/packing/packVolumes'
import type { FillBy } from '../../../src/domain/sets/placement'
import { systemClock } from '../../../src/primitives/clock'
import { seededRandom } from '../../../src/primitives/seededRandom'
import { logNormal, seededInventory } from '../../unit/domain/sets/packing/seededInventory'
import { type ResultRow, writeResult } from '../writeResult'

const CD = 359_424
const DVD = 2_295_104
const BD = 12_088_320

interface Instance {
  readonly name: string
  readonly items: InventoryItem[]
  readonly capacitySectors: number
  /** Volumes above the bound that are accepted; null where the bound is known to be weak. */
  readonly most: number | null
  /** The fewest volumes when absent. */
  readonly order?: FillBy
  readonly runs: number
}

/** Albums or projects: folders with a few to some hundred files of like size. */
function folders(
  seed: number,
  count: number,
  files: number,
  medianBytes: number,
  spread: number,
): InventoryItem[] {
  const random = seededRandom(seed)
  const items: InventoryItem[] = []
  for (let folder = 0; folder < count; folder++) {
    const size = logNormal(random, medianBytes, spread)
    const inside = 1 + random.below(2 * files)
    for (let k = 0; k < inside; k++) {
      const bytes = Math.floor((size / inside) * (0.5 + random.unit()))
      items.push({ index: items.length, path: `folder ${folder}/file ${k}`, kind: 'file', bytes })
    }
  }
  return items
}

function tree(
  seed: number,
  entries: number,
  medianBytes: number,
  spread: number,
  links = 0,
): InventoryItem[] {
  return seededInventory(seededRandom(seed), {
    entries,
    medianBytes,
    spread,
    hardLinks: links,
    symlinks: 0.01,
  })
}

function flat(entries: number, bytes: () => number): InventoryItem[] {
  return Array.from({ length: entries }, (_, k) => ({
    index: k,
    path: `flat/${k}`,
    kind: 'file',
    bytes: bytes(),
  }))
}

function images(seed: number, entries: number): InventoryItem[] {
  const random = seededRandom(seed)
  return flat(entries, () => Math.floor((4 + 5 * random.unit()) * 1e9))
}

const small = seededRandom(9)
const instances: Instance[] = [
  {
    name: '200,000 files on BD',
    items: tree(1, 200_000, 100_000, 2.5),
    capacitySectors: BD,
    most: 1,
    runs: 7,
  },
  {
    name: '200,000 files on DVD',
    items: tree(2, 200_000, 100_000, 2.5),
    capacitySectors: DVD,
    most: 1,
    runs: 7,
  },
  { name: '200,000 files on CD', items: tree(3, 200_000, 100_000, 2), capacitySectors: CD, most: 1, runs: 7 },
  {
    name: '200,000 files, 5 % hard links, CD',
    items: tree(4, 200_000, 100_000, 2, 0.05),
    capacitySectors: CD,
    most: 1,
    runs: 5,
  },
  {
    name: '200,000 files in one folder, CD',
    items: flat(200_000, () => small.below(500_000)),
    capacitySectors: CD,
    most: 1,
    runs: 7,
  },
  {
    name: '200,000 empty files on CD',
    items: flat(200_000, () => 0),
    capacitySectors: CD,
    most: 1,
    runs: 5,
  },
  {
    name: '200,000 files on 4 MB volumes',
    items: tree(10, 200_000, 20_000, 1),
    capacitySectors: 2_000,
    most: null,
    runs: 7,
  },
  ...(['folders', 'name', 'date'] as const).map((order) => ({
    name: `200,000 files on BD, order ${order}`,
    items: tree(1, 200_000, 100_000, 2.5),
    capacitySectors: BD,
    most: null,
    order,
    runs: 7,
  })),
  {
    name: '1,000,000 files on BD',
    items: tree(7, 1_000_000, 100_000, 2.5),
    capacitySectors: BD,
    most: 1,
    runs: 3,
  },
  { name: '60 albums on DVD', items: folders(11, 60, 12, 5e8, 0.5), capacitySectors: DVD, most: 1, runs: 5 },
  {
    name: '200 mixed folders on DVD',
    items: folders(12, 200, 100, 4e8, 1.5),
    capacitySectors: DVD,
    most: 1,
    runs: 5,
  },
  {
    name: '200 mixed folders on BD',
    items: folders(13, 200, 100, 2e9, 1.5),
    capacitySectors: BD,
    most: 1,
    runs: 5,
  },
  { name: '60 images of 4 to 9 GB on BD', items: images(14, 60), capacitySectors: BD, most: null, runs: 5 },
  { name: '200 images of 4 to 9 GB on BD', items: images(15, 200), capacitySectors: BD, most: null, runs: 5 },
]

/** Days within fourteen years, by index. */
const DAY_MS = 86_400_000
const modifiedMs = (index: number): number => ((index * 7919) % 5000) * DAY_MS + index
const rows: ResultRow[] = []

afterAll(() => {
  const file = process.env['STOWAGE_BENCH_JSON']
  if (file === undefined) return
  writeResult(file, {
    question: 'How long does packing take, and how many volumes does it need?',
    command: 'vitest run --config tests/bench/speed/vitest.bench.config.ts packing',
    rows,
    notes: [
      'Seeded inventories in memory, cost model of xorriso images; medians of the runs',
      'In the orders of names and dates volumes are filled up to five times, and the best packing is kept',
    ],
  })
})

it.each(instances)('$name', ({ name, items, capacitySectors, most, order, runs }) => {
  const options = {
    capacitySectors,
    cost: costsOf('image'),
    reserveBytes: 0,
    splitBoundaryBytes: 65_536,
    ...(order && { placement: { pins: [], keep: [], order, modifiedMs } }),
  }
  const times: number[] = []
  const cpuTimes: number[] = []
  let packing = packVolumes(items, options)
  for (let run = 0; run < runs; run++) {
    const start = systemClock.monotonicMs()
    const cpu = process.cpuUsage()
    packing = packVolumes(items, options)
    times.push(systemClock.monotonicMs() - start)
    cpuTimes.push(process.cpuUsage(cpu).user / 1000)
  }
  times.sort((a, b) => a - b)
  cpuTimes.sort((a, b) => a - b)
  const ms = (at: number): string => `${(times[at] ?? 0).toFixed(0)} ms`
  const cpuMs = (cpuTimes[cpuTimes.length >> 1] ?? 0).toFixed(0)
  const { volumes, lowerBoundVolumes, folderBreaks, brokenFolders, splitFiles } = packing
  rows.push({
    source: name,
    runs,
    cpuMs: Number(cpuMs),
    volumes: volumes.length,
    lowerBound: lowerBoundVolumes,
    brokenFolders,
    splitFiles,
  })
  process.stdout.write(
    `${name}: median ${ms(times.length >> 1)} (${ms(0)} to ${ms(times.length - 1)}, ${times.length} runs; CPU ${cpuMs} ms), ` +
      `${volumes.length} volumes, bound ${lowerBoundVolumes}, ${folderBreaks} folder breaks, ${splitFiles} split files\n`,
  )
  if (most !== null) expect(volumes.length - lowerBoundVolumes).toBeLessThanOrEqual(most)
})
