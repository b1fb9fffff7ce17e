import { describe, expect, it } from 'vitest'
import {
  type Allowances,
  fullAllowances,
  tightenAllowances,
} from '../../../../../src/domain/sets/packing/allowances'
import { costsOf } from '../../../../../src/domain/sets/packing/costModel'
import type { Packing } from '../../../../../src/domain/sets/packing/inventory'
import { packVolumes } from '../../../../../src/domain/sets/packing/packVolumes'
import { seededRandom } from '../../../../../src/primitives/seededRandom'
import { seededInventory } from './seededInventory'

const CAPACITY = 4_000

/** Packs until a tool that needs `excess` more sectors than the model says is content. */
function settle(
  seed: number,
  excess: (packing: Packing, k: number) => number,
): { packing: Packing; rounds: number } {
  const items = seededInventory(seededRandom(seed), { entries: 500, medianBytes: 100_000, spread: 1.5 })
  let allowances: Allowances = fullAllowances(CAPACITY)
  for (;;) {
    const packing = packVolumes(items, {
      capacitySectors: CAPACITY,
      cost: costsOf('image'),
      reserveBytes: 0,
      splitBoundaryBytes: 65_536,
      allowances,
    })
    const tool = packing.volumes.map((volume, k) => volume.modelSectors + excess(packing, k))
    const next = tightenAllowances(allowances, packing, tool, CAPACITY)
    if (next === null) {
      for (const sectors of tool) expect(sectors).toBeLessThanOrEqual(CAPACITY)
      return { packing, rounds: allowances.round }
    }
    allowances = next
  }
}

/** Volumes of which only what tightening looks at is there. */
function volumesWith(allowanceSectors: readonly number[]): Packing {
  const volumes = allowanceSectors.map((sectors, bin) => ({ bin, allowanceSectors: sectors }))
  return { volumes } as unknown as Packing
}

describe('allowances for packing again', () => {
  it('fall from the fourth round on below the lowest that a volume had', () => {
    const before: Allowances = { defaultSectors: 1000, byBin: new Map([[1, 600]]), round: 3 }
    expect(tightenAllowances(before, volumesWith([1000, 600]), [1010, 990], 1000)).toEqual({
      defaultSectors: 590,
      byBin: new Map(),
      round: 4,
    })
  })

  it('are used up when as much is lost as there is', () => {
    const before: Allowances = { defaultSectors: 10, byBin: new Map(), round: 3 }
    expect(() => tightenAllowances(before, volumesWith([10]), [1010], 1000)).toThrow(
      expect.objectContaining({ code: 'cannot-fit' }),
    )
    expect(tightenAllowances(before, volumesWith([10]), [1009], 1000)?.defaultSectors).toBe(1)
  })
})

describe('packing again when the tool says that a volume is over', () => {
  it('is not needed when everything fits', () => {
    expect(settle(1, () => -5).rounds).toBe(0)
  })

  it('takes the overshoot from the volume that is over', () => {
    const { packing, rounds } = settle(2, (_, k) => (k === 0 ? 7 : -5))
    expect(rounds).toBeGreaterThan(0)
    expect(packing.volumes[0]?.allowanceSectors).toBeLessThan(CAPACITY)
  })

  it('gives up when the tool always needs more than the model', () => {
    for (const excess of [1, 40, 600]) expect(settle(3, () => excess).rounds).toBeLessThanOrEqual(6)
  })

  it('ends soon with a tool that differs from volume to volume', () => {
    const random = seededRandom(11)
    expect(settle(4, () => random.below(300)).rounds).toBeLessThanOrEqual(12)
  })

  it('gives the same volumes each time', () => {
    expect(settle(5, (_, k) => 20 + k)).toEqual(settle(5, (_, k) => 20 + k))
  })

  it('gives up in a bounded number of rounds when no size is ever small enough', () => {
    let calls = 0
    const never = (): unknown =>
      settle(6, (packing, k) => {
        if (k === 0) calls += 1
        return CAPACITY + 1 - (packing.volumes[k]?.modelSectors ?? 0)
      })
    expect(never).toThrow(expect.objectContaining({ code: 'cannot-fit' }))
    expect(calls).toBeLessThanOrEqual(3 + Math.ceil(Math.log2(CAPACITY)))
  })
})
