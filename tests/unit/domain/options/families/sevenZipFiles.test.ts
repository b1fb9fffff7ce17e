import { describe, expect, it } from 'vitest'
import { sevenZipFilesFamily } from '../../../../../src/domain/options/families/sevenZipFiles'
import {
  errorOf,
  KNOWN_SETS,
  knownFacts,
  realRun,
  variantNamed,
} from '../../../../fixtures/options/optionFacts'

describe('a 7z of files by themselves', () => {
  it.each(KNOWN_SETS)('is what 7-Zip made of %s: size, work and memory', (set) => {
    const variant = variantNamed(knownFacts(set), '7z-files', sevenZipFilesFamily)
    const real = realRun(set, '7z-files')
    expect(errorOf(variant.storedBytes, real.bytes)).toBeLessThan(0.02)
    expect(variant.packSeconds.low).toBeLessThan(real.cpuSeconds)
    expect(variant.packSeconds.high).toBeGreaterThan(real.cpuSeconds)
    expect(errorOf(variant.packRamBytes, real.ramBytes)).toBeLessThan(0.05)
  })

  it('unpacks quickly what is stored without symbols', () => {
    const seconds = (saved: number): number => {
      const facts = knownFacts('tiny')
      const compression = facts.survey.compression.map((row) => ({
        ...row,
        predictedBytes: facts.survey.totals.bytes * (1 - saved),
      }))
      const { unpackSeconds } = variantNamed(
        { ...facts, survey: { ...facts.survey, compression } },
        '7z-files',
        sevenZipFilesFamily,
      )
      return unpackSeconds.value
    }
    expect(seconds(0.01)).toBeLessThan(0.5 * seconds(0.05))
    expect(seconds(0.5)).toBeLessThan(seconds(0.05))
  })

  it('gives a file without the others', () => {
    const { fetchBytes, storedBytes } = variantNamed(knownFacts('tiny'), '7z-files', sevenZipFilesFamily)
    expect(fetchBytes.value).toBeCloseTo(storedBytes.value / 8000, 3)
  })
})
