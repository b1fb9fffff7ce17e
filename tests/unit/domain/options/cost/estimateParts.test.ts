import { describe, expect, it } from 'vitest'
import {
  estimateOf,
  largest,
  product,
  quotient,
  scaled,
  sum,
  sumTogether,
  weakest,
  within,
} from '../../../../../src/domain/options/cost/estimateParts'
import { exact } from '../../../../../src/primitives/estimate'
import { seededRandom } from '../../../../../src/primitives/seededRandom'

const half = within(100, 0.25, 'modelled', 'a quarter')

describe('figures made of others', () => {
  it('are as sure as the weakest of them', () => {
    expect(weakest(['exact', 'measured'])).toBe('measured')
    expect(weakest(['assumed', 'modelled'])).toBe('assumed')
    expect(weakest([])).toBe('exact')
    expect(sum([exact(1, 'one'), half], 'both').provenance).toBe('modelled')
  })

  it('add independent errors by their squares and common ones as they are', () => {
    expect(sum([half, half], 'two')).toMatchObject({ value: 200, low: 200 - Math.hypot(25, 25) })
    expect(sumTogether([half, half], 'two')).toMatchObject({ value: 200, low: 150, high: 250 })
    expect(sum([], 'none')).toMatchObject({ value: 0, low: 0, high: 0, provenance: 'exact' })
  })

  it('hold what is drawn from their parts about as often as they say', () => {
    // Each part is drawn from a normal distribution of which its range is 95 %.
    const random = seededRandom(11)
    const normal = (): number =>
      Math.sqrt(-2 * Math.log(1 - random.unit())) * Math.cos(2 * Math.PI * random.unit())
    const parts = [within(100, 0.2, 'modelled', 'a'), within(50, 0.3, 'modelled', 'b')] as const
    const combined = {
      sum: sum([...parts], 's'),
      product: product(...parts, 'p'),
      quotient: quotient(...parts, 'q'),
    }
    const held = { sum: 0, product: 0, quotient: 0 }
    const trials = 4000
    for (let trial = 0; trial < trials; trial++) {
      const [a = 0, b = 1] = parts.map((part) => part.value + (normal() * (part.high - part.value)) / 1.96)
      const drawn = { sum: a + b, product: a * b, quotient: a / b }
      for (const name of ['sum', 'product', 'quotient'] as const)
        if (drawn[name] >= combined[name].low && drawn[name] <= combined[name].high) held[name] += 1
    }
    for (const count of Object.values(held)) expect(count / trials).toBeGreaterThan(0.93)
    expect(held.sum / trials).toBeLessThan(0.97)
  })

  it('take nothing for nothing, whatever the rate', () => {
    expect(quotient(exact(0, 'nothing'), exact(0, 'no rate'), 'q').value).toBe(0)
    expect(Number.isFinite(quotient(exact(5, 'some'), exact(0, 'no rate'), 'q').high)).toBe(true)
    expect(product(exact(0, 'nothing'), half, 'p')).toMatchObject({ value: 0, low: 0, high: 0 })
  })

  it('are never below 0 and never out of order', () => {
    expect(within(10, 3, 'assumed', 'wild').low).toBe(0)
    expect(estimateOf({ value: 5, low: 7, high: 2 }, 'modelled', 'crossed')).toMatchObject({
      low: 5,
      high: 5,
    })
    expect(estimateOf({ value: Number.NaN, low: -1, high: 2 }, 'modelled', 'no number').value).toBe(0)
    expect(estimateOf({ value: 5, low: 1, high: 9 }, 'exact', 'counted')).toMatchObject({
      low: 5,
      high: 5,
      confidence: 1,
    })
  })

  it('that happen at once last as long as the slowest', () => {
    const slow = within(100, 0.5, 'assumed', 'slow')
    expect(largest([half, slow], 'at once')).toMatchObject({
      value: 100,
      low: 75,
      high: 150,
      provenance: 'assumed',
    })
    const never = within(1, 0.5, 'assumed', 'never the slowest')
    expect(largest([half, never], 'at once').provenance).toBe('modelled')
    expect(scaled(half, 0.5)).toMatchObject({ value: 50, low: 37.5, high: 62.5, basis: 'a quarter' })
  })
})
