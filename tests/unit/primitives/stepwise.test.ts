import { expect, test } from 'vitest'
import { seededRandom } from '../../../src/primitives/seededRandom'
import { sortedStepwise } from '../../../src/primitives/stepwise'

test.each([0, 1, 1023, 1024, 1025, 5000])(
  '%d items are sorted as at once, equal ones in their order',
  (count) => {
    const random = seededRandom(11)
    const items = Array.from({ length: count }, (_, at) => ({ at, value: random.below(300) }))
    const order = (one: { value: number }, other: { value: number }): number => one.value - other.value
    const work = sortedStepwise(items, order)
    let steps = 0
    for (let step = work.next(); ; step = work.next(), steps++) {
      if (step.done !== true) continue
      expect(step.value).toEqual(items.toSorted(order))
      break
    }
    expect(steps).toBeGreaterThanOrEqual(Math.ceil(count / 1024))
  },
)
