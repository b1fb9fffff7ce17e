import { describe, expect, it } from 'vitest'
import { torrent7zFamily } from '../../../../../src/domain/options/families/torrent7z'
import { factsFrom, knownFacts, knownSurvey, variantNamed } from '../../../../fixtures/options/optionFacts'

const MIB = 1024 * 1024

describe('torrent7z’s archive', () => {
  it('is about the solid archive of the nearest dictionary', () => {
    const facts = knownFacts('source')
    const variant = variantNamed(facts, '7z-t7z', torrent7zFamily)
    const solid = variantNamed(facts, '7z-solid-16m-type')
    expect(variant.dictionaryBytes).toBe(16 * MIB)
    expect(variant.storedBytes.value / solid.storedBytes.value).toBeCloseTo(0.998, 6)
    expect(variant.packRamBytes.value).toBe(solid.packRamBytes.value)
    expect(variant.notes.join()).toContain('can differ from torrent7z')
  })

  it('may be as small as with the next larger dictionary and as large as with the next shorter one', () => {
    const files = 4
    const bytes = files * 80 * MIB
    const known = knownSurvey('source')
    const [sample] = known.solid
    if (!sample) throw new Error('no forecast of a solid archive')
    const rowOf = (dictionaryBytes: number, predictedBytes: number) => ({
      ...sample,
      codec: 'lzma2-9',
      order: 'type' as const,
      dictionaryBytes,
      predictedBytes,
      low: 0.9 * predictedBytes,
      high: 1.1 * predictedBytes,
    })
    const survey = {
      ...known,
      totals: { ...known.totals, files, bytes },
      largestFileBytes: 80 * MIB,
      sizeHistogram: [{ fromBytes: 64 * MIB, toBytes: 128 * MIB, files, bytes }],
      solid: [rowOf(16 * MIB, 14e6), rowOf(64 * MIB, 12e6), rowOf(256 * MIB, 4e6)],
    }
    const variant = variantNamed(factsFrom(survey), '7z-t7z', torrent7zFamily)
    expect(variant.dictionaryBytes).toBe(80 * MIB)
    expect(variant.storedBytes.low).toBeLessThan(3.7e6)
    expect(variant.storedBytes.high).toBeGreaterThan(13e6)
    expect(variant.storedBytes.high).toBeLessThan(14e6)
    const own = { ...survey, solid: [...survey.solid, rowOf(80 * MIB, 8e6)] }
    const known80 = variantNamed(factsFrom(own), '7z-t7z', torrent7zFamily)
    expect(known80.storedBytes.value).toBeCloseTo(0.998 * 8e6, -1)
    expect(known80.storedBytes.high).toBeLessThan(9.2e6)
    expect(() => variantNamed(factsFrom(own), '7z-solid-80m-type')).toThrow()
  })
})
