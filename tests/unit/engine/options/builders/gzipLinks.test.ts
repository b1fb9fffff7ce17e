import { expect, it } from 'vitest'
import { gzipTakes } from '../../../../../src/engine/options/builders/gzipLinks'

const PLAIN = { mode: 0o100644, mtimeMs: 0 }

it.each(['a.gz', 'a.GZ', 'a.tgz', 'a.taz', 'a-gz', 'a.svgz', 'a.z', 'a.Z', 'a-z', 'a_z'])(
  'gzip is not given %s, which it would leave as it is',
  (name) => {
    expect(gzipTakes(`folder/${name}`, PLAIN)).toBe(false)
  },
)

it.each(['a.txt', 'gz', 'a.gz.txt', 'agz', 'a.zip'])('gzip is given %s', (name) => {
  expect(gzipTakes(`folder/${name}`, PLAIN)).toBe(true)
})

it('is given no path longer than it takes', () => {
  expect([gzipTakes('n'.repeat(1000), PLAIN), gzipTakes('n'.repeat(1001), PLAIN)]).toEqual([true, false])
})

it.each([0o104755, 0o102755])('does not leave a program of mode %o to gzip', (mode) => {
  expect(gzipTakes('folder/program', { ...PLAIN, mode })).toBe(false)
})

it.each([
  ['before 1970', -1],
  ['after 2106', 2 ** 32 * 1000],
])('a file dated %s is not left to gzip', (_, mtimeMs) => {
  expect(gzipTakes('a', { ...PLAIN, mtimeMs })).toBe(false)
  expect(gzipTakes('a', { ...PLAIN, mtimeMs: 2 ** 32 * 1000 - 1 })).toBe(true)
})
