import { describe, expect, it } from 'vitest'
import {
  formatDuration,
  formatForecast,
  formatSpan,
  formatTimeLeft,
  shortForecast,
} from '../../../src/primitives/spokenTime'

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
    [0.03, 9.9, 'under 10 s'],
    [0.3, 26, '<10 s to 30 s'],
    [12, 31, '10 s to 30 s'],
    [61, 119.6, '1 min to 2 min'],
    [740, 1480, '10 min to 25 min'],
    [3300, 3700, '55 min to 1 h'],
    [240, 250, 'about 4 min'],
    [9, 11, 'about 10 s'],
    [0.2, 0.4, 'under 10 s'],
  ])('from %d s to %d s read %s', (low, high, text) => {
    expect(formatSpan({ low, high })).toBe(text)
  })

  it.each([
    [0, '0 s'],
    [0.01, 'under 10 s'],
    [9.99, 'under 10 s'],
    [38, 'about 40 s'],
    [57, 'about 1 min'],
    [128, 'about 2 min'],
    [1234, 'about 20 min'],
    [3500, 'about 1 h'],
    [4400, 'about 1 h 15 min'],
    [27_500, 'about 7 h 30 min'],
    [108_000, 'about 30 h'],
    [200_000, 'about 2 d 6 h'],
    [260_000, 'about 3 d'],
  ])('a forecast of %d s reads %s, in steps that grow with it', (seconds, text) => {
    expect(formatForecast(seconds)).toBe(text)
    expect(shortForecast(seconds)).toBe(text.replace('about ', '').replace('under ', '<'))
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
