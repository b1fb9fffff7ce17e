import { describe, expect, it } from 'vitest'
import { blocksFamily } from '../../../../../src/domain/options/families/blocks'
import {
  changedRows,
  factsFrom,
  knownFacts,
  knownSurvey,
  variantNamed,
} from '../../../../fixtures/options/optionFacts'

describe('blocks', () => {
  it.each(['2k', '4k', '128k', '1m'])('of %s are the different ones and an exact index', (size) => {
    const survey = knownSurvey('source')
    const variant = variantNamed(knownFacts('source'), `blocks-${size}`, blocksFamily)
    const row = survey.fixedBlocks.find(({ blockSize }) => blockSize === variant.recordBytes)
    if (!row) throw new Error('no such blocks')
    const paths = survey.totals.files * survey.pathBytes
    const index = 32 + 44 * row.uniqueBlocks + 12 * survey.totals.files + paths + 4 * row.blocks
    expect(variant.storedBytes.value).toBe(row.uniqueBytes + Math.round(index))
    expect(variant.storedBytes).toMatchObject({ provenance: 'exact' })
  })

  it('have the range of their count where the tables did not hold it', () => {
    const survey = knownSurvey('source')
    const blurred = changedRows(survey.fixedBlocks, ({ uniqueBytes }) => ({
      exact: false,
      low: uniqueBytes * 0.99,
      high: uniqueBytes * 1.01,
    }))
    const { storedBytes } = variantNamed(
      factsFrom({ ...survey, fixedBlocks: blurred }),
      'blocks-4k',
      blocksFamily,
    )
    expect(storedBytes.provenance).toBe('measured')
    expect(storedBytes.high / storedBytes.value).toBeCloseTo(1.01, 2)
  })
})
