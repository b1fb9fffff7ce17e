import { describe, expect, it } from 'vitest'
import { torrent7zDictionaryOf, torrent7zFamily } from '../../../../../src/domain/options/families/torrent7z'
import { EMPTY_SURVEY, knownFacts, variantNamed } from '../../../../fixtures/options/optionFacts'

const MIB = 1024 * 1024

/** A survey of files of these sizes. */
function surveyOf(sizes: readonly number[]) {
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  const least = Math.min(...sizes)
  return {
    ...EMPTY_SURVEY,
    totals: { ...EMPTY_SURVEY.totals, files: sizes.length, bytes },
    sizeHistogram: [{ fromBytes: least, toBytes: null, files: sizes.length, bytes }],
    largestFileBytes: Math.max(...sizes),
  }
}

describe('torrent7z’s archive', () => {
  it.each([
    ['one file', [500 * MIB], 16],
    ['a file much larger than the rest', [900 * MIB, MIB, MIB, MIB], 16],
    ['two equal files', [40 * MIB, 40 * MIB], 40],
    ['small files of 200 MiB', Array.from({ length: 10 }, () => 20 * MIB), 64],
    ['large files of 200 MiB', Array.from({ length: 2 }, () => 100 * MIB), 80],
    ['a little', [MIB, MIB], 16],
  ])('has by its rule for %s a dictionary of so many MiB', (_, sizes, expected) => {
    expect(torrent7zDictionaryOf(surveyOf(sizes)) / MIB).toBe(expected)
  })

  it('is about the solid archive of the nearest dictionary', () => {
    const facts = knownFacts('source')
    const variant = variantNamed(facts, '7z-t7z', torrent7zFamily)
    const solid = variantNamed(facts, '7z-solid-16m-type')
    expect(variant.dictionaryBytes).toBe(16 * MIB)
    expect(variant.storedBytes.value / solid.storedBytes.value).toBeCloseTo(0.998, 6)
    expect(variant.packRamBytes.value).toBe(solid.packRamBytes.value)
    expect(variant.notes.join()).toContain('not promised')
  })
})
