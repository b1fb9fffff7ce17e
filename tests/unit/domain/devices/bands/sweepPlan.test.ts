import { describe, expect, it } from 'vitest'
import {
  bandBytesOf,
  DEFAULT_BAND_SIZES,
  leastBudget,
  planSweep,
  type SweepSettings,
  sweepPoints,
} from '../../../../../src/domain/devices/bands/sweepPlan'
import { bandsAtFullSize } from '../../../../../src/domain/images/kinds'
import { USUAL_SETTINGS } from './syntheticSweep'

const planned = (settings: Partial<SweepSettings> = {}) => {
  const plan = planSweep({ ...USUAL_SETTINGS, ...settings })
  if (plan === null) throw new Error('no plan')
  return plan
}

describe('the plan of a band sweep', () => {
  it('includes the default size of macOS and the fastest size found', () => {
    expect(DEFAULT_BAND_SIZES).toHaveLength(12)
    expect(DEFAULT_BAND_SIZES).toContain(8 * 2 ** 20)
    expect(DEFAULT_BAND_SIZES.map((size) => (size / 1e6).toFixed(1))).toContain('15.4')
    expect(Math.round((DEFAULT_BAND_SIZES.at(-1) ?? 0) / 1e6)).toBe(1020)
    expect(DEFAULT_BAND_SIZES.every((size) => size % 4096 === 0)).toBe(true)
  })

  it('sweeps the default sizes within its budget, with enough rounds and bands in a pass', () => {
    const plan = planned()
    expect(plan.points).toHaveLength(13)
    expect(plan.rounds).toHaveLength(6)
    expect(plan.passBytes).toBeGreaterThanOrEqual(2 * 128 * 2 ** 20)
    expect(plan.writeBytes).toBeLessThanOrEqual(43e9)
    expect(plan.peakBytes).toBe(2 * plan.passBytes)
  })

  it('times the raw file once, first, and every kind with every size; images without bands once', () => {
    const points = sweepPoints({
      ...USUAL_SETTINGS,
      bandSizes: [8 * 2 ** 20, 2 * 2 ** 20, 8 * 2 ** 20],
      kinds: ['UDSB', 'UDSP', 'UDRW'],
      encryptions: [null, 256],
    })
    expect(points[0]).toEqual({ kind: 'UDRW', encryption: null, bandBytes: null })
    expect(points.slice(1).map(({ kind, encryption, bandBytes }) => [kind, encryption, bandBytes])).toEqual([
      ['UDSB', null, 2 * 2 ** 20],
      ['UDSB', null, 8 * 2 ** 20],
      ['UDSP', null, 2 * 2 ** 20],
      ['UDSP', null, 8 * 2 ** 20],
      ['UDSB', 256, 2 * 2 ** 20],
      ['UDSB', 256, 8 * 2 ** 20],
      ['UDSP', 256, 2 * 2 ** 20],
      ['UDSP', 256, 8 * 2 ** 20],
      ['UDRW', 256, null],
    ])
  })

  it('goes through every point once a round, in an order that the seed draws', () => {
    const { rounds, points } = planned({ seed: 4 })
    const all = points.map((_, index) => index)
    for (const round of rounds) expect(round.toSorted((a, b) => a - b)).toEqual(all)
    expect(new Set(rounds.map((round) => round.join())).size).toBe(rounds.length)
    expect(planned({ seed: 4 }).rounds).toEqual(rounds)
    expect(planned({ seed: 5 }).rounds).not.toEqual(rounds)
  })

  it('never writes more than the budget, and repeats less before its passes get too short', () => {
    for (const budgetBytes of [leastBudget(13), 4e8, 6e8, 1e9, 5e9, 2e10, 1e11, 1e12]) {
      const plan = planned({ budgetBytes })
      expect(plan.writeBytes).toBeLessThanOrEqual(budgetBytes)
      expect(plan.passBytes).toBeGreaterThanOrEqual(4 * 2 ** 20)
      expect(plan.passBytes % USUAL_SETTINGS.requestBytes).toBe(0)
      expect(plan.rounds.length).toBeGreaterThanOrEqual(3)
    }
    expect(planned({ budgetBytes: leastBudget(13) }).rounds).toHaveLength(3)
    expect(planned({ budgetBytes: 1e12 })).toMatchObject({ passBytes: 2 * 973 * 2 ** 20 })
    expect(planned({ budgetBytes: 1e12 }).rounds.length).toBeGreaterThan(6)
  })

  it('leaves out sparse images whose bands are larger than half a pass, and counts what whole bands take', () => {
    const settings = {
      kinds: ['UDSB', 'UDSP'],
      encryptions: [256],
      bandSizes: [5, 8, 48, 973].map((size) => size * 2 ** 20),
    } as const
    const plan = planned({ ...settings, budgetBytes: 2e9 })
    const bandsOfKind = (kind: string) =>
      plan.points.filter((point) => point.kind === kind).map(({ bandBytes }) => (bandBytes ?? 0) / 2 ** 20)
    expect(plan.passBytes).toBeLessThan(96 * 2 ** 20)
    expect(bandsOfKind('UDSB')).toEqual([5, 8, 48, 973])
    expect(bandsOfKind('UDSP')).toEqual([5, 8])
    expect(plan.peakBytes).toBe(
      2 * Math.max(...[5, 8].map((size) => Math.ceil(plan.passBytes / (size * 2 ** 20)) * size * 2 ** 20)),
    )
    expect(plan.writeBytes).toBeGreaterThan(
      2 * plan.passBytes * (plan.points.length * plan.rounds.length + 1),
    )
    expect(plan.writeBytes).toBeLessThanOrEqual(2e9)
  })

  it('is refused below its stated least budget', () => {
    expect(planSweep({ ...USUAL_SETTINGS, budgetBytes: leastBudget(13) - 1 })).toBeNull()
    expect(planSweep({ ...USUAL_SETTINGS, repeats: 10, budgetBytes: leastBudget(13, 10) - 1 })).toBeNull()
    expect(planned({ repeats: 10, budgetBytes: leastBudget(13, 10) }).rounds).toHaveLength(10)
  })

  it('counts bands as full bundles have them, and rounds sizes to pages', () => {
    expect(bandsAtFullSize(100e9, 15_400_960)).toBe(6494)
    expect(bandsAtFullSize(8 * 2 ** 20, 8 * 2 ** 20)).toBe(1)
    expect(bandBytesOf(15_400_000)).toBe(15_400_960)
    expect(bandBytesOf(1_000_000)).toBe(2 ** 20)
  })
})
