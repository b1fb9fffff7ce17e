import { describe, expect, it } from 'vitest'
import { sortedSlowly } from '../../../../src/engine/survey/solidFiles'
import { seededRandom } from '../../../../src/primitives/seededRandom'

describe('sorting with pauses', () => {
  it.each([0, 1, 2, 4095, 4096, 4097, 12_289, 50_000])('sorts %i as sort does', async (count) => {
    const random = seededRandom(count)
    // Equal keys show whether what stood first stays first.
    const items = Array.from({ length: count }, (_, place) => ({ key: random.below(1000), place }))
    let pauses = 0
    const sorted = await sortedSlowly(
      items,
      (one, other) => one.key - other.key,
      async () => {
        pauses++
      },
    )
    expect(sorted).toEqual(items.toSorted((one, other) => one.key - other.key))
    expect(pauses).toBeGreaterThanOrEqual(Math.ceil(count / 4096))
  })

  it('ends when a pause says so', async () => {
    const stop = sortedSlowly(
      [2, 1],
      (one, other) => one - other,
      async () => {
        throw new Error('stopped')
      },
    )
    await expect(stop).rejects.toThrow('stopped')
  })
})
