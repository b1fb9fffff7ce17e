import { describe, expect, it } from 'vitest'
import { isoFamily } from '../../../../../src/domain/options/families/iso'
import {
  EMPTY_SURVEY,
  errorOf,
  factsFrom,
  KNOWN_SETS,
  knownFacts,
  realRun,
  variantNamed,
} from '../../../../fixtures/options/optionFacts'

describe('an ISO image', () => {
  it.each(KNOWN_SETS)('of %s is what xorriso made, within half a percent, and as much memory', (set) => {
    const iso = variantNamed(knownFacts(set), 'iso', isoFamily)
    const real = realRun(set, 'iso')
    expect(errorOf(iso.storedBytes, real.bytes)).toBeLessThan(0.005)
    expect(real.bytes).toBeGreaterThanOrEqual(iso.storedBytes.low)
    expect(real.bytes).toBeLessThanOrEqual(iso.storedBytes.high)
    expect(errorOf(iso.packRamBytes, real.ramBytes)).toBeLessThan(0.05)
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
    // 32 sectors before, a block for empty files, 150 behind; one of data, one or two of the root.
    expect((iso?.storedBytes.value ?? 0) / 2048).toBeGreaterThanOrEqual(32 + 1 + 1 + 150)
    expect((iso?.storedBytes.value ?? 0) / 2048).toBeLessThanOrEqual(32 + 1 + 1 + 150 + 2)
    expect(isoFamily.variants(factsFrom(EMPTY_SURVEY))).toEqual([])
  })
})
