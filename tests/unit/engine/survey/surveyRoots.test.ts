import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { surveyRoots } from '../../../../src/engine/survey/surveyRoots'
import { isBelow } from '../../../../src/primitives/isBelow'
import { temporaryFolder } from '../../../support/temporaryFolder'

it.each([
  ['/a/b/c', '/a/b', true],
  ['/a/b', '/', true],
  ['/a/b', '/a/b', false],
  ['/a/bc', '/a/b', false],
  ['/a', '/a/b', false],
  ['C:\\a\\b', 'C:\\a', true],
  ['C:\\ab', 'C:\\a', false],
])('%s lies inside %s: %s', (path, folder, expected) => {
  expect(isBelow(path, folder)).toBe(expected)
})

it('surveys two folders with a common name prefix, and a nested folder once', async () => {
  const folder = await temporaryFolder()
  const [b, bc, inner] = [join(folder, 'b'), join(folder, 'bc'), join(folder, 'b', 'inner')]
  for (const each of [inner, bc]) mkdirSync(each, { recursive: true })
  expect(await surveyRoots([b, bc])).toEqual([b, bc])
  expect(await surveyRoots([inner, bc, b, b])).toEqual([bc, b])
})
