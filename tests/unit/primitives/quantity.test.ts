import { describe, expect, it, test } from 'vitest'
import {
  formatBlockSize,
  formatChunkSize,
  formatCount,
  formatCounted,
  formatExactBytes,
  formatShare,
  formatSize,
  formatSizeRange,
  sizeWithRange,
} from '../../../src/primitives/quantity'

describe('counts', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [1000, '1,000'],
    [78_579, '78,579'],
    [1_234_567, '1,234,567'],
    [Number.MAX_SAFE_INTEGER, '9,007,199,254,740,991'],
    [2.5, '3'],
    [999.5, '1,000'],
    [-0.4, '0'],
    [-1234.5, '-1,235'],
  ])('%d is %s', (count, text) => {
    expect(formatCount(count)).toBe(text)
  })
})

test('a count takes its noun in the singular only for one', () => {
  expect([0, 1, 2, 1204].map((count) => formatCounted(count, 'file'))).toEqual([
    '0 files',
    '1 file',
    '2 files',
    '1,204 files',
  ])
})

describe('sizes', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1.00 kB'],
    [9994, '9.99 kB'],
    [9996, '10.0 kB'],
    [99_949, '99.9 kB'],
    [99_950, '100 kB'],
    [999_499, '999 kB'],
    [999_500, '1.00 MB'],
    [25_025_314_816, '25.0 GB'],
    [Number.MAX_SAFE_INTEGER, '9.01 PB'],
  ])('%i bytes in powers of ten are %s', (bytes, text) => {
    expect(formatSize(bytes, 'decimal')).toBe(text)
  })

  it.each([
    [1023, '1,023 B'],
    [1024, '1.00 KiB'],
    [1024 * 1024 - 1, '1.00 MiB'],
    [25_025_314_816, '23.3 GiB'],
  ])('%i bytes in powers of two are %s', (bytes, text) => {
    expect(formatSize(bytes, 'binary')).toBe(text)
  })

  it('keep their exact bytes at hand', () => {
    expect(formatExactBytes(3_330_211_904)).toBe('3,330,211,904 bytes')
    expect(formatExactBytes(1)).toBe('1 byte')
  })

  it('show a range in the unit and with the decimals of the value', () => {
    expect(formatSizeRange(3.33e9, 3.2e9, 3.5e9, 'decimal')).toBe('3.20–3.50')
    expect(formatSizeRange(998e6, 990e6, 1004e6, 'decimal')).toBe('990–1004')
    expect(formatSizeRange(8.1e6, 0, 16.78e6, 'decimal')).toBe('0–16.8')
    expect(sizeWithRange({ bytes: 963e6, low: 840e6, high: 1120e6 }, 'decimal')).toBe('963 MB (840–1120)')
    expect(sizeWithRange({ bytes: 963e6, low: 963e6, high: 963e6 }, 'decimal')).toBe('963 MB')
  })

  it('name the mean size of chunks as a block’s where it is one, else in the same units', () => {
    expect([4 * 1024 * 1024, 16_831, 900].map(formatChunkSize)).toEqual(['4 MiB', '16.4 KiB', '900 B'])
  })

  it('name block sizes as people do', () => {
    expect([512, 2048, 131_072, 1_048_576, 2 ** 30, 1000].map(formatBlockSize)).toEqual([
      '512 B',
      '2 KiB',
      '128 KiB',
      '1 MiB',
      '1 GiB',
      '1,000 B',
    ])
  })
})

describe('shares', () => {
  it('never claim everything or nothing by rounding', () => {
    expect([0, 0.0004, 0.5, 0.9994, 0.99951, 1].map(formatShare)).toEqual([
      '0 %',
      '<0.1 %',
      '50.0 %',
      '>99.9 %',
      '>99.9 %',
      '100 %',
    ])
  })
})
