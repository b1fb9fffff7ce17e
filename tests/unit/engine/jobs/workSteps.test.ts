import { expect, test } from 'vitest'
import { WorkSteps } from '../../../../src/engine/jobs/workSteps'

test('steps share the whole, and one that is left out gives its share to the next', () => {
  const shares: number[] = []
  const steps = new WorkSteps((share) => void shares.push(share))
  steps.until(0.2)
  const unpacking = steps.until(0.6)
  unpacking(0.5)
  unpacking(1)
  expect(steps.left).toBeCloseTo(0.4)
  steps.until(1)(1)
  expect(shares).toEqual([0.3, 0.6, 1])
  expect(steps.left).toBe(0)
})

test('a share never falls, never passes the step, and nothing of nothing is no share', () => {
  const shares: number[] = []
  const step = new WorkSteps((share) => void shares.push(share)).until(0.5)
  for (const share of [0.5, 0.2, Number.NaN, 7, 1]) step(share)
  expect(shares).toEqual([0.25, 0.5])
})
