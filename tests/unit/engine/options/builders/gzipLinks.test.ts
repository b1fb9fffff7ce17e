import { expect, it } from 'vitest'
import { gzipTakes } from '../../../../../src/engine/options/builders/gzipLinks'

it.each(['a.gz', 'a.GZ', 'a.tgz', 'a.taz', 'a-gz', 'a.svgz', 'a.z', 'a.Z', 'a-z', 'a_z'])(
  'gzip is not given %s, which it would leave as it is',
  (name) => {
    expect(gzipTakes(`folder/${name}`)).toBe(false)
  },
)

it.each(['a.txt', 'gz', 'a.gz.txt', 'agz', 'a.zip'])('gzip is given %s', (name) => {
  expect(gzipTakes(`folder/${name}`)).toBe(true)
})

it('is given no path longer than it takes', () => {
  expect([gzipTakes('n'.repeat(1000)), gzipTakes('n'.repeat(1001))]).toEqual([true, false])
})
