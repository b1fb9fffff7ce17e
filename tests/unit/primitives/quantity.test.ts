import { describe, expect, it } from 'vitest'
import {
  formatBytes,
  formatCount,
  formatDuration,
  formatShare,
  splitBytes,
} from '../../../src/primitives/quantity'

describe('sizes for people', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1.00 kB'],
    [999_499, '999 kB'],
    [999_500, '1.00 MB'],
    [9_994_999, '9.99 MB'],
    [9_995_000, '10.0 MB'],
    [3_330_000_000, '3.33 GB'],
    [25_025_314_816, '25.0 GB'],
    [Number.MAX_SAFE_INTEGER, '9.01 PB'],
  ])('shows %d bytes as %s', (value, text) => {
    expect(formatBytes(value)).toBe(text)
  })

  it('counts binary units by 1024', () => {
    expect(formatBytes(25_025_314_816, 'binary')).toBe('23.3 GiB')
    expect(formatBytes(1023, 'binary')).toBe('1.00 KiB')
    expect(splitBytes(1024 ** 2, 'binary')).toEqual({ number: '1.00', unit: 'MiB' })
  })

  it('separates thousands', () => {
    expect([0, 999, 1000, 41_203, 1_234_567].map(formatCount)).toEqual([
      '0',
      '999',
      '1,000',
      '41,203',
      '1,234,567',
    ])
  })

  it('says durations in their two largest units', () => {
    expect([0, 850, 4_230, 59_400, 125_000, 120_000, 12_000_000, 187_200_000].map(formatDuration)).toEqual([
      '0 ms',
      '850 ms',
      '4.2 s',
      '59 s',
      '2 min 5 s',
      '2 min',
      '3 h 20 min',
      '2 d 4 h',
    ])
  })

  it('says shares with one decimal', () => {
    expect(formatShare(0.458)).toBe('45.8 %')
  })
})
