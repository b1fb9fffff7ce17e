import { describe, expect, it } from 'vitest'
import { sizeHistogram } from '../../../../src/domain/survey/sizeHistogram'

describe('the size histogram', () => {
  it('has one bin of empty files when it saw nothing', () => {
    expect(sizeHistogram().bins()).toEqual([{ fromBytes: 0, toBytes: 1, files: 0, bytes: 0 }])
  })

  it('counts every size in the bin whose bounds hold it', () => {
    const sizes = [0, 0, 1, 2, 3, 4]
    for (let power = 3; power < 53; power++) sizes.push(2 ** power - 1, 2 ** power, 2 ** power + 1)
    sizes.push(Number.MAX_SAFE_INTEGER)
    const histogram = sizeHistogram()
    for (const size of sizes) histogram.add(size)
    const bins = histogram.bins()
    for (const [k, bin] of bins.entries()) {
      const inside = sizes.filter(
        (size) => size >= bin.fromBytes && (bin.toBytes === null || size < bin.toBytes),
      )
      expect([bin.files, bin.bytes]).toEqual([inside.length, inside.reduce((sum, size) => sum + size, 0)])
      expect(bin.fromBytes).toBe(k === 0 ? 0 : bins[k - 1]?.toBytes)
    }
    expect(bins.reduce((sum, bin) => sum + bin.files, 0)).toBe(sizes.length)
    expect(bins.at(-1)?.toBytes).toBeNull()
  })
})
