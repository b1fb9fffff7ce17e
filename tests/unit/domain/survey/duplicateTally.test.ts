import { describe, expect, it } from 'vitest'
import { duplicateTally } from '../../../../src/domain/survey/duplicateTally'
import { seededRandom } from '../../../../src/primitives/seededRandom'

describe('the duplicate tally', () => {
  it('returns zero totals for an empty survey', () => {
    expect(duplicateTally().figures()).toEqual({ groups: 0, files: 0, bytes: 0 })
  })

  it('counts all files of a group and the bytes of all but one', () => {
    const tally = duplicateTally()
    const [a, b] = [new Uint8Array(16), new Uint8Array(16).fill(255)]
    for (const [digest, bytes] of [
      [a, 10],
      [b, 7],
      [a, 10],
      [a, 10],
    ] as const)
      tally.add(digest, bytes)
    expect(tally.figures()).toEqual({ groups: 1, files: 3, bytes: 20 })
  })

  it('agrees with a plain map of strings through many growths', () => {
    const random = seededRandom(3)
    const contents = Array.from({ length: 20_000 }, () => {
      const digest = new Uint8Array(16)
      random.fillBytes(digest)
      // Digests that share words must not be confused.
      if (random.below(2) === 0) digest.fill(0, 4)
      return { digest, bytes: random.below(1_000_000) }
    })
    const tally = duplicateTally()
    const groups = new Map<string, { files: number; bytes: number }>()
    const buffer = new Uint8Array(16)
    for (let k = 0; k < 30_000; k++) {
      const content = contents[random.below(contents.length)]
      if (!content) throw new Error('no content')
      buffer.set(content.digest)
      tally.add(buffer, content.bytes)
      const key = content.digest.join()
      groups.set(key, { files: (groups.get(key)?.files ?? 0) + 1, bytes: content.bytes })
    }
    const several = [...groups.values()].filter((group) => group.files > 1)
    expect(tally.figures()).toEqual({
      groups: several.length,
      files: several.reduce((sum, group) => sum + group.files, 0),
      bytes: several.reduce((sum, group) => sum + (group.files - 1) * group.bytes, 0),
    })
  })

  it('counts the distinct contents below every power of two', () => {
    const random = seededRandom(4)
    const tally = duplicateTally()
    const lengths = new Map<number, number>()
    for (let k = 0; k < 3000; k++) {
      const which = random.below(1000)
      const bytes = which === 0 ? 2 ** 40 : which < 40 ? 2 ** (which % 21) : Math.floor(2 ** (which / 40)) - 1
      const digest = new Uint8Array(16)
      new DataView(digest.buffer).setUint32(0, which)
      tally.add(digest, bytes)
      lengths.set(which, bytes)
    }
    for (const below of [512, 4096, 2 ** 20, 2 ** 40, 2 ** 41]) {
      const found = [...lengths.values()].filter((bytes) => bytes > 0 && bytes < below)
      const bytes = found.reduce((sum, one) => sum + one, 0)
      expect(tally.distinctBelow(below)).toEqual({ count: found.length, bytes })
    }
  })
})
