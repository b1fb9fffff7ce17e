import { expect, test } from 'vitest'
import { readArguments } from '../../../src/cli/arguments'
import { IMAGE_INFO } from '../../../src/cli/declarations/image'

test('an empty argument is refused, as it would be the current folder', () => {
  expect(readArguments(['--json', 'a.dmg'], IMAGE_INFO).positionals).toEqual(['a.dmg'])
  expect(() => readArguments([''], IMAGE_INFO)).toThrow('an argument is empty')
})
