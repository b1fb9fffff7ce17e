import { describe, expect, it } from 'vitest'
import { torrent7zFamily } from '../../../../../src/domain/options/families/torrent7z'
import { knownFacts, variantNamed } from '../../../../fixtures/options/optionFacts'

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
})
