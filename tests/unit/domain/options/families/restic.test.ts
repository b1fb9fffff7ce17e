import { describe, expect, it } from 'vitest'
import { resticFamily } from '../../../../../src/domain/options/families/restic'
import {
  errorOf,
  factsFrom,
  KNOWN_SETS,
  knownFacts,
  knownSurvey,
  realRun,
  variantNamed,
} from '../../../../fixtures/options/optionFacts'

const RUNS = KNOWN_SETS.flatMap((set) => ['restic-off', 'restic-auto'].map((name) => [set, name] as const))

/** Of `restic init`, which was measured apart: 0.46 s and 0.30 s, 84 and 86 MiB. */
const INIT = { seconds: 0.38, ramBytes: 87_000 * 1024 }

describe('a repository of restic', () => {
  it.each(RUNS)('is what restic made of %s: %s', (set, name) => {
    const variant = variantNamed(knownFacts(set), name, resticFamily)
    const real = realRun(set, name)
    expect(errorOf(variant.storedBytes, real.bytes)).toBeLessThan(0.01)
    expect(errorOf(variant.packRamBytes, Math.max(INIT.ramBytes, real.ramBytes))).toBeLessThan(0.15)
    expect(errorOf(variant.packSeconds, real.cpuSeconds + INIT.seconds)).toBeLessThan(0.3)
  })

  it('matches restic for tiny files', () => {
    const survey = knownSurvey('tiny')
    const totals = { ...survey.totals, files: 4000, folders: 41, bytes: 96_000, emptyFiles: 0 }
    const chunked = [
      {
        chunker: 'restic',
        averageSize: 1_048_576,
        exact: true,
        chunks: 4000,
        uniqueChunks: 4000,
        uniqueBytes: 96_000,
        low: 96_000,
        high: 96_000,
      },
    ]
    const variant = variantNamed(factsFrom({ ...survey, totals, chunked, pathBytes: 32.2 }), 'restic-off')
    expect(errorOf(variant.storedBytes, 740_528)).toBeLessThan(0.05)
  })

  it('is always encrypted', () => {
    expect(variantNamed(knownFacts('tiny'), 'restic-off', resticFamily).encryption?.kinds).toEqual([
      'aes-256',
    ])
  })
})
