import { describe, expect, it } from 'vitest'
import { kopiaFamily } from '../../../../../src/domain/options/families/kopia'
import { knownFacts, knownSurvey, variantNamed } from '../../../../fixtures/options/optionFacts'

describe('a repository of Kopia', () => {
  it('has chunks and metadata with ranges', () => {
    const chunked = knownSurvey('source').chunked.find(({ chunker }) => chunker === 'kopia')
    const variant = variantNamed(knownFacts('source'), 'kopia-none', kopiaFamily)
    const lists = variant.storedBytes.value - (chunked?.uniqueBytes ?? 0)
    expect(lists).toBeGreaterThan((chunked?.uniqueChunks ?? 0) * 90)
    expect(variant.storedBytes.high - variant.storedBytes.value).toBeGreaterThan(lists / 2)
    expect(variant.packRamBytes.provenance).toBe('assumed')
    expect(variant.packSeconds.basis).toContain('not measured')
  })

  it('is compressed as restic’s is, for chunks of about the same', () => {
    const share = (name: string, plain: string): number =>
      variantNamed(knownFacts('programs'), name).storedBytes.value /
      variantNamed(knownFacts('programs'), plain).storedBytes.value
    expect(share('kopia-zstd-3', 'kopia-none')).toBeCloseTo(share('restic-auto', 'restic-off'), 2)
  })
})
