import { describe, expect, it } from 'vitest'
import { sevenZipFilesFamily } from '../../../../../src/domain/options/families/sevenZipFiles'
import {
  errorOf,
  factsFrom,
  KNOWN_SETS,
  knownFacts,
  knownSurvey,
  realRun,
  variantNamed,
} from '../../../../fixtures/options/optionFacts'

describe('a 7z of files by themselves', () => {
  it.each(KNOWN_SETS)('is what 7-Zip made of %s: size, work and memory', (set) => {
    const variant = variantNamed(knownFacts(set), '7z-files', sevenZipFilesFamily)
    const real = realRun(set, '7z-files')
    expect(errorOf(variant.storedBytes, real.bytes)).toBeLessThan(0.02)
    expect(errorOf(variant.packSeconds, real.cpuSeconds)).toBeLessThan(0.15)
    expect(errorOf(variant.packRamBytes, real.ramBytes)).toBeLessThan(0.05)
  })

  it('takes as long as samples of these bytes let expect, where they were timed', () => {
    const survey = knownSurvey('tiny')
    const timed = (bytesPerSecond: number): number => {
      const solid = survey.solid.map((row) => ({ ...row, speed: { bytesPerSecond, streamBytes: 655_360 } }))
      return variantNamed(factsFrom({ ...survey, solid }), '7z-files', sevenZipFilesFamily).packSeconds.value
    }
    expect(timed(1e6) / timed(4e6)).toBeCloseTo(4, 6)
    expect(Math.abs(timed(3.4e6) / realRun('tiny', '7z-files').cpuSeconds - 1)).toBeLessThan(0.2)
  })

  it('gives a file without the others', () => {
    const { fetchBytes, storedBytes } = variantNamed(knownFacts('tiny'), '7z-files', sevenZipFilesFamily)
    expect(fetchBytes.value).toBeCloseTo(storedBytes.value / 8000, 3)
  })
})
