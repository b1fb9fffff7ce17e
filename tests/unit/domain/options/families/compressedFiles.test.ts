import { describe, expect, it } from 'vitest'
import { compressedFilesFamily } from '../../../../../src/domain/options/families/compressedFiles'
import {
  changedRows,
  errorOf,
  factsFrom,
  KNOWN_SETS,
  knownFacts,
  knownSurvey,
  realRun,
  variantNamed,
} from '../../../../fixtures/options/optionFacts'

const NAMES = ['files-gzip-6', 'files-gzip-9', 'files-zstd-3', 'files-zstd-19'] as const

describe('files compressed by themselves', () => {
  it.each(KNOWN_SETS.flatMap((set) => NAMES.map((name) => [set, name] as const)))(
    'come to what the programs made of %s: %s, within 2 %',
    (set, name) => {
      const variant = variantNamed(knownFacts(set), name, compressedFilesFamily)
      expect(errorOf(variant.storedBytes, realRun(set, name).bytes)).toBeLessThan(0.02)
      expect(variant.storedFiles.value).toBe(knownSurvey(set).totals.files)
      expect(variant.fileRatio).toBeCloseTo(variant.storedBytes.value / knownSurvey(set).totals.bytes, 9)
    },
  )

  it('take the memory of one gzip for each that runs, four at most', () => {
    const of = (cores: number): number => {
      const machine = { system: 'linux', cores, memoryBytes: 8e9, pace: 1 } as const
      return variantNamed(factsFrom(knownSurvey('source'), { machine }), 'files-gzip-6').packRamBytes.value
    }
    expect(Math.abs(of(1) / realRun('source', 'files-gzip-6').ramBytes - 1)).toBeLessThan(0.1)
    expect(of(4)).toBe(4 * of(1))
    expect(of(64)).toBe(4 * of(1))
  })

  // By Stowage itself, two long ones or eight short ones at once: how much its process grew, in the median of two to five runs.
  it.each([
    ['tiny', 'files-zstd-3', 71],
    ['source', 'files-zstd-3', 50],
    ['programs', 'files-zstd-3', 31],
    ['disk', 'files-zstd-3', 21],
    ['tiny', 'files-zstd-19', 74],
    ['source', 'files-zstd-19', 136],
    ['disk', 'files-zstd-19', 187],
    ['tiny', 'files-lz4', 7],
    ['source', 'files-lz4', 38],
    ['programs', 'files-lz4', 75],
  ] as const)('of %s take by %s about %i MiB', (set, name, mebibytes) => {
    const { packRamBytes } = variantNamed(knownFacts(set), name, compressedFilesFamily)
    expect(packRamBytes.low).toBeLessThan(mebibytes * 2 ** 20)
    expect(packRamBytes.high).toBeGreaterThan(mebibytes * 2 ** 20)
    expect(errorOf(packRamBytes, mebibytes * 2 ** 20)).toBeLessThan(0.35)
  })

  it('are unpacked at the measured rate where there is one', () => {
    const survey = knownSurvey('tiny')
    const measured = changedRows(survey.compression, () => ({ unpackBytesPerSecond: 100e6 }))
    const before = variantNamed(knownFacts('tiny'), 'files-gzip-6').unpackSeconds
    const after = variantNamed(factsFrom({ ...survey, compression: measured }), 'files-gzip-6').unpackSeconds
    expect(before.basis).toContain('published')
    expect(after.basis).toContain('measured on samples')
    expect(after.value - before.value).toBeCloseTo(
      survey.totals.bytes / 100e6 - survey.totals.bytes / 390e6,
      6,
    )
  })

  it('are left out where the codec was not sampled', () => {
    const survey = knownSurvey('tiny')
    const only = survey.compression.filter(({ codec }) => codec === 'lz4')
    const names = compressedFilesFamily
      .variants(factsFrom({ ...survey, compression: only }))
      .map(({ name }) => name)
    expect(names).toEqual(['files-lz4'])
  })
})
