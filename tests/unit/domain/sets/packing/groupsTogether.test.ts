import { describe, expect, it } from 'vitest'
import { costsOf } from '../../../../../src/domain/sets/packing/costModel'
import { groupsOnVolumes, withGroupsTogether } from '../../../../../src/domain/sets/packing/groupsTogether'
import type { InventoryItem, Packing } from '../../../../../src/domain/sets/packing/inventory'
import { type PackingOptions, packVolumes } from '../../../../../src/domain/sets/packing/packVolumes'
import { checkPlan } from '../../../../../src/domain/sets/packing/planTotals'
import { FILL_BY } from '../../../../../src/domain/sets/placement'
import { type SeededRandom, seededRandom } from '../../../../../src/primitives/seededRandom'
import { seededInventory, shuffled } from './seededInventory'

const options: PackingOptions = {
  capacitySectors: 5_000,
  cost: costsOf('image'),
  reserveBytes: 100_000,
  splitBoundaryBytes: 65_536,
}

function file(index: number, path: string, bytes: number, more: Partial<InventoryItem> = {}): InventoryItem {
  return { index, path, kind: 'file', bytes, ...more }
}

/** The volumes of each entry that is no folder, by its index. */
function volumesOf({ volumes }: Packing): Map<number, number[]> {
  const found = new Map<number, number[]>()
  for (const [at, { assignments }] of volumes.entries())
    for (const one of assignments)
      if (one.kind !== 'impliedFolder') found.set(one.index, [...(found.get(one.index) ?? []), at])
  return found
}

/** Some files belong to others, in the same folder or in any. */
function withCompanions(random: SeededRandom, items: readonly InventoryItem[]): InventoryItem[] {
  const files = items.filter(({ kind }) => kind === 'file')
  const leaders = files.filter(() => random.below(4) === 0)
  const leading = new Set(leaders.map(({ index }) => index))
  return items.map((item) => {
    if (item.kind !== 'file' || leading.has(item.index) || leaders.length === 0 || random.below(3) === 0)
      return item
    return { ...item, with: leaders[random.below(leaders.length)]?.index }
  })
}

describe('files that belong to another one', () => {
  it('share its volume with all their names, unless no volume holds them together', () => {
    let [together, apart] = [0, 0]
    for (let seed = 0; seed < 60; seed++) {
      const random = seededRandom(seed)
      const shape = { entries: 20 + random.below(300), medianBytes: 40_000, spread: 1.8, perFolder: 8 }
      const items = withCompanions(random, seededInventory(random, { ...shape, hardLinks: 0.1 }))
      const packing = packVolumes(items, options)
      const sectors = packing.volumes.map(({ modelSectors }) => modelSectors)
      checkPlan(items, packing, sectors, options.capacitySectors)
      const on = volumesOf(packing)
      const files = new Map(
        items.flatMap((item) => (item.kind === 'file' ? [[item.index, item] as const] : [])),
      )
      for (const { kind, index, linkOf, with: leader } of items) {
        if (kind !== 'file' && kind !== 'hardLink') continue
        const belongs = kind === 'hardLink' ? files.get(linkOf ?? -1)?.with : leader
        if (belongs === undefined) continue
        if (packing.apart.includes(belongs)) apart += 1
        else {
          expect([seed, index, on.get(index)]).toEqual([seed, index, on.get(belongs)])
          together += 1
        }
      }
      const bytes = packing.volumes.reduce((sum, volume) => sum + volume.bytes, 0)
      expect(bytes).toBe([...files.values()].reduce((sum, one) => sum + one.bytes, 0))
      expect(packVolumes(shuffled(random, items), options)).toEqual(packing)
    }
    expect(together).toBeGreaterThan(1_000)
    expect(apart).toBeGreaterThan(20)
  })

  it.each(FILL_BY)('share it in every order: %s', (order) => {
    const random = seededRandom(7)
    const made = seededInventory(random, { entries: 400, medianBytes: 60_000, spread: 1.5, perFolder: 8 })
    const items = withCompanions(random, made)
    const placement = { pins: [], keep: [], order, modifiedMs: (index: number) => index * 86_400_000 }
    const packing = packVolumes(items, { ...options, placement })
    const on = volumesOf(packing)
    expect(packing.volumes.length).toBeGreaterThan(2)
    for (const { index, with: leader } of items)
      if (leader !== undefined && !packing.apart.includes(leader))
        expect(on.get(index)).toEqual(on.get(leader))
  })

  it('follow the pin of one of them', () => {
    const items = [
      file(1, 'a/1', 4e6),
      file(2, 'b/2', 4e6, { with: 1 }),
      file(3, 'c', 9e6),
      file(4, 'd', 6e6),
    ]
    const pins = [{ path: 'b', volume: 2 }]
    const placement = { pins, keep: [], order: 'size' as const, modifiedMs: () => 0 }
    const on = volumesOf(packVolumes(items, { ...options, placement }))
    expect([on.get(1), on.get(2)]).toEqual([[1], [1]])
  })

  it.each([
    ['no file', [file(1, 'a', 10, { with: 2 })]],
    [
      'one that belongs to another',
      [file(1, 'a', 10), file(2, 'b', 9, { with: 1 }), file(3, 'c', 8, { with: 2 })],
    ],
  ])('are refused where they name %s', (_, items) => {
    expect(() => packVolumes(items, options)).toThrow(/belongs to no file of the inventory/)
  })
})

describe('groups of files', () => {
  const groupOf = (index: number): number | undefined => (index < 100 ? index % 10 : undefined)
  const items = Array.from({ length: 120 }, (_, index) =>
    file(index, `f${index}`, 1_000 * (1 + (index % 10))),
  )

  it('are all together first, then without the largest, one, four, sixteen and so on', () => {
    const tried = [...withGroupsTogether(items, groupOf)]
    const together = tried.map((inventory) => {
      const leaders = new Set(inventory.flatMap((item) => item.with ?? []))
      return [...leaders].map((index) => groupOf(index) ?? -1).toSorted((one, other) => one - other)
    })
    expect(together).toEqual([
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
      [0, 1, 2, 3, 4, 5, 6, 7, 8],
      [0, 1, 2, 3, 4, 5],
    ])
  })

  it('stay apart where their files are pinned to several volumes', () => {
    const pins = [
      { path: 'f3', volume: 1 },
      { path: 'f13', volume: 2 },
      { path: 'f4', volume: 1 },
    ]
    const [first = []] = [...withGroupsTogether(items, groupOf, pins)]
    const leaders = new Set(first.flatMap((item) => item.with ?? []))
    expect([leaders.has(3), leaders.has(4), leaders.size]).toEqual([false, true, 9])
  })

  it('are counted on their volumes, and those that no volume holds are counted by themselves', () => {
    const large = [
      file(1, 'a', 6e6),
      file(11, 'b', 6e6),
      file(2, 'c', 1e6),
      file(12, 'd', 1e6),
      file(500, 'e', 3e6),
    ]
    const [together = []] = [...withGroupsTogether(large, groupOf)]
    const packing = packVolumes(together, options)
    expect(groupsOnVolumes(large, packing, groupOf)).toEqual({
      groups: 2,
      files: 4,
      divided: [{ group: 1, bytes: 12e6, volumes: 2, isLarger: true }],
    })
    const one = groupsOnVolumes(large, packVolumes(large, { ...options, capacitySectors: 20_000 }), groupOf)
    expect(one).toEqual({ groups: 2, files: 4, divided: [] })
  })
})
