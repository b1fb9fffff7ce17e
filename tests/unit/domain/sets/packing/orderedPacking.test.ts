import { describe, expect, it } from 'vitest'
import { costsOf } from '../../../../../src/domain/sets/packing/costModel'
import type { InventoryItem, Packing } from '../../../../../src/domain/sets/packing/inventory'
import { orderedPacking } from '../../../../../src/domain/sets/packing/orderedPacking'
import { type PackingOptions, packVolumes } from '../../../../../src/domain/sets/packing/packVolumes'
import type { PackingPlacement } from '../../../../../src/domain/sets/packing/placedTrees'
import { checkPlan } from '../../../../../src/domain/sets/packing/planTotals'
import { packingInstance } from './seededInstances'

const KB = 1000
const RESERVE_BYTES = 20_000

/** A volume of some 10 MB. */
const disc: PackingOptions = {
  capacitySectors: 5_000,
  cost: costsOf('image'),
  reserveBytes: RESERVE_BYTES,
  splitBoundaryBytes: 2048,
}

type Sized = readonly [path: string, kilobytes: number]

function files(list: readonly Sized[]): InventoryItem[] {
  return list.map(([path, kilobytes], index) => ({ index, path, kind: 'file', bytes: kilobytes * KB }))
}

/** The paths on each volume of a packing of files. */
function pathsOn({ volumes }: Packing, items: readonly InventoryItem[]): string[][] {
  return volumes.map(({ assignments }) =>
    assignments.flatMap((one) => (one.kind === 'whole' ? [items[one.index]?.path ?? ''] : [])).toSorted(),
  )
}

/** The date in the middle of a year. */
function inYear(year: number): number {
  return Date.UTC(year, 6, 1)
}

function found(
  items: readonly InventoryItem[],
  {
    modifiedMs = () => 0,
    ...options
  }: Partial<PackingOptions> & { modifiedMs?: (at: number) => number } = {},
) {
  const all = { ...disc, ...options }
  const packing = packVolumes(items, all)
  return { packing, ordered: orderedPacking(items, packing, all, modifiedMs) }
}

/** Two folders a volume, so that the largest ones first would mix them. */
const FOLDERS: readonly Sized[] = [
  ['a/1', 3000],
  ['b/1', 5500],
  ['c/1', 4500],
  ['d/1', 4000],
  ['e/1', 2000],
  ['f/1', 6000],
]

