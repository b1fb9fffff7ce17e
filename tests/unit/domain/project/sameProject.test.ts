import { expect, it } from 'vitest'
import { areSameValues } from '../../../../src/domain/project/sameProject'

it.each([
  [['a'], ['a', 'b']],
  [['a', 'b'], ['a']],
  [[], ['a']],
  [
    ['a', 'b'],
    ['b', 'a'],
  ],
])('lists of other entries or another order differ: %j and %j', (one, other) => {
  expect(areSameValues({ patterns: one }, { patterns: other })).toBe(false)
  expect(areSameValues({ patterns: one }, { patterns: [...one] })).toBe(true)
})
