import { expect, test } from 'vitest'
import { floorsOf } from '../../../../../src/domain/options/choice/floors'
import { breaksOf, limitedFigure } from '../../../../../src/domain/options/choice/limits'
import { meritsOf } from '../../../../../src/domain/options/choice/merits'
import type { OptionRow } from '../../../../../src/domain/options/choice/option'

const figure = (value: number) => ({ value, low: value / 2, high: value * 2 })
const estimate = {
  bytes: figure(100),
  volumes: figure(3),
  buildSeconds: figure(1),
  writeSeconds: figure(1),
  restoreSeconds: figure(1),
  ramBytes: figure(1),
  useRamBytes: figure(1),
}
const option = {
  estimate,
  portability: 1,
  encryption: 'aes-256',
  container: '7z',
  ways: [],
} as unknown as OptionRow

test.each([
  ['bytes', 200],
  ['volumes', 6],
  ['seconds', 4],
  ['ramBytes', 2],
] as const)('a limit of %s is held against the upper end of the range', (limit, most) => {
  expect(limitedFigure(option, limit)).toBe(most)
})

test('merits are not less than what is felt', () => {
  const floors = floorsOf({ memoryBytes: 16e9 })
  expect(meritsOf(option, floors, 1000)).toMatchObject({ bytes: 1000, restoreSeconds: 10, buildSeconds: 60 })
})

test.each([
  [true, 0, ['encryption']],
  [true, 0.1, ['protection']],
  [false, 0, []],
  [false, 0.1, []],
])(
  'an option that demands alone refuse (%s) breaks, with redundancy of %s, %j',
  (isRefused, protection, breaks) => {
    const place = {
      makers: ['linux'],
      system: 'linux',
      fits: true,
      ability: { plan: { form: null }, withoutDemands: isRefused },
    } as unknown as Parameters<typeof breaksOf>[1]
    const limits = {
      bytes: null,
      volumes: null,
      seconds: null,
      ramBytes: null,
      readableOn: [],
      inPlace: false,
      container: null,
    } as unknown as Parameters<typeof breaksOf>[2]['limits']
    expect(breaksOf(option, place, { limits, encryption: 'aes-256', protection })).toEqual(breaks)
  },
)
