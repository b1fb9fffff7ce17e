import { describe, expect, it } from 'vitest'
import { formatDuration, formatSpan, formatTimeLeft } from '../../../src/primitives/spokenTime'

describe('durations', () => {
  it.each([
    [0, '0 ms'],
    [30.4, '30 ms'],
    [430, '0.4 s'],
    [9949, '9.9 s'],
    [9950, '10 s'],
    [59_499, '59 s'],
    [59_500, '1 min 00 s'],
    [3_599_600, '1 h 00 min'],
    [86_399_000, '1 d 0 h'],
    [90_000_000, '1 d 1 h'],
  ])('%d ms read %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text)
  })

  it.each([
    [0.03, 0.4, '<1 s'],
    [0.3, 2.6, '<1 s to 2.6 s'],
    [1.2, 3, '1.2 s to 3.0 s'],
    [61, 119.6, '1 min 01 s to 2 min'],
    [740, 1480, '12 min to 25 min'],
    [3569, 3571, '59 min to 1 h 00 min'],
    [240, 250, '4 min'],
  ])('from %d s to %d s read %s', (low, high, text) => {
    expect(formatSpan({ low, high })).toBe(text)
  })

  it('leave time in steps that do not flicker', () => {
    expect([200, 11_000, 54_000, 61_000, 3_500_000, 3_599_000, 7_500_000].map(formatTimeLeft)).toEqual([
      '5 s',
      '15 s',
      '55 s',
      '1 min',
      '58 min',
      '1 h 00 min',
      '2 h 05 min',
    ])
  })
})
