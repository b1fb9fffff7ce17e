import { describe, expect, it } from 'vitest'
import { storedRecordBytes, zfsRecordBytes } from '../../../../src/domain/forecast/recordModel'

const zfs = (ashift: number) => ({ kind: 'zfs', ashift }) as const
const record = (bytes: number, compressedBytes: number, allZero = false) => ({
  bytes,
  compressedBytes,
  allZero,
})

describe('the bytes a store takes for a record', () => {
  it('are the compressed ones, or its own when compressing makes it larger', () => {
    expect(storedRecordBytes(record(4096, 1000), { kind: 'raw' })).toBe(1000)
    expect(storedRecordBytes(record(4096, 4100), { kind: 'raw' })).toBe(4096)
  })

  it('are none in ZFS for zeros and for what fits into the block pointer', () => {
    expect(storedRecordBytes(record(131_072, 150, true), zfs(12))).toBe(0)
    expect(storedRecordBytes(record(4096, 112), zfs(12))).toBe(0)
    expect(storedRecordBytes(record(4096, 113), zfs(9))).toBe(512)
  })

  it('are whole sectors in ZFS, compressed only when an eighth is saved', () => {
    expect(storedRecordBytes(record(131_072, 100_000), zfs(12))).toBe(102_400)
    expect(storedRecordBytes(record(131_072, 114_688), zfs(12))).toBe(114_688)
    expect(storedRecordBytes(record(131_072, 114_689), zfs(12))).toBe(131_072)
    expect(storedRecordBytes(record(131_072, 114_689), zfs(9))).toBe(131_072)
  })

  it('never shrink for records of one sector, and for two only to one', () => {
    expect(storedRecordBytes(record(4096, 113), zfs(12))).toBe(4096)
    expect(storedRecordBytes(record(8192, 4096), zfs(12))).toBe(4096)
    expect(storedRecordBytes(record(8192, 4097), zfs(12))).toBe(8192)
  })

  it('save an eighth of the length of a short file, not of the sectors that hold it', () => {
    expect(storedRecordBytes(record(8704, 4096), zfs(12))).toBe(4096)
    expect(storedRecordBytes(record(8704, 4097), zfs(12))).toBe(12_288)
    expect(storedRecordBytes(record(4608, 1000), zfs(12))).toBe(8192)
  })

  it('are of a record as long as the file in sectors of 512, or of a full one in a longer file', () => {
    expect(zfsRecordBytes(1, 131_072)).toBe(512)
    expect(zfsRecordBytes(131_072, 131_072)).toBe(131_072)
    expect(zfsRecordBytes(131_073, 131_072)).toBe(131_072)
    expect(storedRecordBytes(record(zfsRecordBytes(700, 131_072), 690), zfs(9))).toBe(1024)
  })
})
