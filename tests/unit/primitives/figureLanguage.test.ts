import { afterEach, expect, it } from 'vitest'
import { speakFigures, typedNumbers, withoutZeros } from '../../../src/primitives/figureLanguage'
import {
  formatCount,
  formatExactBytes,
  formatShare,
  formatSize,
  formatSizeRange,
  shortNumber,
  shortShare,
} from '../../../src/primitives/quantity'
import { formatDay, formatDuration, formatForecast, formatSpan } from '../../../src/primitives/spokenTime'

afterEach(() => speakFigures('en'))

it('writes figures, times and dates as German does', () => {
  speakFigures('de')
  expect(formatCount(78_579)).toBe('78.579')
  expect(formatSize(3.33e9)).toBe('3,33 GB')
  expect(formatSizeRange(3.33e9, 3.2e9, 3.5e9, 'decimal')).toBe('3,20–3,50')
  expect(formatExactBytes(1_073_741_824)).toBe('1.073.741.824 Bytes')
  expect([formatShare(0.0001), formatShare(0.125), shortShare(0.12)]).toEqual(['<0,1 %', '12,5 %', '12 %'])
  expect(shortNumber(2.5, 2)).toBe('2,5')
  expect(formatDuration(1500)).toBe('1,5 s')
  expect(formatForecast(1200)).toBe('etwa 20 min')
  expect(formatForecast(3)).toBe('unter 10 s')
  expect(formatSpan({ low: 900, high: 1500 })).toBe('15 min bis 25 min')
  expect(formatDay(Date.UTC(2026, 2, 3, 12))).toBe('3. März 2026')
})

it('reads typed numbers in the language that is spoken', () => {
  expect(['4.7GB', '1,024', '90 min'].map(typedNumbers)).toEqual(['4.7GB', '1024', '90 min'])
  speakFigures('de')
  expect(['4,7 GB', '4.7GB', '1.024', '1.000.000', '1,5 h'].map(typedNumbers)).toEqual([
    '4.7 GB',
    '4.7GB',
    '1024',
    '1000000',
    '1.5 h',
  ])
})

it('leaves out only zeros behind the point', () => {
  expect(['1.50', '1.00', '10.0', '100', '1,000'].map(withoutZeros)).toEqual([
    '1.5',
    '1',
    '10',
    '100',
    '1,000',
  ])
})
