import { describe, expect, it } from 'vitest'
import { allVariants } from '../../../../../src/domain/options/families/registry'
import { variantNamed, variantsStoring } from '../../../../../src/domain/options/families/typesAsIs'
import { EMPTY_SURVEY, factsFrom } from '../../../../fixtures/options/optionFacts'

const MB = 1_000_000

function row(codec: string, predictedBytes: number, low: number, high: number) {
  const rates = { sampledBytes: 0, bytesPerSecond: 1e8 }
  return { codec, scope: 'file' as const, recordSize: null, predictedBytes, low, high, ...rates }
}

function typeOf(extension: string, bytes: number, codec: string, share: readonly [number, number, number]) {
  const [predictedBytes, low, high] = share.map((one) => one * bytes) as [number, number, number]
  const compression = [{ codec, predictedBytes, low, high }]
  return { extension, fileClass: 'other' as const, files: 10, bytes, compression }
}

/** 60 MB of photos that save nothing and 40 MB of text that becomes a quarter. */
const facts = factsFrom({
  ...EMPTY_SURVEY,
  totals: { ...EMPTY_SURVEY.totals, files: 20, bytes: 100 * MB },
  largestFileBytes: 10 * MB,
  sizeHistogram: [{ fromBytes: 1, toBytes: null, files: 20, bytes: 100 * MB }],
  compression: [row('zstd-3', 70 * MB, 68 * MB, 72 * MB), row('gzip-6', 71 * MB, 69 * MB, 73 * MB)],
  types: [
    typeOf('jpg', 60 * MB, 'zstd-3', [1, 0.99, 1.01]),
    typeOf('txt', 40 * MB, 'zstd-3', [0.25, 0.2, 0.3]),
  ],
})

describe('the forecast of an option that stores types as they are', () => {
  it('has their own size, and for the rest what it is without them', () => {
    const photos = variantNamed(facts, 'files-zstd-3+as-is.jpg')
    expect(photos?.storedBytes.value).toBeCloseTo(70 * MB)
    const text = variantNamed(facts, 'files-zstd-3+as-is.txt')
    expect(text?.storedBytes.value).toBeCloseTo(100 * MB)
    expect(text?.title).toBe('Every file by zstd -3, txt as it is')
    expect(text?.name).toBe('files-zstd-3+as-is.txt')
    expect(text?.fileRatio).toBeCloseTo(1)
  })

  it('has a range of both, which holds at least the stored bytes', () => {
    const { low = 0, high = 0 } = variantNamed(facts, 'files-zstd-3+as-is.txt')?.storedBytes ?? {}
    expect(low).toBeCloseTo(100 * MB - Math.hypot(2 * MB, 2 * MB))
    expect(high).toBeCloseTo(100 * MB + Math.hypot(2 * MB, 2 * MB))
    const unknown = variantNamed(facts, 'files-gzip-6+as-is.jpg')?.storedBytes
    expect(unknown?.low).toBeGreaterThanOrEqual(60 * MB)
    expect(unknown?.high).toBeGreaterThan(73 * MB)
  })

  it('takes less time than packing everything at the least', () => {
    const all = variantNamed(facts, 'files-zstd-3')
    const some = variantNamed(facts, 'files-zstd-3+as-is.jpg')
    expect(some?.packSeconds.low).toBeLessThan(all?.packSeconds.low ?? 0)
    expect(some?.packSeconds.high).toBeGreaterThanOrEqual(all?.packSeconds.high ?? 0)
  })

  it('is none where the survey has none without types', () => {
    expect(variantNamed(facts, 'files-lz4+as-is.jpg')).toBeUndefined()
    expect(variantNamed(facts, 'plain+as-is.jpg')).toBeUndefined()
  })

  it('replaces the variants that can store types, and leaves the others', () => {
    const names = variantsStoring(facts, allVariants(facts), ['jpg', 'zst']).map(({ name }) => name)
    expect(names).toEqual(
      expect.arrayContaining(['plain', 'files-zstd-3+as-is.jpg', 'files-gzip-6+as-is.jpg.zst']),
    )
    expect(names).not.toContain('files-zstd-3')
    const all = allVariants(facts)
    expect(variantsStoring(facts, all, [])).toEqual(all)
  })
})
