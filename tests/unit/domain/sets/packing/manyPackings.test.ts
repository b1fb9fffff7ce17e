import { describe, expect, it } from 'vitest'
import { type CostModel, costsOf } from '../../../../../src/domain/sets/packing/costModel'
import type { InventoryItem } from '../../../../../src/domain/sets/packing/inventory'
import { NODE, packingTree } from '../../../../../src/domain/sets/packing/packingTree'
import { packVolumes } from '../../../../../src/domain/sets/packing/packVolumes'
import type { PackingPlacement } from '../../../../../src/domain/sets/packing/placedTrees'
import { checkPlan } from '../../../../../src/domain/sets/packing/planTotals'
import { FILL_BY } from '../../../../../src/domain/sets/placement'
import { packingInstance } from './seededInstances'

const INSTANCES = 500
const RESERVE_BYTES = 20_000
const cost = costsOf('image')

/** The volumes that first fit needs for trees, each with the folders above it. */
function firstFit(needs: readonly number[], capacity: number): number {
  const free: number[] = []
  for (const need of needs) {
    const bin = free.findIndex((room) => room >= need)
    if (bin < 0) free.push(capacity - need)
    else free[bin] = (free[bin] as number) - need
  }
  return free.length
}

/** What the trees that are not divided take on a volume each, largest first: files, or whole folders that fit on one. */
function needsOf(
  items: readonly InventoryItem[],
  model: CostModel,
  capacity: number,
  ofFolders: boolean,
): number[] {
  const { size, kind, end, parent, ownCost, chainCost } = packingTree(items, model)
  const whole = Float64Array.from(ownCost)
  for (let node = size - 1; node > 0; node--) {
    const up = parent[node] as number
    whole[up] = (whole[up] as number) + (whole[node] as number)
  }
  const needs: number[] = []
  for (let node = 1; node < size; node++) {
    const need = (whole[node] as number) + (chainCost[parent[node] as number] as number)
    const isLeaf = kind[node] !== NODE.folder || end[node] === node + 1
    if (!isLeaf && !(ofFolders && need <= capacity)) continue
    // A file that is larger than a volume fills some, and its last part is a thing of its own.
    for (let rest = need; rest > 0; rest -= capacity) needs.push(Math.min(rest, capacity))
    node = (end[node] as number) - 1
  }
  return needs.toSorted((one, other) => other - one)
}

/** The volumes that next fit needs for files in one order, each with the folders above it. */
function nextFit(
  items: readonly InventoryItem[],
  model: CostModel,
  capacity: number,
  isBefore: (one: InventoryItem, other: InventoryItem) => number,
): number {
  const { size, kind, item, parent, ownCost, chainCost } = packingTree(items, model)
  const need = new Map<number, number>()
  for (let node = 1; node < size; node++) {
    if (kind[node] === NODE.folder) continue
    need.set(item[node] as number, (ownCost[node] as number) + (chainCost[parent[node] as number] as number))
  }
  let volumes = 1
  let free = capacity
  for (const at of [...need.keys()].toSorted((a, b) =>
    isBefore(items[a] as InventoryItem, items[b] as InventoryItem),
  )) {
    const taken = need.get(at) as number
    if (taken > free) {
      volumes += 1
      free = capacity
    }
    free -= taken
  }
  return volumes
}

