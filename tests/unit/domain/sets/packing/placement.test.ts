import { describe, expect, it } from 'vitest'
import { fullAllowances } from '../../../../../src/domain/sets/packing/allowances'
import { costsOf } from '../../../../../src/domain/sets/packing/costModel'
import type { InventoryItem, Packing } from '../../../../../src/domain/sets/packing/inventory'
import { type PackingOptions, packVolumes } from '../../../../../src/domain/sets/packing/packVolumes'
import type { PackingPlacement } from '../../../../../src/domain/sets/packing/placedTrees'
import { checkPlan } from '../../../../../src/domain/sets/packing/planTotals'
import { FILL_BY } from '../../../../../src/domain/sets/placement'
import { type SeededRandom, seededRandom } from '../../../../../src/primitives/seededRandom'
import { mostlyLong } from '../../../../support/mostlyLong'
import { seededInventory, shuffled } from './seededInventory'

const iso: PackingOptions = {
  capacitySectors: 5_000,
  cost: costsOf('image'),
  reserveBytes: 100_000,
  splitBoundaryBytes: 2048,
}

const MB = 1_000_000

function placing(placement: Partial<PackingPlacement>, options = iso): PackingOptions {
  return { ...options, placement: { pins: [], keep: [], order: 'size', modifiedMs: () => 0, ...placement } }
}

function files(...list: readonly (readonly [path: string, bytes: number])[]): InventoryItem[] {
  return list.map(([path, bytes], index) => ({ index, path, kind: 'file', bytes }))
}

/** For each path the volumes that it is on, from 1. */
function volumesByPath(packing: Packing, items: readonly InventoryItem[]): Map<string, number[]> {
  const paths = new Map(items.map(({ index, path }) => [index, path]))
  const volumes = new Map<string, number[]>()
  for (const [at, { assignments }] of packing.volumes.entries()) {
    for (const one of assignments) {
      if (one.kind === 'impliedFolder') continue
      const path = paths.get(one.index) as string
      volumes.set(path, [...(volumes.get(path) ?? []), at + 1])
    }
  }
  return volumes
}

function isIn(folder: string, path: string): boolean {
  return path === folder || folder === '' || path.startsWith(`${folder}/`)
}

/** Entries that lie on their volume for themselves, not as the folder above something. */
function contents(items: readonly InventoryItem[]): InventoryItem[] {
  return items.filter(({ kind }) => kind !== 'folder')
}

/** A tree with pins and kept folders that can be carried out. */
function seeded(seed: number): {
  readonly random: SeededRandom
  readonly items: InventoryItem[]
  readonly placement: Partial<PackingPlacement>
} {
  const random = seededRandom(seed)
  const items = seededInventory(random, {
    entries: 100 + random.below(500),
    medianBytes: [20_000, 100_000, 250_000][seed % 3] as number,
    spread: 1,
    perFolder: 4 + random.below(12),
    hardLinks: 0,
    symlinks: 0.05,
    emptyFolders: 0.05,
  })
  const sizeOf = (path: string): number =>
    items.reduce((sum, item) => sum + (isIn(path, item.path) ? item.bytes + 8_192 : 0), 0)
  const picked = shuffled(random, items).filter(({ path }) => path !== '' && sizeOf(path) < 1.2 * MB)
  const pins = picked.slice(0, 3).map(({ path }) => ({ path, volume: 1 + random.below(3) }))
  const keep = items
    .filter(({ kind, path }) => kind === 'folder' && path !== '' && sizeOf(path) > 50_000)
    .filter(({ path }) => sizeOf(path) < 6 * MB)
    .filter(({ path }) => !pins.some((pin) => isIn(path, pin.path)))
    .slice(0, 4)
    .map(({ path }) => path)
  return { random, items, placement: { pins, keep } }
}

/** The pin nearest to a path. */
function pinOf(pins: PackingPlacement['pins'], path: string): number | undefined {
  return pins
    .filter((pin) => isIn(pin.path, path))
    .toSorted((one, other) => other.path.length - one.path.length)[0]?.volume
}

