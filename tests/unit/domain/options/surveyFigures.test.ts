import { describe, expect, it } from 'vitest'
import {
  filesFrom,
  newBytes,
  patternedBytes,
  roundedUp,
  roundedUpScaled,
} from '../../../../src/domain/options/surveyFigures'
import { sizeHistogram } from '../../../../src/domain/survey/sizeHistogram'
import { seededRandom } from '../../../../src/primitives/seededRandom'
import { EMPTY_SURVEY, knownSurvey } from '../../../fixtures/options/optionFacts'

const random = seededRandom(7)
const sizes = Array.from({ length: 5000 }, () => Math.floor(Math.exp(16 * random.unit())) - 1)
const histogram = sizeHistogram()
for (const size of sizes) histogram.add(size)
const survey = {
  ...EMPTY_SURVEY,
  totals: { ...EMPTY_SURVEY.totals, files: sizes.length, bytes: sizes.reduce((a, b) => a + b, 0) },
  sizeHistogram: histogram.bins(),
}
const rounded = (unit: number, ratio: number): number =>
  sizes.reduce((sum, size) => sum + Math.ceil((size * ratio) / unit) * unit, 0)

describe('files rounded up', () => {
  it.each([
    [512, 1],
    [2048, 1],
    [4096, 1],
    [65_536, 1],
    [2048, 0.37],
    [4096, 0.9],
    [4096, 1.01],
  ])('to units of %i when they are %d of themselves come to what they come to one by one', (unit, ratio) => {
    const { value, low, high } = roundedUpScaled(survey, unit, ratio)
    const truth = rounded(unit, ratio)
    expect(Math.abs(value / truth - 1)).toBeLessThan(0.01)
    expect(truth).toBeGreaterThanOrEqual(low)
    expect(truth).toBeLessThanOrEqual(high)
  })

  it('are counted where the survey counted such blocks', () => {
    const { value, low, high } = roundedUp(knownSurvey('tiny'), 4096)
    expect([value, low, high]).toEqual([9816 * 4096, 9816 * 4096, 9816 * 4096])
  })

  it('are zero for an empty source', () => {
    expect(roundedUpScaled(EMPTY_SURVEY, 4096, 1)).toEqual({ value: 0, low: 0, high: 0 })
  })
})

describe('what a survey has', () => {
  it('of files from a length on', () => {
    const large = sizes.filter((size) => size >= 65_536)
    const found = filesFrom(survey, 65_536)
    expect(found.files).toBe(large.length)
    expect(found.bytes).toBe(large.reduce((a, b) => a + b, 0))
  })

  it('once, and without zeros, is never more than all', () => {
    const disk = knownSurvey('disk')
    expect(newBytes(disk)).toBe(40_546_304)
    expect(patternedBytes(disk)).toBe(disk.totals.bytes - 27_009_024)
    expect(newBytes(survey)).toBe(survey.totals.bytes)
    expect(newBytes(EMPTY_SURVEY)).toBe(0)
  })
})
