import { describe, expect, it } from 'vitest'
import { byType, type SolidFile, sortedSlowly } from '../../../../src/engine/forecast/solid/solidFiles'
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

  it('ends when it is cancelled in a pause', async () => {
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

describe('the order of types', () => {
  const fileOf = (path: string, mtimeNs = 0n, bytes = 1): SolidFile => ({
    number: 0,
    id: 0,
    rootIndex: 0,
    rootLength: 0,
    content: 0,
    path,
    bytes,
    mtimeNs,
  })

  it('is by extension in small letters, then by name, time, size and path, wherever files lie', async () => {
    const sorted = [
      fileOf('z/.hidden/plain'),
      fileOf('b/one.a'),
      fileOf('a/two.A'),
      fileOf('c/same.txt', 1n, 9),
      fileOf('b/same.txt', 2n, 1),
      fileOf('a/same.txt', 2n, 2),
      fileOf('b/same.txt', 2n, 2),
    ]
    const random = seededRandom(7)
    for (let turn = 0; turn < 20; turn++) {
      const mixed = sorted
        .map((file) => ({ file, at: random.unit() }))
        .toSorted((one, other) => one.at - other.at)
        .map(({ file }) => file)
      expect(await byType(mixed, async () => undefined)).toEqual(sorted)
    }
  })
})
