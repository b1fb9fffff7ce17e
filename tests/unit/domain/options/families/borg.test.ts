import { describe, expect, it } from 'vitest'
import { borgFamily } from '../../../../../src/domain/options/families/borg'
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
  ['none', 'lz4', 'zstd-3'].map((codec) => [set, `borg-1-${codec}`] as const),
)

/** Of `borg init`, which was timed apart: 0.31 s and 0.29 s. */
const INIT_SECONDS = 0.3

describe('a repository of borg', () => {
  it.each(RUNS)('is what borg made of %s: %s', (set, name) => {
    const variant = variantNamed(knownFacts(set), name, borgFamily)
    const real = realRun(set, name)
    const allowed = name === 'borg-1-none' ? 0.005 : 0.04
    expect(errorOf(variant.storedBytes, real.bytes)).toBeLessThan(allowed)
    expect(errorOf(variant.packRamBytes, real.ramBytes)).toBeLessThan(0.05)
    expect(errorOf(variant.packSeconds, real.cpuSeconds + INIT_SECONDS)).toBeLessThan(0.3)
  })

  it('is mostly metadata for tiny files, and hardly any for large random data', () => {
    const survey = knownSurvey('tiny')
    const totals = { ...survey.totals, files: 4000, folders: 41, bytes: 96_000, emptyFiles: 0 }
    const chunked = [
      {
        chunker: 'borg-1',
        averageSize: 1_048_576,
        exact: true,
        chunks: 4000,
        uniqueChunks: 4000,
        uniqueBytes: 96_000,
        low: 96_000,
        high: 96_000,
      },
    ]
    const lists = variantNamed(
      factsFrom({ ...survey, totals, chunked, pathBytes: 32.2 }),
      'borg-1-none',
      borgFamily,
    )
    expect(errorOf(lists.storedBytes, 1_322_145)).toBeLessThan(0.03)
    const few = { ...totals, files: 3, folders: 0, bytes: 150e6 }
    const large = [
      {
        chunker: 'borg-1',
        averageSize: 1_048_576,
        exact: true,
        chunks: 60,
        uniqueChunks: 60,
        uniqueBytes: 150e6,
        low: 150e6,
        high: 150e6,
      },
    ]
    const data = variantNamed(
      factsFrom({ ...survey, totals: few, chunked: large, pathBytes: 6 }),
      'borg-1-none',
    )
    expect(errorOf(data.storedBytes, 150_049_970)).toBeLessThan(0.0005)
  })

  it('of version 2 says that its lists were not measured', () => {
    const variant = variantNamed(knownFacts('tiny'), 'borg-2-zstd-3', borgFamily)
    expect(variant.notes.join()).toContain('beta')
    const { low, high } = variantNamed(knownFacts('tiny'), 'borg-1-zstd-3').storedBytes
    expect(variant.storedBytes.high - variant.storedBytes.low).toBeGreaterThan(high - low)
  })

  it('cannot be read or made on Windows, and is left out without chunks', () => {
    const variant = variantNamed(knownFacts('tiny'), 'borg-1-none', borgFamily)
    expect(variant.risks.map(({ code }) => code)).toContain('no-windows-reader')
    expect(variant.makers).not.toContain('windows')
    expect(borgFamily.variants(factsFrom({ ...knownSurvey('tiny'), chunked: [] }))).toEqual([])
  })
})
