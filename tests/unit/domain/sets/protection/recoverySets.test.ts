import { describe, expect, it } from 'vitest'
import {
  blockBytesFor,
  blocksOf,
  dealt,
  descriptionBytes,
  MOST_BLOCKS,
  sectorBytes,
  setCount,
} from '../../../../../src/domain/sets/protection/recoverySets'
import { par2Set } from '../../../../../src/engine/protection/par2Packets'
import { seededRandom } from '../../../../../src/primitives/seededRandom'

const filesOf = (lengths: readonly number[]) => lengths.map((bytes, at) => ({ path: `a/${at}`, bytes }))

describe('blocks of a volume', () => {
  it('are about 2,000 and whole sectors where files are large', () => {
    const files = filesOf([5_000_000_000, 700_000_001, 123_456_789])
    const blockBytes = blockBytesFor([files])
    expect(blockBytes % 2048).toBe(0)
    expect(blocksOf(files, blockBytes)).toBeGreaterThan(1900)
    expect(blocksOf(files, blockBytes)).toBeLessThan(2100)
  })

  it('waste little on small files, and always fit into their sets', () => {
    const random = seededRandom(5)
    for (let round = 0; round < 40; round++) {
      const count = 1 + random.below(60_000)
      const most = 10 ** (1 + 6 * random.unit())
      const lengths = Array.from({ length: count }, () => 1 + Math.floor(most * random.unit()))
      const sets = dealt(filesOf(lengths), setCount(count))
      const blockBytes = blockBytesFor(sets)
      expect(blockBytes % 2048).toBe(0)
      for (const set of sets) {
        expect(set.length).toBeLessThanOrEqual(16_000)
        expect(blocksOf(set, blockBytes)).toBeLessThanOrEqual(MOST_BLOCKS)
      }
      const data = sectorBytes(sets.flat())
      const padded = sets.reduce((sum, set) => sum + blocksOf(set, blockBytes), 0) * blockBytes
      const couldBeHalf = sets.every(
        (set) => blocksOf(set, Math.ceil(blockBytes / 4096) * 2048) <= MOST_BLOCKS,
      )
      if (couldBeHalf && blockBytes > 2048) expect(padded).toBeLessThanOrEqual(1.1 * data)
    }
  })
})

it('deals files by turns', () => {
  expect(dealt([1, 2, 3, 4, 5], 2)).toEqual([
    [1, 3, 5],
    [2, 4],
  ])
})

it('knows the bytes of a description before there is one', () => {
  const contents = [
    { path: 'a', bytes: 1 },
    { path: 'Ordner ä/日本.jpg', bytes: 64 },
    { path: 'abcd', bytes: 65 },
    { path: 'large', bytes: 100_000 },
  ]
  const digest = new Uint8Array(16)
  const files = contents.map(({ path, bytes }) => ({
    name: path,
    bytes,
    md5: digest,
    md5OfStart: digest,
    blocks: new Uint8Array(20 * Math.ceil(bytes / 64)),
  }))
  expect(descriptionBytes(contents, 64)).toBe(par2Set(64, files).described.length)
})
