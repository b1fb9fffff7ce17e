import { describe, expect, it } from 'vitest'
import { costsOf } from '../../../../../src/domain/sets/packing/costModel'
import type { InventoryItem, PackedVolume, Packing } from '../../../../../src/domain/sets/packing/inventory'
import { packVolumes } from '../../../../../src/domain/sets/packing/packVolumes'
import { checkPlan, planTotals } from '../../../../../src/domain/sets/packing/planTotals'
import { MOST_SHARES, volumeShares } from '../../../../../src/domain/sets/packing/volumeShares'
import { seededRandom } from '../../../../../src/primitives/seededRandom'
import { seededInventory } from './seededInventory'

const CAPACITY = 3_000
const items = seededInventory(seededRandom(1), {
  entries: 300,
  medianBytes: 50_000,
  spread: 1,
  perFolder: 60,
  hardLinks: 0.1,
  symlinks: 0.05,
  emptyFolders: 0.05,
})
items.push({ index: 1_000_000, path: 'large', kind: 'file', bytes: 20_000_000 })
const packing = packVolumes(items, {
  capacitySectors: CAPACITY,
  cost: costsOf('image'),
  reserveBytes: 0,
  splitBoundaryBytes: 2048,
})
const sectors = packing.volumes.map((volume) => volume.modelSectors)
const byIndex = new Map(items.map((item) => [item.index, item]))
const itemOf = (index: number): InventoryItem => byIndex.get(index) as InventoryItem

/** The packing with one volume's assignments changed. */
function changed(change: (volume: PackedVolume) => PackedVolume['assignments']): Packing {
  return {
    ...packing,
    volumes: packing.volumes.map((volume, k) =>
      k === 0 ? { ...volume, assignments: change(volume) } : volume,
    ),
  }
}

describe('a plan', () => {
  it('has the totals of the source, and the volumes add up to them', () => {
    const totals = planTotals(items, packing)
    const kinds = (kind: string): number => items.filter((item) => item.kind === kind).length
    expect(totals).toMatchObject({
      files: kinds('file') + kinds('hardLink'),
      folders: kinds('folder'),
      symlinks: kinds('symlink'),
      bytes: items.reduce((sum, item) => sum + (item.kind === 'file' ? item.bytes : 0), 0),
      splitFiles: 1,
    })
    const sum = (field: 'files' | 'bytes' | 'parts' | 'symlinks'): number =>
      packing.volumes.reduce((all, volume) => all + volume[field], 0)
    expect(sum('bytes')).toBe(totals.bytes)
    expect(sum('files') - sum('parts') + totals.splitFiles).toBe(totals.files)
    expect(sum('symlinks')).toBe(totals.symlinks)
  })

  it('passes its check when it is right', () => {
    expect(() => checkPlan(items, packing, sectors, CAPACITY)).not.toThrow()
  })

  it('fails its check when an entry is lost, doubled, a part is missing or a volume is over', () => {
    const wrong = expect.objectContaining({ code: 'internal' }) as Error
    const file = (one: PackedVolume['assignments'][number]): boolean =>
      one.kind === 'whole' && itemOf(one.index).kind === 'file'
    const lost = changed((volume) => volume.assignments.filter((one) => !file(one) && one.kind !== 'part'))
    expect(() => checkPlan(items, lost, sectors, CAPACITY)).toThrow(wrong)
    const other = packing.volumes
      .slice(1)
      .flatMap(({ assignments }) => assignments)
      .find(file)
    if (!other) throw new Error('no whole file on another volume')
    const doubled = changed((volume) => [...volume.assignments, other])
    expect(() => checkPlan(items, doubled, sectors, CAPACITY)).toThrow(wrong)
    const gap = changed((volume) => volume.assignments.filter((one) => one.kind !== 'part'))
    expect(() => checkPlan(items, gap, sectors, CAPACITY)).toThrow(wrong)
    expect(() => checkPlan(items, packing, [CAPACITY + 1, ...sectors.slice(1)], CAPACITY)).toThrow(wrong)
    expect(() => checkPlan(items, packing, sectors.slice(1), CAPACITY)).toThrow(wrong)
  })

  it('fails its check when the last part of a split file is missing or two parts begin at one place', () => {
    const wrong = expect.objectContaining({ code: 'internal' }) as Error
    const everywhere = (
      change: (one: PackedVolume['assignments'][number]) => PackedVolume['assignments'],
    ): Packing => ({
      ...packing,
      volumes: packing.volumes.map((volume) => ({
        ...volume,
        assignments: volume.assignments.flatMap(change),
      })),
    })
    const isPart = (one: PackedVolume['assignments'][number], part: number): boolean =>
      one.kind === 'part' && one.part === part
    const parts = packing.volumes.flatMap(({ assignments }) =>
      assignments.filter(({ kind }) => kind === 'part'),
    )
    expect(parts.length).toBeGreaterThan(2)
    const cut = everywhere((one) => (isPart(one, parts.length) ? [] : [one]))
    expect(() => checkPlan(items, cut, sectors, CAPACITY)).toThrow(wrong)
    const overlapping = everywhere((one) =>
      one.kind === 'part' && one.part === 2 ? [{ ...one, offset: 0 }] : [one],
    )
    expect(() => checkPlan(items, overlapping, sectors, CAPACITY)).toThrow(wrong)
  })
})

describe('the shares of a volume', () => {
  it('add up to the volume, largest first, the rest last', () => {
    for (const volume of packing.volumes) {
      const shares = volumeShares(volume, itemOf, '')
      expect(shares.reduce((sum, share) => sum + share.bytes, 0)).toBe(volume.bytes)
      expect(shares.reduce((sum, share) => sum + share.files, 0)).toBe(volume.files)
      expect(shares.length).toBeLessThanOrEqual(MOST_SHARES + 1)
      const named = shares.slice(0, MOST_SHARES).map((share) => share.bytes)
      expect(named).toEqual(named.toSorted((a, b) => b - a))
      expect(shares.slice(0, MOST_SHARES).every((share) => share.path !== '')).toBe(true)
      if (shares.length > MOST_SHARES) expect(shares.at(-1)?.path).toBe('')
    }
    expect(packing.volumes.some((volume) => volumeShares(volume, itemOf, '').length > MOST_SHARES)).toBe(true)
  })
})