describe('a plan without an order of the person’s', () => {
  it('is in the order of names where that takes no more volumes', () => {
    const items = files(FOLDERS)
    const { packing, ordered } = found(items)
    expect(packing.volumes).toHaveLength(3)
    expect(pathsOn(packing, items)).not.toEqual([
      ['a/1', 'b/1'],
      ['c/1', 'd/1'],
      ['e/1', 'f/1'],
    ])
    expect(ordered?.order).toBe('name')
    expect(ordered && pathsOn(ordered.packing, items)).toEqual([
      ['a/1', 'b/1'],
      ['c/1', 'd/1'],
      ['e/1', 'f/1'],
    ])
  })

  it('is for the fewest volumes where names would take another one', () => {
    const items = files([
      ['a', 4000],
      ['b', 6500],
      ['c', 2500],
      ['d', 5500],
    ])
    const { packing, ordered } = found(items)
    expect(packing.volumes).toHaveLength(2)
    expect(ordered).toBeNull()
  })

  it('is not packed again for a single volume', () => {
    expect(found(files([['a', 3000]])).ordered).toBeNull()
    expect(found([]).ordered).toBeNull()
  })

  const years = files(FOLDERS.map(([, kilobytes], at) => [`Photos/${2010 + at} Trip/1.jpg`, kilobytes]))

  it('is in the order of dates where most bytes lie in folders of years', () => {
    const { ordered } = found([...years, ...oneOf('Photos/Other/x', 500, years.length)], {
      modifiedMs: (index) => inYear(2010 + index),
    })
    expect(ordered?.order).toBe('date')
    const volumes = ordered ? pathsOn(ordered.packing, years) : []
    expect(volumes[0]?.[0]).toBe('Photos/2010 Trip/1.jpg')
    expect(volumes.at(-1)).toContain('Photos/2015 Trip/1.jpg')
  })

  it('is in the order of names where the dates of files are not those of their folders', () => {
    expect(found(years, { modifiedMs: () => inYear(2025) }).ordered?.order).toBe('name')
  })

  it('is in the order of names where most bytes lie outside folders of years', () => {
    const items = files([...FOLDERS, ['2015/1', 300]])
    const modifiedMs = (index: number): number => inYear(index === FOLDERS.length ? 2015 : 2000 + index)
    expect(found(items, { modifiedMs }).ordered?.order).toBe('name')
    const loose = files(FOLDERS.map(([, kilobytes], at) => [`${2010 + at}.mov`, kilobytes]))
    expect(found(loose, { modifiedMs: (index) => inYear(2010 + index) }).ordered?.order).toBe('name')
  })

  it('is in the order of names where only dates would take another volume', () => {
    const items = files([
      ['2010/1', 4000],
      ['2011/1', 5500],
      ['x/1', 3000],
      ['y/1', 5500],
    ])
    const dates = [inYear(2010), inYear(2011), inYear(2010) + 1, inYear(2012)]
    const modifiedMs = (index: number): number => dates[index] ?? 0
    const { packing, ordered } = found(items, { modifiedMs })
    const placement: PackingPlacement = { pins: [], keep: [], order: 'date', modifiedMs }
    expect(packVolumes(items, { ...disc, placement }).volumes).toHaveLength(packing.volumes.length + 1)
    expect(ordered?.order).toBe('name')
  })

  it('keeps pins and kept folders', () => {
    const items = files(
      FOLDERS.flatMap(([path, kilobytes]): readonly Sized[] =>
        path === 'e/1'
          ? [
              [path, kilobytes / 2],
              ['e/2', kilobytes / 2],
            ]
          : [[path, kilobytes]],
      ),
    )
    const placement: PackingPlacement = {
      pins: [{ path: 'b', volume: 2 }],
      keep: ['e'],
      order: 'size',
      modifiedMs: () => 0,
    }
    const { ordered } = found(items, { placement })
    expect(ordered?.options.placement).toMatchObject({ pins: placement.pins, keep: ['e'], order: 'name' })
    expect(ordered && pathsOn(ordered.packing, items)).toEqual([
      ['a/1', 'c/1'],
      ['b/1', 'd/1'],
      ['e/1', 'e/2', 'f/1'],
    ])
  })
})

function oneOf(path: string, kilobytes: number, index: number): InventoryItem[] {
  return [{ index, path, kind: 'file', bytes: kilobytes * KB }]
}

describe('five hundred sources', () => {
  it('take no more volumes and split no more files in the order that is found for them', () => {
    const counts = { name: 0, date: 0, none: 0 }
    for (let seed = 0; seed < 500; seed++) {
      const { items, capacitySectors, dates } = packingInstance(seed)
      const pinned = seed % 3 === 0 ? items.find(({ kind, bytes }) => kind === 'file' && bytes < 1e6) : null
      const pins = pinned ? [{ path: pinned.path, volume: 1 }] : []
      const modifiedMs = (index: number): number => dates.get(index) ?? 0
      const options = {
        ...disc,
        capacitySectors,
        ...(pinned && { placement: { pins, keep: [], order: 'size' as const, modifiedMs } }),
      }
      const packing = packVolumes(items, options)
      const ordered = orderedPacking(items, packing, options, modifiedMs)
      counts[ordered?.order ?? 'none'] += 1
      if (!ordered) continue
      expect(ordered.packing.volumes).toHaveLength(packing.volumes.length)
      expect(ordered.packing.splitFiles).toBeLessThanOrEqual(packing.splitFiles)
      const sectors = ordered.packing.volumes.map(
        ({ modelSectors }) => modelSectors + Math.ceil(RESERVE_BYTES / 2048),
      )
      checkPlan(items, ordered.packing, sectors, capacitySectors)
      const first = ordered.packing.volumes[0]?.assignments ?? []
      if (pinned) expect(first.some((one) => one.kind === 'whole' && one.index === pinned.index)).toBe(true)
    }
    expect(counts.name).toBeGreaterThan(100)
    expect(counts.none).toBeGreaterThan(50)
  })
})
