import { expect, test } from 'vitest'
import { KeptResults } from '../../../../src/engine/jobs/keptResults'

test('keeps the last results by their ids and forgets the oldest', () => {
  const results = new KeptResults<number>('restore')
  for (let number = 0; number < 60; number++) expect(results.keep(`r-${number}`, number)).toBe(`r-${number}`)
  expect(results.get('r-59')).toBe(59)
  expect(results.get('r-10')).toBe(10)
  expect(() => results.get('r-9')).toThrow('no restore r-9')
})
