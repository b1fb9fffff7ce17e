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
    expect(errorOf(variant.packSeconds, real.cpuSeconds)).toBeLessThan(0.2)
    expect(errorOf(variant.packRamBytes, real.ramBytes)).toBeLessThan(0.07)
  })

  it('takes for 64 MiB of a longer stream what 7-Zip took of 320 MB: 677 MiB', () => {
    const survey = knownSurvey('disk')
    const longer = { ...survey, totals: { ...survey.totals, files: 1, bytes: 322_000_000 } }
    const ram = variantNamed(factsFrom(longer), '7z-solid-64m-path', sevenZipSolidFamily).packRamBytes
    expect(errorOf(ram, 693_504 * 1024)).toBeLessThan(0.02)
  })

  it('takes as long as samples of these bytes let expect, half as much as that, and less where repeats are near', () => {
    const survey = knownSurvey('source')
    const timed = (bytesPerSecond: number, order: string): number => {
      const solid = survey.solid.map((row) => ({
        ...row,
        order,
        speed: { bytesPerSecond, streamBytes: 655_360 },
      }))
      return variantNamed(factsFrom({ ...survey, solid }), `7z-solid-64m-${order}`).packSeconds.value
    }
    expect(timed(1e6, 'path') / timed(4e6, 'path')).toBeCloseTo(2, 6)
    expect(timed(1e6, 'content')).toBeLessThan(timed(1e6, 'path'))
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
