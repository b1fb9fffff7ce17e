import { describe, expect, it } from 'vitest'
import { folderPart, type OptionFile } from '../../../../src/domain/options/folderParts'

const file = (
  archive: string,
  content: string,
  packedBytes: number,
  isIn: boolean,
  aloneBytes = packedBytes,
): OptionFile => ({
  isIn,
  archive,
  content,
  extension: 'bin',
  bytes: 10 * aloneBytes,
  packedBytes,
  aloneBytes,
})

const SOLID = { isSolid: true, listBytes: () => 0 }

describe('the part of an option by folder', () => {
  it('has the share of its archives in all that the option would make, lists included', () => {
    const files = [file('a', '1', 60, true), file('a', '2', 20, true), file('b', '3', 100, false)]
    const { share, ...part } = folderPart('7z-dat', files, {
      isSolid: true,
      listBytes: (count) => 5 * count,
    })
    expect(part).toMatchObject({ option: '7z-dat', files: 2, bytes: 800, archives: 1, largestBytes: 800 })
    expect(share.value).toBeCloseTo(90 / 195)
    expect([share.low, share.high]).toEqual([share.value, share.value])
  })

  it('is all where every file is in it, and nothing where none is', () => {
    const files = [file('a', '1', 60, true), file('b', '2', 20, true)]
    expect(folderPart('7z-dat', files, SOLID).share).toEqual({ value: 1, low: 1, high: 1 })
    const others = files.map((one) => Object.assign({}, one, { isIn: false }))
    expect(folderPart('7z-dat', others, SOLID)).toMatchObject({ files: 0, archives: 0, share: { value: 0 } })
    expect(folderPart('7z-dat', [], SOLID).share.value).toBe(0)
  })

  it('holds a whole archive where it has every content, whichever copy the archive would take', () => {
    const files = [
      file('a', '1', 80, false, 80),
      file('a', '2', 20, false, 60),
      file('a', '1', 0, true, 80),
      file('a', '2', 0, true, 60),
    ]
    expect(folderPart('7z-dat', files, SOLID).share).toEqual({ value: 1, low: 1, high: 1 })
  })

  it('has a range where what its files share lies in others', () => {
    const clone = [file('a', '1', 80, false, 80), file('a', '2', 5, true, 80), file('a', '3', 5, true, 80)]
    const { share } = folderPart('7z-dat', clone, SOLID)
    // One of them takes what it takes alone, at least; both no more than the whole archive.
    expect(share.low).toBeCloseTo(10 / 90)
    expect(share.value).toBeCloseTo(80 / 90)
    expect(share.high).toBeCloseTo(1)
    const apart = [file('a', '1', 50, false, 50), file('a', '2', 50, true, 50)]
    expect(folderPart('7z-dat', apart, SOLID).share).toEqual({ value: 0.5, low: 0.5, high: 0.5 })
  })

  it('counts files that are stored as they are at their own size', () => {
    const files = [{ ...file('a', '1', 20, true), asIsBytes: 50 }, file('b', '2', 80, false)]
    expect(folderPart('files-zstd-3+as-is.jpg', files, SOLID).share.value).toBeCloseTo(0.5)
  })

  it('says how much of it is of types that other parts have too', () => {
    const files = [file('a', '1', 60, true), file('b', '2', 60, false)]
    expect(folderPart('7z-dat', files, SOLID).mixedTypes).toBeCloseTo(0.5)
    const apart = files.map((one) => Object.assign({}, one, { extension: one.isIn ? 'nes' : 'gb' }))
    expect(folderPart('7z-dat', apart, SOLID).mixedTypes).toBe(0)
  })

  it('counts every copy where files of an archive are packed by themselves', () => {
    const files = [file('a', '1', 60, true), file('a', '1', 60, false)]
    const { share } = folderPart('torrentzip-sets', files, { isSolid: false, listBytes: () => 0 })
    expect(share).toEqual({ value: 0.5, low: 0.5, high: 0.5 })
  })
})
