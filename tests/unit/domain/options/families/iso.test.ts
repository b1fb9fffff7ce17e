import { describe, expect, it } from 'vitest'
import { imageBytes, isoFamily } from '../../../../../src/domain/options/families/iso'
import {
  EMPTY_SURVEY,
  factsFrom,
  KNOWN_SETS,
  knownSurvey,
  realRun,
} from '../../../../fixtures/options/optionFacts'

describe('an ISO image', () => {
  it.each(KNOWN_SETS)('of %s is larger with UDF by a sector for each file and folder, and lists', (set) => {
    const survey = knownSurvey(set)
    const both = imageBytes(survey, true).value
    const alone = imageBytes(survey, false).value
    const { files, folders } = survey.totals
    expect((both - alone) / 2048).toBeGreaterThan(files + 2 * folders)
    // Without UDF it is what xorriso made, which had 150 sectors at the end.
    const real = realRun(set, 'iso').bytes - 150 * 2048
    expect(Math.abs(alone / real - 1)).toBeLessThan(0.01)
  })

  it('of a byte has the sectors that every image has', () => {
    const survey = {
      ...EMPTY_SURVEY,
      totals: { ...EMPTY_SURVEY.totals, files: 1, bytes: 1 },
      fixedBlocks: [
        {
          blockSize: 2048,
          blocks: 1,
          uniqueBlocks: 1,
          uniqueBytes: 1,
          low: 1,
          high: 1,
          zeroBlocks: 0,
          zeroBytes: 0,
          exact: true,
        },
      ],
    }
    const [iso] = isoFamily.variants(factsFrom(survey))
    // 259 sectors before the folders, 12 of both trees, one of data, one behind: filled up to 288.
    expect((iso?.storedBytes.value ?? 0) / 2048).toBe(288)
    expect(imageBytes(survey, false).value / 2048).toBe(32)
    expect(isoFamily.variants(factsFrom(EMPTY_SURVEY))).toEqual([])
  })
})
