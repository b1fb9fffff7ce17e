import { describe, expect, it } from 'vitest'
import { becauseOf } from '../../../../../src/domain/devices/bands/because'
import {
  type BandCandidate,
  bandRule,
  recommendBands,
} from '../../../../../src/domain/devices/bands/recommend'
import { type BandDevice, sweptAndRecommended, USUAL_SETTINGS } from './syntheticSweep'

const LOCAL = { isNetwork: false, fileSystem: 'apfs' }
const MIB = 2 ** 20

/** Candidates for a full size, each with its rounds in milliseconds. */
function candidates(fullBytes: number, rounds: Readonly<Record<number, readonly number[]>>): BandCandidate[] {
  return Object.entries(rounds).map(([mebibytes, ms]) => ({
    bandBytes: Number(mebibytes) * MIB,
    bands: Math.ceil(fullBytes / (Number(mebibytes) * MIB)),
    bandsInPass: 4,
    roundNs: ms.map((each) => each * 1e6),
  }))
}

const STEADY = [100, 101, 99, 100, 102, 98]
const SLOWER = STEADY.map((ms) => ms * 1.2)

describe('the recommended band size', () => {
  it('is chosen by the number of bands where the difference is noise', () => {
    const found = recommendBands(
      candidates(100e9, { 2: STEADY, 8: STEADY.toReversed(), 16: STEADY, 64: STEADY }),
      LOCAL,
    )
    expect(found).toMatchObject({
      bandBytes: 16 * MIB,
      bands: 5961,
      by: 'goodNumber',
      isNoise: true,
      slower: [],
    })
    expect(found.asFast).toHaveLength(4)
    expect(becauseOf(found, 100e9)).toMatch(
      /^3 other sizes are as fast as 16 MiB .* noise.* When full \(100 GB\) it has 5,961 bands; a good number is 3,000 to 10,000 on a local disk\.$/,
    )
  })

  it('is never one that was shown to be slower, however good its number', () => {
    const found = recommendBands(candidates(100e9, { 8: STEADY, 16: SLOWER, 64: SLOWER }), LOCAL)
    expect(found).toMatchObject({ bandBytes: 8 * MIB, by: 'nearestNumber', isNoise: false })
    expect(found.slower.map(({ bandBytes, ratio }) => [bandBytes, ratio.value.toFixed(2)])).toEqual([
      [16 * MIB, '1.20'],
      [64 * MIB, '1.20'],
    ])
    expect(becauseOf(found, 100e9)).toMatch(
      /8 MiB is the fastest; all others are significantly slower\..*took longer by 20\.0 %/,
    )
  })

  it('compares round by round: a device that gets slower does so for all', () => {
    const drifting = STEADY.map((ms, round) => ms * (1 + round))
    const found = recommendBands(
      candidates(100e9, { 8: drifting, 16: drifting.map((ms) => ms * 1.1) }),
      LOCAL,
    )
    expect(found).toMatchObject({ bandBytes: 8 * MIB, isNoise: false })
  })

  it('keeps below 100,000 bands whatever the rates say', () => {
    const found = recommendBands(candidates(4e12, { 8: STEADY, 64: SLOWER }), LOCAL)
    expect(found).toMatchObject({ bandBytes: 64 * MIB, bands: 59_605, by: 'onlyAllowed', tooMany: [8 * MIB] })
    const none = recommendBands(candidates(40e12, { 8: STEADY, 64: STEADY }), LOCAL)
    expect(none).toMatchObject({ bandBytes: null, by: 'nothingAllowed' })
    expect(becauseOf(none, 40e12)).toMatch(
      /up to 64 MiB would make 100,000 bands or more.*bands of 400 MB or more/,
    )
    const brim = { bandBytes: MIB, bandsInPass: 4, roundNs: STEADY }
    expect(recommendBands([{ ...brim, bands: 100_000 }], LOCAL).bandBytes).toBeNull()
    expect(recommendBands([{ ...brim, bands: 99_999 }], LOCAL).bandBytes).toBe(MIB)
  })

  it('leaves out sizes of which a pass covered fewer than two bands, and reports it', () => {
    const all = candidates(1e12, { 8: STEADY, 128: STEADY, 256: STEADY })
    const short = all.map(({ bandBytes, bands, roundNs }) => {
      const bandsInPass = (256 * MIB) / bandBytes
      return { bandBytes, bands, roundNs, bandsInPass }
    })
    const found = recommendBands(short, LOCAL)
    expect(found).toMatchObject({ bandBytes: 128 * MIB, tooLarge: [256 * MIB], tooMany: [8 * MIB] })
    expect(becauseOf(found, 1e12)).toMatch(/Not considered: 256 MiB/)
  })

  it('follows the number of bands alone where the budget is too small to rank good sizes', () => {
    const device: BandDevice = { bytesPerSecond: 1e9, bandNs: 1e5, noise: 0.05, drift: 0.1 }
    const settings = { ...USUAL_SETTINGS, budgetBytes: 400e6 }
    const found = sweptAndRecommended(device, 3, 100e9, settings)
    expect(found).toMatchObject({ bandBytes: 15_400_960, bands: 6494, by: 'unranked', isNoise: false })
    expect(becauseOf(found, 100e9)).toMatch(
      /^The budget is too small to rank the sizes: a pass covered fewer than two bands of .*So the rule decides: 15\.4 MB\. When full \(100 GB\) it has 6,494 bands; a good number is 3,000 to 10,000 on a local disk\.$/,
    )
    // A longer sweep of the same device ranks them.
    expect(sweptAndRecommended(device, 3, 100e9).by).not.toBe('unranked')
  })

  it('aims at fewer files over a network and on FAT, and respects the limit of a FAT folder', () => {
    const all = candidates(100e9, { 8: STEADY, 16: STEADY, 32: STEADY })
    expect(recommendBands(all, { isNetwork: true, fileSystem: 'smbfs' }).bandBytes).toBe(32 * MIB)
    expect(recommendBands(all, { isNetwork: false, fileSystem: 'exfat' }).bandBytes).toBe(32 * MIB)
    expect(recommendBands(all, LOCAL).bandBytes).toBe(16 * MIB)
    expect(bandRule({ isNetwork: false, fileSystem: 'vfat' }).limit).toBeLessThan(32_768)
  })

  it('is none where nothing was timed', () => {
    const none = recommendBands([], LOCAL)
    expect(none).toMatchObject({ bandBytes: null, by: 'nothingTimed' })
    expect(becauseOf(none, 1e12)).toBe('No sparse bundle was timed.')
  })
})