const SEEDS = Array.from({ length: 30 }, (_, k) => k + 1)

describe('packing with a placement', () => {
  mostlyLong(
    it,
    FILL_BY,
    (order) => order === 'size',
  )('honours pins and kept folders and exceeds no volume, in the order of %s', (order) => {
    let pinned = 0
    let kept = 0
    for (const seed of SEEDS) {
      const { items, placement } = seeded(seed)
      const modifiedMs = (index: number): number => (index * 7919) % 1000
      const options = placing({ ...placement, order, modifiedMs })
      let packing: Packing
      try {
        packing = packVolumes(items, options)
      } catch (thrown) {
        // Small sources have not enough for three volumes.
        expect(thrown).toMatchObject({ code: 'refused' })
        continue
      }
      checkPlan(
        items,
        packing,
        packing.volumes.map(({ modelSectors }) => modelSectors),
        iso.capacitySectors,
      )
      const volumes = volumesByPath(packing, items)
      for (const { path } of contents(items)) {
        const volume = pinOf(placement.pins ?? [], path)
        if (volume === undefined) continue
        expect([path, volumes.get(path)]).toEqual([path, [volume]])
        pinned += 1
      }
      for (const folder of placement.keep ?? []) {
        const on = items.filter(({ path }) => isIn(folder, path)).flatMap(({ path }) => volumes.get(path))
        expect([folder, new Set(on).size]).toEqual([folder, 1])
        kept += 1
      }
      for (const { assignments } of packing.volumes) expect(assignments.length).toBeGreaterThan(0)
      expect(packing.lowerBoundVolumes).toBe(packVolumes(items, iso).lowerBoundVolumes)
    }
    expect(pinned).toBeGreaterThan(60)
    expect(kept).toBeGreaterThan(60)
  })

  it.each(FILL_BY)('does not depend on the order of the inventory, in the order of %s', (order) => {
    for (const seed of SEEDS.slice(0, 12)) {
      const { items, placement, random } = seeded(seed)
      const options = placing({ ...placement, order, modifiedMs: (index) => (index * 31) % 17 })
      const packed = (of: readonly InventoryItem[]): unknown => {
        try {
          return packVolumes(of, options)
        } catch (thrown) {
          return String(thrown)
        }
      }
      expect(packed(shuffled(random, items))).toEqual(packed(items))
    }
  })

  it('fills volumes by name without going back', () => {
    for (const seed of SEEDS) {
      const random = seededRandom(seed)
      const items = Array.from({ length: 300 }, (_, index): InventoryItem => {
        const folder = `${1 + random.below(9)}/${1 + random.below(4)}`
        return { index, path: `${folder}/${index + 1}`, kind: 'file', bytes: random.below(600_000) }
      })
      const packing = packVolumes(items, placing({ order: 'name' }))
      const volumes = volumesByPath(packing, items)
      const byName = items
        .map(({ path }) => path)
        .toSorted((one, other) => {
          const [a, b] = [one.split('/').map(Number), other.split('/').map(Number)]
          const at = a.findIndex((part, k) => part !== b[k])
          return (a[at] ?? 0) - (b[at] ?? 0)
        })
      const order = byName.map((path) => volumes.get(path)?.[0] ?? 0)
      expect(order).toEqual(order.toSorted((a, b) => a - b))
      expect(packing.volumes.length).toBeLessThanOrEqual(packing.lowerBoundVolumes + 2)
    }
  })

  it('puts years on volumes in turn, and a file with a wrong date does not move its year', () => {
    const items: InventoryItem[] = []
    const dates: number[] = []
    for (const year of [2021, 2019, 2020, 2018]) {
      for (let k = 0; k < 3; k++) {
        items.push({ index: items.length, path: `trip ${year % 7}/${k}`, kind: 'file', bytes: 2.6 * MB })
        dates.push(k === 0 ? 0 : Date.UTC(year, k))
      }
    }
    const packing = packVolumes(items, placing({ order: 'date', modifiedMs: (index) => dates[index] ?? 0 }))
    const volumes = volumesByPath(packing, items)
    const of = (year: number): unknown =>
      new Set([0, 1, 2].flatMap((k) => volumes.get(`trip ${year % 7}/${k}`)))
    expect([2018, 2019, 2020, 2021].map(of)).toEqual([1, 2, 3, 4].map((volume) => new Set([volume])))
  })

  it('has each year in one place, whichever folders its files lie in', () => {
    const items: InventoryItem[] = []
    const dates: number[] = []
    const add = (path: string, year: number, bytes: number): void => {
      items.push({ index: items.length, path, kind: 'file', bytes })
      dates.push(Date.UTC(year, items.length % 12))
    }
    for (let k = 0; k < 40; k++) {
      const year = 2018 + (k % 8)
      add(`camera/${k}`, year, 0.6 * MB)
      add(`by year/${year}/${k}`, year, 0.4 * MB)
    }
    const packing = packVolumes(items, placing({ order: 'date', modifiedMs: (index) => dates[index] ?? 0 }))
    const volumes = volumesByPath(packing, items)
    const yearOf = (index: number): number => new Date(dates[index] ?? 0).getUTCFullYear()
    for (let year = 2018; year < 2026; year++) {
      const on = new Set(
        items.flatMap(({ index, path }) => (yearOf(index) === year ? volumes.get(path) : [])),
      )
      expect([year, on.size]).toEqual([year, expect.toSatisfy((discs: number) => discs <= 2)])
      expect(Math.max(...(on as Set<number>)) - Math.min(...(on as Set<number>))).toBeLessThan(2)
    }
  })

  it('leaves whole the folders that a volume could hold, and divides only larger ones', () => {
    const items = files(
      ...Array.from({ length: 9 }, (_, k) => [`large/${k}`, 3 * MB] as const),
      ...Array.from({ length: 6 }, (_, k) => [`large/in it/${k}`, MB] as const),
      ...Array.from({ length: 6 }, (_, k) => [`a/${k}`, MB] as const),
      ...Array.from({ length: 6 }, (_, k) => [`b/${k}`, MB] as const),
      ...Array.from({ length: 6 }, (_, k) => [`c/${k}`, MB] as const),
      ...Array.from({ length: 6 }, (_, k) => [`d/${k}`, MB] as const),
    )
    const packing = packVolumes(items, placing({ order: 'folders' }))
    const volumes = volumesByPath(packing, items)
    const volumesOf = (folder: string): number =>
      new Set(items.flatMap(({ path }) => (path.startsWith(folder) ? volumes.get(path) : []))).size
    expect(['a/', 'b/', 'c/', 'd/', 'large/in it/'].map(volumesOf)).toEqual([1, 1, 1, 1, 1])
    expect(volumesOf('large/')).toBeGreaterThan(3)
    expect(packing.brokenFolders).toBe(0)
    const three = items.filter(({ path }) => /^[abc]\//.test(path))
    expect(packVolumes(three, iso)).toMatchObject({ brokenFolders: 1, volumes: { length: 2 } })
    expect(packVolumes(three, placing({ order: 'folders' }))).toMatchObject({
      brokenFolders: 0,
      volumes: { length: 3 },
    })
  })

  it('opens a folder for the order only where whole folders would need a volume more', () => {
    const whole = files(['a/1', 4 * MB], ['a/2', 3 * MB], ['b/1', 2 * MB], ['b/2', 2 * MB], ['c', 5 * MB])
    const kept = packVolumes(whole, placing({ order: 'name' }))
    expect(kept.volumes.map(({ bytes }) => bytes)).toEqual([7 * MB, 9 * MB])
    expect(kept.folderBreaks).toBe(0)
    const tight = files(['a/1', 4 * MB], ['a/2', 3 * MB], ['b/1', 2 * MB], ['b/2', 2 * MB], ['c', 7 * MB])
    const broken = packVolumes(tight, placing({ order: 'name' }))
    expect(broken.volumes.map(({ bytes }) => bytes)).toEqual([9 * MB, 9 * MB])
    expect(broken.folderBreaks).toBe(1)
  })

  it('sorts names as people do: numbers by value, without case and accents', () => {
    const items = files(['b10', 6 * MB], ['B9', 6 * MB], ['ä', 6 * MB], ['Z', 6 * MB], ['a', 6 * MB])
    const volumes = volumesByPath(packVolumes(items, placing({ order: 'name' })), items)
    const order = ['a', 'ä', 'B9', 'b10', 'Z'].map((path) => volumes.get(path))
    expect(order).toEqual([[1], [2], [3], [4], [5]])
  })

  it('lets the pin of something within a pinned folder go before that of the folder', () => {
    const items = files(['a/b/c', MB], ['a/b/d', MB], ['a/e', MB], ['f', MB])
    const pins = [
      { path: 'a', volume: 2 },
      { path: 'a/b', volume: 1 },
      { path: 'a/b/d', volume: 2 },
    ]
    const volumes = volumesByPath(packVolumes(items, placing({ pins })), items)
    expect(['a/b/c', 'a/b/d', 'a/e'].map((path) => volumes.get(path))).toEqual([[1], [2], [2]])
  })

  it('puts something on every volume before one with a pin', () => {
    const items = files(['a/1', 10], ['a/2', 20], ['a/3', 30], ['b', 40])
    const packing = packVolumes(items, placing({ pins: [{ path: 'b', volume: 4 }] }))
    expect(packing.volumes.map(({ bytes }) => bytes).toSorted((a, b) => a - b)).toEqual([10, 20, 30, 40])
    expect(packing.volumes[3]?.bytes).toBe(40)
  })

  it('pins the other names of a file with it, and keeps together what shares files', () => {
    const items: InventoryItem[] = [
      ...files(['a/one', MB], ['b/two', MB], ['c/three', 4 * MB], ['d', 4 * MB]),
      { index: 10, path: 'e/again', kind: 'hardLink', bytes: MB, linkOf: 0 },
      { index: 11, path: 'c/again', kind: 'hardLink', bytes: MB, linkOf: 1 },
      { index: 12, path: 'f/four', kind: 'file', bytes: 4 * MB },
      { index: 13, path: 'f/again', kind: 'hardLink', bytes: MB, linkOf: 1 },
    ]
    const placement = { pins: [{ path: 'e', volume: 2 }], keep: ['c', 'f'] }
    const packing = packVolumes(items, placing(placement))
    const volumes = volumesByPath(packing, items)
    expect(volumes.get('a/one')).toEqual([2])
    expect(volumes.get('e/again')).toEqual([2])
    const together = ['b/two', 'c/three', 'c/again', 'f/four', 'f/again'].flatMap((path) => volumes.get(path))
    expect(new Set(together).size).toBe(1)
    expect(packing.problems).toEqual([])
  })

  it('splits a large file around what is pinned to the volumes of its parts', () => {
    const items = files(['big', 25 * MB], ['small', 3 * MB])
    const packing = packVolumes(items, placing({ pins: [{ path: 'small', volume: 2 }] }))
    expect(packing.splitFiles).toBe(1)
    expect(volumesByPath(packing, items).get('small')).toEqual([2])
    checkPlan(
      items,
      packing,
      packing.volumes.map(({ modelSectors }) => modelSectors),
      iso.capacitySectors,
    )
  })

  it('keeps pins where they are when volumes lose room', () => {
    const items = files(['a', 4 * MB], ['b', 4 * MB], ['c', 4 * MB], ['d', 4 * MB])
    const allowances = { ...fullAllowances(5_000), byBin: new Map([[1, 3_000]]) }
    const pins = [{ path: 'a', volume: 2 }]
    const packing = packVolumes(items, { ...placing({ pins }), allowances })
    expect(volumesByPath(packing, items).get('a')).toEqual([2])
    expect(packing.volumes[1]).toMatchObject({ files: 1, allowanceSectors: 3_000 })
    const less = { ...fullAllowances(5_000), byBin: new Map([[1, 1_000]]) }
    expect(() => packVolumes(items, { ...placing({ pins }), allowances: less })).toThrow(/pinned to volume 2/)
  })

  const links: InventoryItem[] = [
    ...files(['a/x', MB], ['b/y', MB]),
    { index: 5, path: 'b/x', kind: 'hardLink', bytes: MB, linkOf: 0 },
  ]
  it.each([
    [
      'a folder that is larger than its volume',
      files(['a/1', 8 * MB], ['a/2', 4 * MB]),
      { pins: [{ path: 'a', volume: 1 }] },
      'cannot-fit',
      /volume 1 does not fit: a \(12\.\d MB\); it has room for 9\.\d+ MB/,
    ],
    [
      'folders that are together larger than their volume',
      files(['a', 6 * MB], ['b', 5 * MB]),
      {
        pins: [
          { path: 'a', volume: 1 },
          { path: 'b', volume: 1 },
        ],
      },
      'cannot-fit',
      /a \(6\.\d+ MB\), b \(5\.\d+ MB\), together 11\.\d MB; it has room for/,
    ],
    [
      'a pinned file that is larger than a volume',
      files(['big', 25 * MB]),
      { pins: [{ path: 'big', volume: 1 }] },
      'cannot-fit',
      /big \(25\.\d MB\)/,
    ],
    [
      'a kept folder that is larger than a volume',
      files(['a/1', 8 * MB], ['a/2', 4 * MB]),
      { keep: ['a'] },
      'cannot-fit',
      /cannot keep a on one volume: 12\.\d MB, and a volume has room for 9\.\d+ MB/,
    ],
    [
      'a kept folder with a file that is larger than a volume',
      files(['a/1', 25 * MB]),
      { keep: ['a'] },
      'cannot-fit',
      /cannot keep a/,
    ],
    [
      'names of one file on two volumes',
      links,
      {
        pins: [
          { path: 'a', volume: 1 },
          { path: 'b', volume: 2 },
        ],
      },
      'refused',
      /a\/x is pinned to volume 1 and b\/x is pinned to volume 2/,
    ],
    [
      'two pins within a kept folder',
      files(['a/1', MB], ['a/2', MB]),
      {
        keep: ['a'],
        pins: [
          { path: 'a/1', volume: 1 },
          { path: 'a/2', volume: 2 },
        ],
      },
      'refused',
      /cannot place a: it is to be kept together/,
    ],
    [
      'two pins of the same',
      files(['a', MB]),
      {
        pins: [
          { path: 'a', volume: 1 },
          { path: 'a', volume: 2 },
        ],
      },
      'refused',
      /cannot place a: it is pinned to volumes 1 and 2/,
    ],
    [
      'a pin of what is not there',
      files(['a', MB]),
      { pins: [{ path: 'b', volume: 1 }] },
      'not-found',
      /b is not in the source/,
    ],
    [
      'a pin behind volumes that would be empty',
      files(['a', MB], ['b', MB]),
      { pins: [{ path: 'b', volume: 3 }] },
      'refused',
      /cannot pin b to volume 3: everything is on 2 volumes/,
    ],
    [
      'a pin behind volumes that the order leaves empty',
      files(['a', MB], ['b', MB]),
      { pins: [{ path: 'b', volume: 3 }], order: 'name' },
      'refused',
      /cannot pin b to volume 3: everything is on 2 volumes/,
    ],
  ] as const)('refuses %s', (_, items, placement, code, message) => {
    const pack = (): Packing => packVolumes(items, placing(placement))
    expect(pack).toThrow(message)
    expect(pack).toThrow(expect.objectContaining({ code }))
  })
})
