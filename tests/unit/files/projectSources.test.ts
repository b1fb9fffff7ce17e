import { expect, it } from 'vitest'
import { writtenSource } from '../../../src/files/projectSources'

it.each([
  ['/a/b/photos', 'photos'],
  ['/a/b', '.'],
  ['/a/b2', '/a/b2'],
  ['/a', '/a'],
])('the source %s of a project in /a/b is written as %s', (source, written) => {
  expect(writtenSource(source, '/a/b')).toBe(written)
})
