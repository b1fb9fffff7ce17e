import { describe, expect, it } from 'vitest'
import { costsOf } from '../../../../../src/domain/sets/packing/costModel'
import { FILL_SHARES, sharePackings } from '../../../../../src/domain/sets/packing/fillShares'
import type { InventoryItem, Packing } from '../../../../../src/domain/sets/packing/inventory'
import { type PackingOptions, packVolumes } from '../../../../../src/domain/sets/packing/packVolumes'
import { FILL_BY } from '../../../../../src/domain/sets/placement'
import { seededRandom } from '../../../../../src/primitives/seededRandom'
import { seededInventory } from './seededInventory'

const MEGABYTE = 1_000_000
const SECTOR = 2048

const plainOptions: PackingOptions = {
  capacitySectors: 5000,
  cost: costsOf('image'),
  reserveBytes: 20_000,
  splitBoundaryBytes: SECTOR,
}

function keepingOf(options: PackingOptions): (percent: number) => PackingOptions {
  const kept = (sectors: number, percent: number): number => Math.floor(sectors / (1 + percent / 100))
  return (percent) => ({
    ...options,
    capacitySectors: kept(options.capacitySectors, percent),
    ...(options.firstCapacities && {
      firstCapacities: options.firstCapacities.map((sectors) => kept(sectors, percent)),
    }),
    reserveBytes: 2 * options.reserveBytes,
  })
}

/** The share by packing with every one, and counting; of those that break no folder where that can be. */
function slowShare(items: readonly InventoryItem[], options: PackingOptions, plain: Packing): number | null {
  const byMedium = ({ volumes }: Packing, of: PackingOptions): Map<number, number> => {
    const counts = new Map<number, number>()
    for (const { bin } of volumes) {
      const medium = of.firstCapacities?.[bin] ?? -1
      counts.set(medium, (counts.get(medium) ?? 0) + 1)
    }
    return counts
  }
  let breaking: number | null = null
  for (const percent of FILL_SHARES) {
    const keeping = keepingOf(options)(percent)
    let packing: Packing
    try {
      packing = packVolumes(items, keeping)
    } catch {
      continue
    }
    const before = byMedium(plain, keeping)
    const now = byMedium(packing, keeping)
    if ([...now].every(([medium, count]) => count <= (before.get(medium) ?? 0)))
      if (packing.splitFiles <= plain.splitFiles) {
        if (plain.brokenFolders > 0 || packing.folderBreaks <= plain.folderBreaks) return percent
        breaking ??= percent
      }
  }
  return breaking
}

function shareOf(items: readonly InventoryItem[], options: PackingOptions): number | null {
  const plain = packVolumes(items, options)
  const [first] = sharePackings(items, plain, keepingOf(options))
  return first?.percent ?? null
}

const files = (count: number, bytes: number): InventoryItem[] =>
  Array.from({ length: count }, (_, at) => ({
    index: at + 1,
    path: `f${at}.bin`,
    kind: 'file' as const,
    bytes,
  }))

/** As many equal files as so many volumes hold. */
function mostFiles(options: PackingOptions, volumes: number): InventoryItem[] {
  for (let count = 1; ; count++)
    if (packVolumes(files(count + 1, 40_000), options).volumes.length > volumes) return files(count, 40_000)
}

describe('the share of recovery data that costs no further volume', () => {
  it('is that found by packing with every share, in every order and on several media', () => {
    const found = new Set<number | null>()
    for (let seed = 1; seed <= 40; seed++) {
      const random = seededRandom(seed)
      const items = seededInventory(random, {
        entries: 40 + random.below(160),
        medianBytes: 20_000 + random.below(150_000),
        spread: 1,
        hardLinks: 0.05,
        symlinks: 0.02,
      })
      const order = FILL_BY[seed % FILL_BY.length]
      const options: PackingOptions = {
        ...plainOptions,
        ...(seed % 3 === 0 && { firstCapacities: [3000, 8000] }),
        ...(seed % 2 === 0 &&
          order && { placement: { pins: [], keep: [], order, modifiedMs: (at: number) => at } }),
      }
      const plain = packVolumes(items, options)
      const share = shareOf(items, options)
      expect([seed, share]).toEqual([seed, slowShare(items, options, plain)])
      found.add(share)
    }
    expect(found.size).toBeGreaterThan(4)
  })

  it('is none where no volume has room for it', () => {
    expect(shareOf(mostFiles(plainOptions, 3), plainOptions)).toBeNull()
  })

  it('takes no volume of a larger medium in place of a smaller one', () => {
    const options = { ...plainOptions, firstCapacities: [5000], capacitySectors: 50_000 }
    expect(shareOf(mostFiles(options, 1), options)).toBeNull()
  })

  it('takes no more volumes than there are', () => {
    const options = { ...plainOptions, mostVolumes: 2 }
    expect(shareOf(files(150, 100_000), options)).toBe(20)
    expect(shareOf(mostFiles(plainOptions, 2), options)).toBeNull()
  })

  it('leaves pinned files where they are', () => {
    const items = [...files(3, 3 * MEGABYTE), { index: 9, path: 'small', kind: 'file' as const, bytes: 10 }]
    const pinned = (count: number): PackingOptions => ({
      ...plainOptions,
      placement: {
        pins: Array.from({ length: count }, (_, at) => ({ path: `f${at}.bin`, volume: 1 })).concat({
          path: 'small',
          volume: 2,
        }),
        keep: [],
        order: 'size',
        modifiedMs: () => 0,
      },
    })
    expect(packVolumes(items, pinned(3)).volumes).toHaveLength(2)
    expect(shareOf(items, pinned(2))).toBe(30)
    expect(shareOf(items, pinned(3))).toBe(5)
  })

  it('leaves folders whole where they are, and else takes the largest', () => {
    const year = (name: string, ...megabytes: number[]): InventoryItem[] =>
      megabytes.map((size, at) => ({
        index: 10 * Number(name) + at,
        path: `${name}/${at}.raw`,
        kind: 'file' as const,
        bytes: size * MEGABYTE,
      }))
    const firstOf = (items: readonly InventoryItem[]): unknown => {
      const plain = packVolumes(items, plainOptions)
      expect(plain.brokenFolders).toBe(0)
      const [{ percent, packing } = {}] = sharePackings(items, plain, keepingOf(plainOptions))
      return [percent, packing?.folderBreaks]
    }
    expect(firstOf([...year('1', 4, 4), ...year('2', 3, 3), ...year('3', 5)])).toEqual([15, 0])
    expect(firstOf([...year('1', 4.8, 4.8), ...year('2', 2, 2)])).toEqual([7, 1])
  })

  it('splits no file that one volume can hold', () => {
    const small = { index: 9, path: 'small', kind: 'file' as const, bytes: 2 * MEGABYTE }
    const items = [...files(1, 8.4 * MEGABYTE), small]
    expect(packVolumes(items, plainOptions)).toMatchObject({ splitFiles: 0 })
    const split = packVolumes(items, keepingOf(plainOptions)(30))
    expect(split).toMatchObject({ splitFiles: 1, volumes: { length: 2 } })
    expect(shareOf(items, plainOptions)).toBe(10)
  })
})
