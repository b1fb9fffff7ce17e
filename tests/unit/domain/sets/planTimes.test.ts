import { expect, it } from 'vitest'
import type { OptionEstimate } from '../../../../src/domain/options/optionsDocument'
import { planTimes } from '../../../../src/domain/sets/planTimes'
import type { Estimate } from '../../../../src/primitives/estimate'

const seconds = (value: number): Estimate => ({
  value,
  low: value / 2,
  high: value * 2,
  confidence: 0.95,
  provenance: 'modelled',
  basis: 'a model',
})
const estimateOf = (first: number): OptionEstimate =>
  ({
    buildSeconds: seconds(first),
    writeSeconds: seconds(first + 1),
    verifySeconds: seconds(first + 2),
    restoreSeconds: seconds(first + 3),
  }) as OptionEstimate

it('the times of plain files have no packing, and are shared by the sizes of the volumes', () => {
  const { total, volumes } = planTimes([300, 100], estimateOf(8), null)
  expect(total.pack).toBeNull()
  expect(total.build).toMatchObject({ value: 8, low: 4, high: 16 })
  expect(volumes.map(({ write }) => write.value)).toEqual([9 * 0.75, 9 * 0.25])
})

it('packing takes what its option is forecast to, and building the share that it leaves', () => {
  const { total, volumes } = planTimes([200, 200], estimateOf(8), { estimate: estimateOf(60), share: 0.5 })
  expect(total.pack?.value).toBe(60)
  expect(total.build.value).toBe(4)
  expect(total.restore.value).toBe(63)
  expect(volumes.map(({ pack }) => pack?.value)).toEqual([30, 30])
})

it('volumes of nothing take no time', () => {
  expect(planTimes([0], estimateOf(8), null).volumes[0]?.build.value).toBe(0)
})