describe('ten sweeps of a noisy device', () => {
  const NOISY: BandDevice = { bytesPerSecond: 1e9, bandNs: 0, noise: 0.08, drift: 0.15 }
  const SEEDS = Array.from({ length: 10 }, (_, index) => 100 + index)
  const countOf = (sizes: readonly (number | null)[], size: number | null): number =>
    sizes.filter((other) => other === size).length
  const most = (sizes: readonly (number | null)[]): number =>
    Math.max(...sizes.map((size) => countOf(sizes, size)))

  it.each([
    ['flat', NOISY, 100e9],
    ['slow above 33.8 MB', { ...NOISY, slowAbove: { bandBytes: 33.8e6, factor: 1.4 } }, 100e9],
    [
      'slow above 33.8 MB, for a large bundle',
      { ...NOISY, slowAbove: { bandBytes: 33.8e6, factor: 1.4 } },
      1e12,
    ],
    ['flat and very noisy', { ...NOISY, noise: 0.25, drift: 0.4 }, 1e12],
  ])('%s: at least nine give the same size', (_name, device, fullBytes) => {
    const found = SEEDS.map((seed) => sweptAndRecommended(device, seed, fullBytes))
    expect(most(found.map(({ bandBytes }) => bandBytes))).toBeGreaterThanOrEqual(9)
  })

  it('with a small cost per band, different recommendations report noise and are close', () => {
    const bandNs = 4e6
    const found = SEEDS.map((seed) => sweptAndRecommended({ ...NOISY, bandNs }, seed, 100e9))
    const sizes = found.map(({ bandBytes }) => bandBytes)
    const usual = sizes.toSorted((a, b) => countOf(sizes, b) - countOf(sizes, a))[0]
    for (const { bandBytes, isNoise } of found) {
      expect(bandBytes === usual || isNoise).toBe(true)
      // 128 MiB would take 1 + bandNs × rate / size of it.
      const price = (size: number): number => 1 + (bandNs * NOISY.bytesPerSecond) / 1e9 / size
      expect(price(bandBytes ?? 1) / price(128 * MIB)).toBeLessThan(1.25)
    }
  })

  it('a device without differences: every recommendation reports noise', () => {
    for (const seed of SEEDS) expect(sweptAndRecommended(NOISY, seed, 100e9).isNoise).toBe(true)
  })

  it('sizes that are much slower are shown to be, and never recommended', () => {
    const device = { ...NOISY, slowAbove: { bandBytes: 33.8e6, factor: 1.4 } }
    const found = SEEDS.map((seed) => sweptAndRecommended(device, seed, 1e12))
    // Of 48, 64 and 128 MiB: most of thirty cases, and at least one in each sweep.
    const shown = found.map(({ slower }) => slower.filter(({ bandBytes }) => bandBytes > 33.8e6).length)
    expect(Math.min(...shown)).toBeGreaterThanOrEqual(1)
    expect(shown.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(27)
    for (const { slower } of found)
      for (const { bandBytes } of slower) expect(bandBytes).toBeGreaterThan(33.8e6)
    expect(found.filter(({ bandBytes }) => bandBytes === 32 * MIB).length).toBeGreaterThanOrEqual(9)
  })

  it('a single clear minimum is found without the word noise', () => {
    const device = { ...NOISY, noise: 0.03, drift: 0.3, bandNs: 20e6 }
    const few = { bandSizes: [2 * MIB, 16 * MIB, 24 * MIB], kinds: ['UDSB'], encryptions: [null] } as const
    const settings = { ...few, budgetBytes: 43e9, repeats: null, requestBytes: MIB, seed: 1 }
    for (const seed of SEEDS) {
      const found = sweptAndRecommended(
        { ...device, slowAbove: { bandBytes: 20 * MIB, factor: 1.5 } },
        seed,
        100e9,
        settings,
      )
      expect(found).toMatchObject({ bandBytes: 16 * MIB, isNoise: false })
    }
  })
})
