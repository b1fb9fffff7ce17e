import { describe, expect, it } from 'vitest'
import { yearSpan, yearsOn } from '../../../../../src/domain/sets/packing/datesOfVolumes'
import type {
  Assignment,
  InventoryItem,
  PackedVolume,
} from '../../../../../src/domain/sets/packing/inventory'

const itemOf = (index: number): InventoryItem => {
  return { index, path: `${index}`, kind: 'file', bytes: index === 1 ? 0 : 1000 }
}
const writtenMs = (index: number): number => Date.UTC(2000 + index, 5, 1)
const years = (assignments: readonly Assignment[]): [number, number][] => [
  ...yearsOn({ assignments } as PackedVolume, itemOf, writtenMs),
]

describe('the years of a volume', () => {
  it('are those of its files, of which an empty one counts a byte', () => {
    const whole = [1, 2].map((index) => ({ kind: 'whole' as const, index }))
    expect(years(whole)).toEqual([
      [2001, 1],
      [2002, 1000],
    ])
    expect(yearSpan(new Map(years(whole.slice(0, 1))))).toEqual({ from: 2001, to: 2001 })
  })

  it('count of a split file the part that is on the volume', () => {
    const part = { kind: 'part' as const, index: 3, path: '3.1', part: 1, parts: 2, offset: 0, bytes: 10 }
    expect(years([part])).toEqual([[2003, 10]])
  })
})
