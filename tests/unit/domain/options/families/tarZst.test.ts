import { describe, expect, it } from 'vitest'
import { tarZstFamily } from '../../../../../src/domain/options/families/tarZst'
import {
  errorOf,
  factsFrom,
  KNOWN_SETS,
  knownFacts,
  knownSurvey,
  realRun,
  variantNamed,
} from '../../../../fixtures/options/optionFacts'

const RUNS = KNOWN_SETS.flatMap((set) =>
  ['1m', '16m', '64m'].map((size) => [set, `tar-zst-19-${size}-path`] as const),
)

describe('a tar.zst', () => {
  it.each(RUNS)('is what zstd made of %s: %s', (set, name) => {
    const variant = variantNamed(knownFacts(set), name, tarZstFamily)
    const real = realRun(set, name)
    expect(errorOf(variant.storedBytes, real.bytes)).toBeLessThan(0.1)
    expect(errorOf(variant.packSeconds, real.cpuSeconds)).toBeLessThan(0.2)
    expect(errorOf(variant.packRamBytes, real.ramBytes)).toBeLessThan(0.1)
  })

  it('takes of 320 MB the memory that zstd took: 354 MiB, with a window of 128 MiB 411', () => {
    const survey = knownSurvey('disk')
    const row = survey.solid.find(({ codec }) => codec === 'zstd-19-long')
    const of = (window: number): number => {
      const solid = [{ ...(row as NonNullable<typeof row>), dictionaryBytes: window }]
      const totals = { ...survey.totals, files: 1, bytes: 322_000_000 }
      return variantNamed(factsFrom({ ...survey, solid, totals }), `tar-zst-19-${window / 2 ** 20}m-path`)
        .packRamBytes.value
    }
    expect(Math.abs(of(2 ** 26) / (364_232 * 1024) - 1)).toBeLessThan(0.05)
    expect(Math.abs(of(2 ** 27) / (420_864 * 1024) - 1)).toBeLessThan(0.05)
    expect(Math.abs(of(2 ** 20) / (362_056 * 1024) - 1)).toBeLessThan(0.05)
  })

  it('says when unpacking needs more than usual', () => {
    const survey = knownSurvey('tiny')
    const row = survey.solid.find(({ codec }) => codec === 'zstd-19-long')
    const solid = [{ ...(row as NonNullable<typeof row>), dictionaryBytes: 2 ** 28 }]
    expect(variantNamed(factsFrom({ ...survey, solid }), 'tar-zst-19-256m-path').notes.join()).toContain(
      '--long',
    )
    expect(tarZstFamily.variants(factsFrom({ ...survey, solid: [] }))).toEqual([])
  })
})
