import { describe, expect, it } from 'vitest'
import { costOfFile, costOfFlush } from '../../../../../src/domain/options/cost/fileMaking'

const slices = (seconds: readonly number[]) => seconds.map((each) => ({ files: 20, seconds: 20 * each }))

describe('the cost of a file from a probe', () => {
  it('is the mean of its slices, measured, within a range that holds that a system drifts', () => {
    const cost = costOfFile(slices([1e-4, 1e-4, 1e-4, 1e-4]), 'timed')
    expect(cost).toMatchObject({ provenance: 'measured', basis: 'timed' })
    expect(cost?.value).toBeCloseTo(1e-4, 12)
    expect(cost?.low).toBeCloseTo(1e-4 / 1.3, 12)
    expect(cost?.high).toBeCloseTo(1.3e-4, 12)
  })

  it('is less sure where slices differ', () => {
    const steady = costOfFile(slices(Array.from({ length: 16 }, () => 1e-4)), 'timed')
    const uneven = costOfFile(
      slices(Array.from({ length: 16 }, (_, at) => (at % 2 ? 5e-5 : 1.5e-4))),
      'timed',
    )
    expect(uneven?.value).toBeCloseTo(1e-4, 12)
    expect(uneven?.high).toBeGreaterThan(steady?.high ?? 0)
    expect(uneven?.low).toBeLessThan(steady?.low ?? 0)
  })

  it('is not known without files', () => {
    expect(costOfFile([], 'timed')).toBeNull()
  })
})

it('the cost of a flush is not that of the one that waited for others', () => {
  const cost = costOfFlush([1e-4, 2e-4, 1.5e-4, 0.2], 'timed')
  expect(cost?.value).toBeLessThan(3e-4)
  expect(cost?.high).toBeGreaterThan(2e-4)
  expect(costOfFlush([], 'timed')).toBeNull()
})
