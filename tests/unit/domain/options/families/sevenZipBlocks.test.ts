import { describe, expect, it } from 'vitest'
import { sevenZipBlocksFamily } from '../../../../../src/domain/options/families/sevenZipBlocks'
import {
  factsFrom,
  knownFacts,
  knownSurvey,
  variantNamed,
  withGroups,
} from '../../../../fixtures/options/optionFacts'

const facts = factsFrom(withGroups(knownSurvey('programs')))

describe('merged archives of which equal ones are kept once', () => {
  it('have the size of the distinct archives', () => {
    const [row] = facts.survey.grouped
    const files = variantNamed(facts, '7z-titles+files', sevenZipBlocksFamily)
    expect(files.storedBytes.value).toBe(row?.distinctBytes)
    expect(files.storedBytes.low / files.storedBytes.value).toBeCloseTo(0.93, 3)
  })

  it.each([2, 4, 128])('have in blocks of %i KiB the index that the store writes', (kibibytes) => {
    const [row] = facts.survey.grouped
    const blockBytes = kibibytes * 1024
    const variant = variantNamed(facts, `7z-titles+blocks-${kibibytes}k`, sevenZipBlocksFamily)
    const index = variant.storedBytes.value - (row?.distinctBytes ?? 0)
    const unique = (row?.distinctBytes ?? 0) / blockBytes
    // SHA-256, place, length of each; numbers, paths and heads of the archives' blocks come on top.
    expect(index).toBeGreaterThan(44 * unique)
    expect(index).toBeLessThan(
      44 * (unique + 120) + 4 * ((row?.predictedBytes ?? 0) / blockBytes + 120) + 120 * 200,
    )
    expect(variant).toMatchObject({
      recordBytes: blockBytes,
      reduction: 'blocks+compression',
      largestPieceBytes: 0,
    })
  })

  it('share the blocks that archives with equal first files begin with, but the first and half of the last', () => {
    const survey = withGroups(knownSurvey('programs'))
    const grouped = survey.grouped.map((row) => ({
      ...row,
      sharedStarts: [[15, 4, 200_000]] as [number, number, number][],
    }))
    const dataOf = (of: ReturnType<typeof factsFrom>, kibibytes: number): number =>
      variantNamed(of, `7z-titles+blocks-${kibibytes}k`, sevenZipBlocksFamily).storedBytes.value
    const saved = (kibibytes: number): number =>
      dataOf(facts, kibibytes) - dataOf(factsFrom({ ...survey, grouped }), kibibytes)
    // The index has no entries for blocks that are shared: 44 bytes each.
    expect(saved(4)).toBeCloseTo((200_000 - 4 * 6144) * (1 + 44 / 4096), 0)
    expect(saved(128)).toBe(0)
  })

  it('are left out where no titles were forecast', () => {
    expect(sevenZipBlocksFamily.variants(knownFacts('programs'))).toEqual([])
  })
})
