/** A reproducible source of randomness: the same seed gives the same sequence on every machine. */
export interface SeededRandom {
  /** A whole number from 0 to 2^32 - 1. */
  uint32(): number
  /** A number from 0 (included) to 1 (excluded) with 53 random bits. */
  unit(): number
  /** A whole number from 0 (included) to `limit` (excluded). `limit` is at most 2^53. */
  below(limit: number): number
  /** Fills the array with random bytes. */
  fillBytes(target: Uint8Array): void
}

/**
 * sfc32 by Chris Doty-Humphrey (PractRand, public domain description), seeded by mixing the seed
 * through twelve rounds.
 */
export function seededRandom(seed: number): SeededRandom {
  let a = seed >>> 0
  let b = Math.floor(seed / 2 ** 32) >>> 0
  let c = 0x9e3779b9
  let counter = 1
  const uint32 = (): number => {
    const sum = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + sum) | 0
    return sum >>> 0
  }
  for (let round = 0; round < 12; round++) uint32()
  const unit = (): number => ((uint32() >>> 5) * 2 ** 26 + (uint32() >>> 6)) / 2 ** 53
  return {
    uint32,
    unit,
    below: (limit) => Math.floor(unit() * limit),
    fillBytes(target) {
      let index = 0
      while (index < target.length) {
        let word = uint32()
        for (let k = 0; k < 4 && index < target.length; k++) {
          target[index++] = word & 255
          word >>>= 8
        }
      }
    },
  }
}
