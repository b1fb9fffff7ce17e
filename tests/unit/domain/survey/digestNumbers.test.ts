import { describe, expect, it } from 'vitest'
import { digestNumbers } from '../../../../src/domain/survey/digestNumbers'
import { seededRandom } from '../../../../src/primitives/seededRandom'

describe('numbers of digests', () => {
  it('agree with a plain map of strings through many growths', () => {
    const random = seededRandom(6)
    const digests = Array.from({ length: 15_000 }, () => {
      const digest = new Uint8Array(16)
      random.fillBytes(digest)
      // Digests that share words must not be confused.
      if (random.below(2) === 0) digest.fill(0, 4)
      return digest
    })
    const numbers = digestNumbers()
    const known = new Map<string, number>()
    const buffer = new Uint8Array(16)
    for (let k = 0; k < 25_000; k++) {
      const digest = digests[random.below(digests.length)] as Uint8Array
      buffer.set(digest)
      const key = digest.join()
      if (!known.has(key)) known.set(key, known.size)
      expect(numbers.numberOf(buffer)).toBe(known.get(key))
    }
    expect(numbers.count).toBe(known.size)
  })
})
