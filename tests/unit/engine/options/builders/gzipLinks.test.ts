import { expect, it } from 'vitest'
import { gzipTakes } from '../../../../../src/engine/options/builders/gzipLinks'

it.each(['a.gz', 'a.GZ', 'a.tgz', 'a.taz', 'a-gz', 'a.svgz', 'a.z', 'a.Z', 'a-z', 'a_z'])(
  'gzip is not given %s, which it would leave as it is',
  (name) => {
    expect(gzipTakes(`folder/${name}`, 0o100644)).toBe(false)
  },
)

it.each(['a.txt', 'gz', 'a.gz.txt', 'agz', 'a.zip'])('gzip is given %s', (name) => {
  expect(gzipTakes(`folder/${name}`, 0o100644)).toBe(true)
})

it('is given no path longer than it takes', () => {
  expect([gzipTakes('n'.repeat(1000), 0), gzipTakes('n'.repeat(1001), 0)]).toEqual([true, false])
})

it.each([0o104755, 0o102755])('does not leave a program of mode %o to gzip', (mode) => {
  expect(gzipTakes('folder/program', mode)).toBe(false)
})
