import { expect, it } from 'vitest'
import { boundKey, entryKey, entryRange } from '../../../../src/engine/catalog/entryKey'

it('binds the same key, as a number while that is exact', () => {
  for (const number of [1, 2, 2 ** 21 - 1, 2 ** 21, 2 ** 31 - 1]) {
    for (const n of [0, 1, 2 ** 32 - 1]) expect(BigInt(boundKey(number, n))).toBe(entryKey(number, n))
  }
  expect(typeof boundKey(2 ** 21 - 1, 2 ** 32 - 1)).toBe('number')
  expect(typeof boundKey(2 ** 21, 1)).toBe('bigint')
})

it('keeps the entries of one number apart from those of the next', () => {
  const [, last] = entryRange(1)
  const [first] = entryRange(2)
  expect(first - last).toBe(1n)
})
