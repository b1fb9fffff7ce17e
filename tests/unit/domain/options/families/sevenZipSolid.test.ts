import { describe, expect, it } from 'vitest'
import { sevenZipSolidFamily } from '../../../../../src/domain/options/families/sevenZipSolid'
import {
  errorOf,
  factsFrom,
  KNOWN_SETS,
  knownFacts,
  knownSurvey,
  realRun,
  variantNamed,
} from '../../../../fixtures/options/optionFacts'

const MIB = 1024 * 1024
const RUNS = KNOWN_SETS.flatMap((set) =>
  ['1m', '4m', '16m', '64m'].map((size) => [set, `7z-solid-${size}-path`] as const),
)

describe('one solid 7z', () => {
  it.each(RUNS)('is what 7-Zip made of %s: %s', (set, name) => {
    const variant = variantNamed(knownFacts(set), name, sevenZipSolidFamily)
    const real = realRun(set, name)
    expect(errorOf(variant.storedBytes, real.bytes)).toBeLessThan(0.1)
    // Of surveys that tell neither repeats from new bytes nor how fast the codec is here.
    expect(variant.packSeconds.low).toBeLessThan(real.cpuSeconds)
    expect(variant.packSeconds.high).toBeGreaterThan(real.cpuSeconds)
    expect(errorOf(variant.packRamBytes, real.ramBytes)).toBeLessThan(0.07)
  })

  it('predicts the measured memory of 7-Zip for a dictionary shorter than the stream', () => {
    const survey = knownSurvey('disk')
    const longer = { ...survey, totals: { ...survey.totals, files: 1, bytes: 322_000_000 } }
    const ram = variantNamed(factsFrom(longer), '7z-solid-64m-path', sevenZipSolidFamily).packRamBytes
    expect(errorOf(ram, 693_504 * 1024)).toBeLessThan(0.02)
  })

  it('has to be unpacked for one file, and is one point of failure', () => {
    const variant = variantNamed(knownFacts('source'), '7z-solid-16m-path', sevenZipSolidFamily)
    expect(variant.fetchBytes.high).toBeGreaterThanOrEqual(variant.storedBytes.value)
    expect(variant.fetchBytes.value / variant.storedBytes.value).toBeCloseTo(0.5, 2)
    expect(variant.risks.map(({ code }) => code)).toEqual(['solid-single-point'])
    expect(variant).toMatchObject({ dictionaryBytes: 16 * MIB, order: 'path', packThreads: 1 })
  })

  it('goes slower on a slower machine, and by no more than a range where its pace is not known', () => {
    const of = (pace: number | undefined) =>
      variantNamed(
        factsFrom(knownSurvey('source'), { machine: { system: 'linux', cores: 2, memoryBytes: 1e9, pace } }),
        '7z-solid-16m-path',
      ).packSeconds
    expect(of(0.5).value).toBeCloseTo(2 * of(1).value, 6)
    expect(of(undefined).value).toBeCloseTo(of(1).value, 6)
    expect(of(undefined).high).toBeGreaterThan(of(1).high)
  })
})
