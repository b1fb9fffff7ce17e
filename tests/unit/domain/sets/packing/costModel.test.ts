import { describe, expect, it } from 'vitest'
import { costsOf } from '../../../../../src/domain/sets/packing/costModel'
import type { InventoryItem } from '../../../../../src/domain/sets/packing/inventory'
import { packVolumes } from '../../../../../src/domain/sets/packing/packVolumes'

const file = (path: string, bytes: number): Omit<InventoryItem, 'index'> => ({ path, kind: 'file', bytes })

describe('the cost model of images', () => {
  it('has for every name at least what its records take', () => {
    const cost = costsOf('image')
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
        cost: costsOf('folder'),
        reserveBytes: 0,
        splitBoundaryBytes: 4096,
      },
    )
    // Four units of content, one for the folder, one for the root, and one for the rounding of names.
    expect(packing.volumes[0]?.modelSectors).toBe(7)
  })
})
