import { describe, expect, it } from 'vitest'
import {
  torrent7zBlockFiles,
  torrent7zDictionary,
  torrent7zSourceOf,
} from '../../../../src/domain/forecast/torrent7z'

const MIB = 1024 * 1024
const sizes = (...mib: number[]): number[] => mib.map((size) => size * MIB)

describe('the dictionary of torrent7z', () => {
  it.each([
    ['nothing', [], 16],
    ['a single file', sizes(500), 16],
    ['a small source', sizes(2, 2, 3), 16],
    // 100 MiB are 100 in steps of 4: half of them.
    ['files of one size', sizes(25, 25, 25, 25), 50],
    ['a total that is rounded up to four', sizes(25, 25, 25, 26), 52],
    ['files below 60 MiB', sizes(50, 50, 50, 50), 64],
    ['files of 60 MiB', sizes(60, 60, 60), 80],
    ['one that is far larger than the mean', sizes(1, 1, 1, 90), 16],
    ['one that is far smaller than the mean', sizes(90, 90, 90, 1), 80],
  ])('of %s', (_, files, mib) => {
    expect(torrent7zDictionary(torrent7zSourceOf(files))).toBe(mib * MIB)
  })

  it('counts in whole mebibytes', () => {
    expect(torrent7zDictionary(torrent7zSourceOf([25 * MIB, 25 * MIB, 25 * MIB, 25 * MIB - 5]))).toBe(
      50 * MIB,
    )
  })
})

it('lets a block hold all files', () => {
  expect([0, 896, 897, 5000].map(torrent7zBlockFiles)).toEqual([1024, 1024, 2048, 6144])
})