describe('five hundred sources', () => {
  const instances = Array.from({ length: INSTANCES }, (_, seed) => packingInstance(seed))

  it.each(FILL_BY)('are packed in the order of %s without a volume over its capacity', (order) => {
    for (const { items, capacitySectors, dates } of instances) {
      const pinned = items.find(({ kind, bytes }) => kind === 'file' && bytes < 1_000_000)
      const placement: PackingPlacement = {
        pins: pinned ? [{ path: pinned.path, volume: 1 }] : [],
        keep: [],
        order,
        modifiedMs: (index) => dates.get(index) ?? 0,
      }
      const options = {
        capacitySectors,
        cost,
        reserveBytes: RESERVE_BYTES,
        splitBoundaryBytes: 2048,
        placement,
      }
      const packing = packVolumes(items, options)
      const sectors = packing.volumes.map(
        ({ modelSectors }) => modelSectors + Math.ceil(RESERVE_BYTES / 2048),
      )
      checkPlan(items, packing, sectors, capacitySectors)
      const first = packing.volumes[0]?.assignments ?? []
      if (pinned) expect(first.some((one) => one.kind === 'whole' && one.index === pinned.index)).toBe(true)
    }
  })

  it('take the bound or one volume more, and no more than first fit of their largest files', () => {
    for (const { items, capacitySectors } of instances) {
      const options = { capacitySectors, cost, reserveBytes: RESERVE_BYTES, splitBoundaryBytes: 2048 }
      const { volumes, lowerBoundVolumes } = packVolumes(items, options)
      expect(volumes.length - lowerBoundVolumes).toBeLessThanOrEqual(1)
      const capacity = roomOf(capacitySectors)
      expect(volumes.length).toBeLessThanOrEqual(firstFit(needsOf(items, cost, capacity, false), capacity))
    }
  })

  it('keep every folder that fits on a volume, on no more of them than first fit of the largest folders', () => {
    for (const { items, capacitySectors } of instances) {
      const placement: PackingPlacement = { pins: [], keep: [], order: 'folders', modifiedMs: () => 0 }
      const options = {
        capacitySectors,
        cost,
        reserveBytes: RESERVE_BYTES,
        splitBoundaryBytes: 2048,
        placement,
      }
      const { volumes, brokenFolders } = packVolumes(items, options)
      expect(brokenFolders).toBe(0)
      const capacity = roomOf(capacitySectors)
      expect(volumes.length).toBeLessThanOrEqual(firstFit(needsOf(items, cost, capacity, true), capacity))
    }
  })

  it('take no more volumes in the order of names or dates than files that follow one another', () => {
    let compared = 0
    for (const { shape, items, capacitySectors, dates } of instances) {
      if (shape === 'mixed trees') continue
      const isFlat = items.every(({ path }) => !path.includes('/') || path.startsWith('all/'))
      const modifiedMs = (index: number): number => dates.get(index) ?? 0
      const capacity = roomOf(capacitySectors)
      const orders = {
        name: (one: InventoryItem, other: InventoryItem) => byName(one.path, other.path),
        date: (one: InventoryItem, other: InventoryItem) =>
          modifiedMs(one.index) - modifiedMs(other.index) || byName(one.path, other.path),
      }
      for (const order of ['name', 'date'] as const) {
        // Folders have a date too: only of files that lie together the order of dates is known.
        if (order === 'date' && !isFlat) continue
        const placement: PackingPlacement = { pins: [], keep: [], order, modifiedMs }
        const options = {
          capacitySectors,
          cost,
          reserveBytes: RESERVE_BYTES,
          splitBoundaryBytes: 2048,
          placement,
        }
        const { volumes, splitFiles } = packVolumes(items, options)
        if (splitFiles > 0) continue
        expect([shape, volumes.length]).toEqual([
          shape,
          expect.toSatisfy((most: number) => most <= nextFit(items, cost, capacity, orders[order])),
        ])
        compared += 1
      }
    }
    expect(compared).toBeGreaterThan(600)
  })
})

const NAMES = new Intl.Collator('en', { numeric: true })

function byName(one: string, other: string): number {
  const [a, b] = [one.split('/'), other.split('/')]
  const at = a.findIndex((name, k) => name !== b[k])
  return NAMES.compare(a[at] ?? '', b[at] ?? '')
}

function roomOf(capacitySectors: number): number {
  return (capacitySectors - Math.ceil(RESERVE_BYTES / 2048)) * 2048 - cost.baseBytes
}
