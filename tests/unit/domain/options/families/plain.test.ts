import { describe, expect, it } from 'vitest'
import { plainFamily } from '../../../../../src/domain/options/families/plain'
import {
  EMPTY_SURVEY,
  factsFrom,
  knownFacts,
  knownSurvey,
  variantNamed,
} from '../../../../fixtures/options/optionFacts'

describe('plain files', () => {
  it('take exactly what they have, and equal ones once as hard links', () => {
    const { totals, duplicateFiles } = knownSurvey('source')
    const facts = knownFacts('source')
    const plain = variantNamed(facts, 'plain', plainFamily)
    expect(plain.storedBytes).toMatchObject({ value: totals.bytes, low: totals.bytes, provenance: 'exact' })
    expect(plain).toMatchObject({
      access: 'inPlace',
      fileRatio: 1,
      largestPieceBytes: knownSurvey('source').largestFileBytes,
    })
    const linked = variantNamed(facts, 'plain-hardlinks', plainFamily)
    expect(linked.storedBytes.value).toBe(41_943_034 - 15_824_184)
    expect(linked.storedBytes.value).toBe(totals.bytes - duplicateFiles.bytes)
    expect(linked.storedFiles.value).toBe(totals.files)
    // What is equal is not written, and has to be found: builds of it took a fifth longer, of which a part is waiting.
    expect(linked.packSeconds.value / plain.packSeconds.value).toBeCloseTo(1.1, 1)
    expect(linked.waitSeconds?.value).toBeGreaterThan(plain.waitSeconds?.value ?? 0)
  })

  it('have no linked form where nothing is equal', () => {
    expect(plainFamily.variants(factsFrom(EMPTY_SURVEY)).map(({ name }) => name)).toEqual(['plain'])
  })

  it('are a risk when they are very many', () => {
    const survey = knownSurvey('tiny')
    const many = { ...survey, totals: { ...survey.totals, files: 100_001 } }
    expect(variantNamed(factsFrom(many), 'plain').risks.map(({ code }) => code)).toEqual(['many-small-files'])
    expect(variantNamed(factsFrom(survey), 'plain').risks).toEqual([])
  })
})
