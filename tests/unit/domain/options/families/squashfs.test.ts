import { describe, expect, it } from 'vitest'
import { squashfsFamily } from '../../../../../src/domain/options/families/squashfs'
import {
  errorOf,
  factsFrom,
  KNOWN_SETS,
  knownFacts,
  knownSurvey,
  realRun,
  variantNamed,
} from '../../../../fixtures/options/optionFacts'

const NAMES = ['gzip-128k', 'gzip-1m', 'lz4-128k', 'zstd-3-128k', 'zstd-3-1m'].map(
  (name) => `squashfs-${name}`,
)
const RUNS = KNOWN_SETS.flatMap((set) => NAMES.map((name) => [set, name] as const))

describe('a SquashFS image', () => {
  it.each(RUNS)('is what mksquashfs made of %s: %s', (set, name) => {
    const variant = variantNamed(knownFacts(set), name, squashfsFamily)
    const real = realRun(set, name)
    expect(errorOf(variant.storedBytes, real.bytes)).toBeLessThan(0.04)
    expect(real.bytes).toBeGreaterThanOrEqual(variant.storedBytes.low)
    expect(real.bytes).toBeLessThanOrEqual(variant.storedBytes.high)
    expect(errorOf(variant.packRamBytes, real.ramBytes)).toBeLessThan(0.25)
  })

  it('has no more buffers than -mem 256M lets it have', () => {
    const survey = knownSurvey('disk')
    const larger = { ...survey, totals: { ...survey.totals, bytes: 50e9 } }
    const ram = variantNamed(factsFrom(larger), 'squashfs-lz4-128k', squashfsFamily).packRamBytes
    expect(ram.high).toBeLessThanOrEqual(256 * 1024 * 1024)
    expect(ram.value).toBeGreaterThan(150 * 1024 * 1024)
  })

  it('is mounted by Linux alone, zstd by newer ones only, and unpacked by 7-Zip unless it is LZ4', () => {
    const gzip = variantNamed(knownFacts('tiny'), 'squashfs-gzip-128k', squashfsFamily)
    expect(gzip.readers.filter(({ own }) => own).map(({ systems }) => systems)).toEqual([['linux']])
    const zstd = variantNamed(knownFacts('tiny'), 'squashfs-zstd-3-128k', squashfsFamily)
    expect(zstd.readers[0]?.since).toBe('Linux 4.14')
    expect(zstd.risks).toEqual([])
    const lz4 = variantNamed(knownFacts('tiny'), 'squashfs-lz4-128k', squashfsFamily)
    expect(lz4.risks.map(({ code }) => code)).toContain('no-windows-reader')
  })

  it('is left out for blocks that were not sampled', () => {
    const survey = knownSurvey('tiny')
    const few = survey.compression.filter(({ recordSize }) => recordSize !== 1_048_576)
    const names = squashfsFamily.variants(factsFrom({ ...survey, compression: few })).map(({ name }) => name)
    expect(names).toEqual(['squashfs-gzip-128k', 'squashfs-lz4-128k', 'squashfs-zstd-3-128k'])
  })
})
