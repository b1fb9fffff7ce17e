import { describe, expect, it } from 'vitest'
import { costsOf } from '../../../../../src/domain/sets/packing/costModel'
import type { InventoryItem } from '../../../../../src/domain/sets/packing/inventory'
import { packVolumes } from '../../../../../src/domain/sets/packing/packVolumes'

function sectorsOf(items: readonly Omit<InventoryItem, 'index'>[]): number {
  const packing = packVolumes(
    items.map((item, index) => ({ index, ...item })),
    {
      capacitySectors: 30_000_000,
      cost: costsOf('image', 'xorriso'),
      reserveBytes: 0,
      splitBoundaryBytes: 2048,
    },
  )
  return packing.volumes[0]?.modelSectors ?? 0
}

const file = (path: string, bytes: number): Omit<InventoryItem, 'index'> => ({ path, kind: 'file', bytes })

describe('the cost model of ISO images', () => {
  // Sizes that xorriso 1.5.4 printed with -iso-level 3 -r.
  it.each([
    [
      'a small tree',
      [file('a', 1), file('b', 2048), file('c', 2049), file('empty', 0), file('sub/d', 5000)],
      190,
    ],
    ['six files of 3 MB', Array.from({ length: 6 }, (_, k) => file(`f${k}`, 3_000_000)), 8973],
    ['1,000 files', Array.from({ length: 1000 }, (_, k) => file(`file_number_${1000 + k}.dat`, 1)), 1244],
    ['a file of 4 GiB', [file('f', 2 ** 32)], 2_097_335],
    ['files of 4 and 9 GiB', [file('f', 2 ** 32), file('g', 9 * 2 ** 30)], 6_815_927],
  ] as const)('is not below what xorriso needs for %s, and close to it', (_, items, truth) => {
    const model = sectorsOf(items)
    expect(model).toBeGreaterThanOrEqual(truth)
    expect(model - truth).toBeLessThanOrEqual(20 + 3 + items.length * 0.025)
  })

  it('has for every name at least what its records take', () => {
    const cost = costsOf('image', 'xorriso')
    for (let length = 1; length <= 255; length++) {
      const iso = 33 + Math.min(length, 31) + 67 + length + 28
      expect(cost.entryBytes('file', length, 0, 0)).toBeGreaterThanOrEqual(iso - 28)
      expect(cost.leastEntryBytes).toBeLessThanOrEqual(cost.entryBytes('folder', length, 0, 0))
    }
  })
})

describe('the cost model of folders', () => {
  it('counts content in allocation units', () => {
    const items = [file('a/x', 1), file('a/y', 4096), file('a/z', 4097), file('a/empty', 0)]
    const packing = packVolumes(
      items.map(({ path, kind, bytes }, index) => ({ index, path, kind, bytes })),
      {
        capacitySectors: 1000,
        cost: costsOf('folder', 'xorriso'),
        reserveBytes: 0,
        splitBoundaryBytes: 4096,
      },
    )
    // Four units of content, one for the folder, one for the root, and one for the rounding of names.
    expect(packing.volumes[0]?.modelSectors).toBe(7)
  })
})
