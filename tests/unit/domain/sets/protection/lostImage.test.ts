import { describe, expect, it } from 'vitest'
import { inverse, powerOfTwo, product } from '../../../../../src/domain/sets/protection/field8'
import { lostImageFactors, parityFactor } from '../../../../../src/domain/sets/protection/lostImage'
import { PARITY_KINDS, type ParityKind } from '../../../../../src/domain/sets/protection/setParity'
import { seededRandom } from '../../../../../src/primitives/seededRandom'

describe('the field of RAID-6', () => {
  it('is one: products commute, distribute and have inverses', () => {
    for (let a = 1; a < 256; a++) {
      expect(product(a, inverse(a))).toBe(1)
      for (const b of [1, 2, 29, 142, 255]) {
        expect(product(a, b)).toBe(product(b, a))
        expect(product(a, b ^ 77)).toBe(product(a, b) ^ product(a, 77))
      }
    }
  })

  it('has 255 different powers of 2', () => {
    expect(powerOfTwo(8)).toBe(0x1d)
    expect(new Set(Array.from({ length: 255 }, (_, at) => powerOfTwo(at))).size).toBe(255)
    expect(powerOfTwo(255)).toBe(1)
  })
})

describe('the factors of a lost image', () => {
  const sets = [1, 2, 3, 5, 12].map((count) => {
    const random = seededRandom(count)
    const images = new Map(Array.from({ length: count }, (_, at) => [at + 1, random.below(256)]))
    const parity = new Map(
      PARITY_KINDS.map((kind) => [
        kind,
        [...images].reduce((sum, [number, byte]) => sum ^ product(byte, parityFactor(kind, number)), 0),
      ]),
    )
    return { count, images, parity }
  })

  function given(
    { count, images, parity }: (typeof sets)[number],
    wanted: number,
    missing: readonly number[],
    kinds: readonly ParityKind[],
  ): number | null {
    const factors = lostImageFactors(count, wanted, missing, kinds)
    if (!factors) return null
    let byte = 0
    for (const [number, factor] of factors.images) byte ^= product(images.get(number) ?? 0, factor)
    for (const [kind, factor] of factors.parity) byte ^= product(parity.get(kind) ?? 0, factor)
    return byte
  }

  it('do not exist for two images that Q does not tell apart', () => {
    expect(lostImageFactors(258, 1, [1, 256], PARITY_KINDS)).toBeNull()
    expect(lostImageFactors(258, 256, [1, 256], PARITY_KINDS)).toBeNull()
    expect(lostImageFactors(258, 1, [1, 255], PARITY_KINDS)).not.toBeNull()
  })

  it('give one back by P or Q, and two by both', () => {
    for (const set of sets)
      for (const wanted of set.images.keys()) {
        const byte = set.images.get(wanted)
        for (const kinds of [['P'], ['Q'], ['P', 'Q']] as const)
          expect(given(set, wanted, [wanted], kinds)).toBe(byte)
        for (const other of set.images.keys())
          if (other !== wanted) expect(given(set, wanted, [other, wanted], ['P', 'Q'])).toBe(byte)
      }
  })

  it('are none where too much is missing', () => {
    const set = sets[3] as (typeof sets)[number]
    expect(given(set, 1, [1], [])).toBeNull()
    expect(given(set, 1, [1, 2], ['P'])).toBeNull()
    expect(given(set, 1, [1, 2], ['Q'])).toBeNull()
    expect(given(set, 1, [1, 2, 3], ['P', 'Q'])).toBeNull()
  })
})
