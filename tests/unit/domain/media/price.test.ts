import { describe, expect, it } from 'vitest'
import {
  changedPrice,
  lineOfPrice,
  priceOfLine,
  priceOfMedium,
  pricesOf,
  times,
} from '../../../../src/domain/media/price'
import { settingValue } from '../../../../src/domain/settings/settings'
import { withFigures } from '../../../../src/primitives/figureLanguage'
import { formatMoney } from '../../../../src/primitives/money'

describe('the price of a medium', () => {
  const line = 'bd-r-25=0.85 EUR 2026-11-27'

  it('is kept as a line and read back from it', () => {
    const price = { mediumId: 'bd-r-25', amount: 0.85, currency: 'EUR', notedOn: '2026-11-27' }
    expect(priceOfLine(line)).toEqual(price)
    expect(lineOfPrice(price)).toBe(line)
    expect(settingValue('prices', line)).toEqual([line])
  })

  it.each([
    'bd-r-25=0.85',
    'bd-r-25=0.85 EUR',
    'bd-r-25=0.85 EUR 2026-02-30',
    '=1 EUR 2026-11-27',
    'x=-1 EUR 2026-11-27',
  ])('is not %j', (text) => {
    expect(priceOfLine(text)).toBeNull()
    expect(() => settingValue('prices', text)).toThrow(/prices takes a price for each medium/)
  })

  it('is added, replaced and removed one at a time, with the day', () => {
    const both = changedPrice([line], 'dvd+r=0.3 USD', Date.parse('2026-12-01T12:00'))
    expect(both).toEqual([line, 'dvd+r=0.3 USD 2026-12-01'])
    expect(changedPrice(both, 'bd-r-25=1EUR', Date.parse('2026-12-02T12:00'))).toEqual([
      'dvd+r=0.3 USD 2026-12-01',
      'bd-r-25=1 EUR 2026-12-02',
    ])
    expect(changedPrice(both, 'bd-r-25=none', Date.parse('2026-12-02T12:00'))).toEqual([
      'dvd+r=0.3 USD 2026-12-01',
    ])
    for (const wrong of ['bd-r-25', 'bd-r-25=cheap', 'bd-r-25=0.85', 'bd-r-25=0.85€'])
      expect(() => changedPrice([], wrong, Date.parse('2026-12-01T12:00'))).toThrow(
        /a price is written bd-r-25=0.85EUR/,
      )
  })

  it('is also that of its variants, unless they have their own', () => {
    const prices = pricesOf([line, 'bd-r-25:spare-none=2 EUR 2026-11-27'])
    expect(priceOfMedium(prices, 'bd-r-25:spare-min')?.amount).toBe(0.85)
    expect(priceOfMedium(prices, 'bd-r-25:spare-none')?.amount).toBe(2)
    expect(priceOfMedium(prices, 'bd-r-50')).toBeNull()
    expect(times(prices[0] as (typeof prices)[number], 3)).toBe(2.55)
  })
})

describe('money', () => {
  it.each([
    [2.55, '2.55 EUR', '2,55 EUR'],
    [1200, '1,200 EUR', '1.200 EUR'],
    [1.5, '1.50 EUR', '1,50 EUR'],
    [0.125, '0.125 EUR', '0,125 EUR'],
  ])('of %d is written in each language', (amount, english, german) => {
    expect(formatMoney(amount, 'EUR')).toBe(english)
    expect(withFigures('de', () => formatMoney(amount, 'EUR'))).toBe(german)
  })
})
