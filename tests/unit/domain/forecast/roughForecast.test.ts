import { describe, expect, it } from 'vitest'
import { roughCompression, roughSolids } from '../../../../src/domain/forecast/roughForecast'
import { CODEC_IDS } from '../../../../src/engine/codecs/codecRegistry'

describe('forecasts before any codec was tried', () => {
  it('name every codec once for whole files', () => {
    const files = roughCompression(400, 1000).filter(({ recordSize }) => recordSize === null)
    expect(files.map(({ codec }) => codec).toSorted()).toEqual([...CODEC_IDS].toSorted())
  })

  it('have ranges that hold what sources, tiny files and disk images came out as', () => {
    // zstd -1, zstd -19, LZMA2, gzip -6, lz4 over 6,055 sources, 14,887 icons and two images of disks.
    const actual = [
      [14_197_534, 11_892_081, 11_766_269, 13_289_323, 20_794_504],
      [5_211_281, 5_043_492, 5_212_020, 5_262_261, 6_644_678],
      [9_705_642, 6_265_291, 5_901_967, 9_078_421, 14_809_412],
    ] as const
    const codecs = ['zstd-1', 'zstd-19', 'lzma2-9', 'gzip-6', 'lz4']
    for (const set of actual) {
      const rows = roughCompression(set[0], 100_000_000)
      codecs.forEach((codec, index) => {
        const row = rows.find((one) => one.codec === codec && one.recordSize === null)
        expect(row?.low, codec).toBeLessThanOrEqual(set[index] as number)
        expect(row?.high, codec).toBeGreaterThanOrEqual(set[index] as number)
      })
    }
  })

  it('never exceed what a codec makes of bytes without pattern', () => {
    for (const { predictedBytes, high } of roughCompression(1000, 1000)) {
      expect(predictedBytes).toBeLessThanOrEqual(1020)
      expect(high).toBeLessThanOrEqual(1020)
    }
  })

  it('take equal files once in one archive, which is no larger than its files by themselves', () => {
    const compression = roughCompression(400_000, 1_000_000)
    const files = compression.find(({ codec }) => codec === 'lzma2-9')
    const solids = roughSolids(compression, 1_000_000, 0.5).filter(({ codec }) => codec === 'lzma2-9')
    expect(solids.length).toBeGreaterThan(0)
    for (const { predictedBytes, low, high } of solids) {
      expect(predictedBytes).toBe(Math.round((files?.predictedBytes ?? 0) / 2))
      expect(high).toBe(files?.high)
      expect(low).toBeLessThan(predictedBytes)
    }
  })
})
