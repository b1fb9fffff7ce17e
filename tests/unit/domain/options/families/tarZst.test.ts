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
    expect(variant.packSeconds.low).toBeLessThan(real.cpuSeconds)
    expect(variant.packSeconds.high).toBeGreaterThan(real.cpuSeconds)
  })

  it.each([
    [4, 91_576],
    [64, 156_092],
    [128, 226_004],
  ])(
    'takes with a window of %i MiB what zstd took of 320 MB, %i KiB, and buffers of 36 MiB',
    (mebibytes, kibibytes) => {
      const survey = knownSurvey('disk')
      const row = survey.solid.find(({ codec }) => codec === 'zstd-19-long')
      const solid = [{ ...(row as NonNullable<typeof row>), dictionaryBytes: mebibytes * 2 ** 20 }]
      const totals = { ...survey.totals, files: 1, bytes: 322_000_000 }
      const name = `tar-zst-19-${mebibytes}m-path`
      const { packRamBytes } = variantNamed(factsFrom({ ...survey, solid, totals }), name)
      expect(errorOf(packRamBytes, kibibytes * 1024 + 36 * 2 ** 20)).toBeLessThan(0.02)
    },
  )

  it('follows the speed of the samples', () => {
    const survey = knownSurvey('source')
    const timed = (bytesPerSecond: number): number => {
      const solid = survey.solid.map((row) => ({ ...row, speed: { bytesPerSecond, streamBytes: 655_360 } }))
      return variantNamed(factsFrom({ ...survey, solid }), 'tar-zst-19-64m-path').packSeconds.value
    }
    expect(timed(1e6) / timed(4e6)).toBeCloseTo(4 ** 0.25, 6)
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
