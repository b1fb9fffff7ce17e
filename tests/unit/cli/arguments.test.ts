import { expect, test } from 'vitest'
import { readArguments } from '../../../src/cli/arguments'
import { IMAGE_INFO } from '../../../src/cli/declarations/image'
import { PLAN } from '../../../src/cli/declarations/sets'

test('an empty argument is refused, as it would be the current folder', () => {
  expect(readArguments(['--json', 'a.dmg'], IMAGE_INFO).positionals).toEqual(['a.dmg'])
  expect(() => readArguments([''], IMAGE_INFO)).toThrow('an argument is empty')
})

test('an option that takes one value is refused with two', () => {
  const read = (args: readonly string[]) => readArguments(args, PLAN)
  expect(() => read(['--label', 'A', '--label', 'B'])).toThrow('--label can be given once: "A" and "B"')
  expect(read(['--label', 'A', '--label=A']).values.label).toBe('A')
})
