import { expect, it } from 'vitest'
import { batchesOf } from '../../../../src/domain/look/batches'
import { wholeBatches } from '../../../../src/engine/look/wholeBatches'

const ITEMS = Array.from({ length: 10 }, (_, at) => ({ priority: at + 1, bytes: 10, inode: 100 - at }))

function looked(most: number, atOnce = 2): { result: ReturnType<typeof wholeBatches>; seen: number[] } {
  const seen: number[] = []
  const result = wholeBatches(
    batchesOf(ITEMS, ({ bytes }) => bytes, { bytes: 45, items: 3 }),
    {
      tau: 11,
      fileOf: ({ bytes, inode }) => ({ rootIndex: 0, path: new Uint8Array(), bytes, inode }),
      atOnce,
      isOver: () => seen.length >= most,
      async look({ priority }) {
        seen.push(priority)
        return priority === 2 ? null : priority * 10
      },
    },
  )
  return { result, seen }
}

it('are cut by bytes and by items, and hold everything once, in order', () => {
  const sizes = (bytes: number, items: number): number[] =>
    batchesOf(ITEMS, ({ bytes: each }) => each, { bytes, items }).map(({ length }) => length)
  expect(sizes(45, 3)).toEqual([3, 3, 3, 1])
  expect(sizes(25, 9)).toEqual([2, 2, 2, 2, 2])
  // One item at least, however long.
  expect(sizes(1, 9)).toEqual(Array.from({ length: 10 }, () => 1))
})

it('count all that they read where there is time, in the order of the disk', async () => {
  const { result, seen } = looked(100, 1)
  const { found, tau } = await result
  expect(seen).toEqual([3, 2, 1, 6, 5, 4, 9, 8, 7, 10])
  expect(found).toHaveLength(10)
  expect(found.find(({ item }) => (item as { priority: number }).priority === 2)?.found).toBeNull()
  expect(tau).toBe(11)
})

it.each([1, 2])(
  'count only whole ones where the time is over, with %i requests at a time',
  async (atOnce) => {
    const { found, tau } = await looked(5, atOnce).result
    expect(found).toHaveLength(3)
    expect(tau).toBe(4)
  },
)
