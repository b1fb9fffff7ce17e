import { expect, it } from 'vitest'
import { costsOf } from '../../../../../src/domain/sets/packing/costModel'
import { yearSpan } from '../../../../../src/domain/sets/packing/datesOfVolumes'
import type { InventoryItem } from '../../../../../src/domain/sets/packing/inventory'
import { packingAlternative } from '../../../../../src/domain/sets/packing/packingAlternative'
import { packVolumes } from '../../../../../src/domain/sets/packing/packVolumes'

const MB = 1_000_000
const options = {
  capacitySectors: 5000,
  cost: costsOf('image'),
  reserveBytes: 100_000,
  splitBoundaryBytes: 2048,
}

it('counts the volumes that hold at least a hundredth of a year, split files and what stays free', () => {
  const years = [2019, 2019, 2019, 2020, 2021]
  const items = [7, 7, 0.01, 8, 12].map(
    (size, index): InventoryItem => ({ index, path: `${index}`, kind: 'file', bytes: size * MB }),
  )
  const packing = packVolumes(items, options)
  const found = packingAlternative('size', packing, items, options, (index) => Date.UTC(years[index] ?? 0, 6))
  expect(found).toMatchObject({
    order: 'size',
    volumes: packing.volumes.length,
    splitFiles: 1,
    brokenFolders: 0,
  })
  // The small file of 2019 lies on a volume of another year or of its own, and is no part of it.
  expect(found.years).toEqual([
    { year: 2019, volumes: 2 },
    { year: 2020, volumes: 1 },
    { year: 2021, volumes: 2 },
  ])
  const used = packing.volumes.reduce((sum, { modelSectors }) => sum + modelSectors + 49, 0)
  expect(found.freeBytes).toBe((5000 * packing.volumes.length - used) * 2048)
  expect(found.sectors).toHaveLength(packing.volumes.length)
})

it('names a volume by the years with a twentieth of it', () => {
  expect(yearSpan(new Map())).toBeNull()
  expect(yearSpan(new Map([[2020, 1]]))).toEqual({ from: 2020, to: 2020 })
  expect(
    yearSpan(
      new Map([
        [1970, 4],
        [2019, 50],
        [2021, 46],
      ]),
    ),
  ).toEqual({ from: 2019, to: 2021 })
})
