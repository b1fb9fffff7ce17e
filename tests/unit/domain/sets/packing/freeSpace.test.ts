import { expect, it } from 'vitest'
import { FreeSpace } from '../../../../../src/domain/sets/packing/freeSpace'
import { LargestFirst } from '../../../../../src/domain/sets/packing/largestFirst'
import { seededRandom } from '../../../../../src/primitives/seededRandom'

it('finds the first volume with room and the emptiest one as a plain search does', () => {
  const random = seededRandom(1)
  const space = new FreeSpace()
  expect(space.emptiest()).toBe(-1)
  expect(space.firstWith(0)).toBe(-1)
  const plain: number[] = []
  for (let step = 0; step < 3_000; step++) {
    if (random.below(10) === 0) plain[space.add(100 + random.below(50))] = NaN
    const bin = random.below(plain.length || 1)
    if (plain.length > 0) {
      if (Number.isNaN(plain[plain.length - 1])) plain[plain.length - 1] = space.free(plain.length - 1)
      const amount = Math.min(plain[bin] ?? 0, random.below(20))
      space.take(bin, amount)
      plain[bin] = (plain[bin] ?? 0) - amount
      const wanted = random.below(150)
      expect(space.firstWith(wanted)).toBe(plain.findIndex((free) => free >= wanted))
      expect(space.emptiest()).toBe(plain.indexOf(Math.max(...plain)))
    }
  }
  expect(space.count).toBe(plain.length)
  expect(plain.length).toBeGreaterThan(100)
})

it('gives the largest node first, of equal ones the first', () => {
  const random = seededRandom(2)
  const cost = Float64Array.from({ length: 500 }, () => random.below(40))
  const waiting = new LargestFirst(cost)
  const plain: number[] = []
  for (let node = 0; node < 500; node++) {
    waiting.push(node)
    plain.push(node)
    if (random.below(3) > 0) continue
    plain.sort((a, b) => (cost[b] ?? 0) - (cost[a] ?? 0) || a - b)
    expect(waiting.pop()).toBe(plain.shift())
  }
  plain.sort((a, b) => (cost[b] ?? 0) - (cost[a] ?? 0) || a - b)
  for (const node of plain) expect(waiting.pop()).toBe(node)
  expect(waiting.pop()).toBeUndefined()
})
