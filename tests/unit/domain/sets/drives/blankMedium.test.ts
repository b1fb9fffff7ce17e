import { expect, test } from 'vitest'
import { listMedia } from '../../../../../src/domain/media/resolveMedium'
import { blankMedium } from '../../../../../src/domain/sets/drives/blankMedium'
import type { Drive, DriveMedium } from '../../../../../src/domain/sets/drives/drive'
import { mediaCatalogue } from '../../../../../src/engine/media/mediaCatalogue'

const media = listMedia(mediaCatalogue)

function drive(medium: Partial<DriveMedium> | null, problem: string | null = null): Drive {
  const blank = {
    kind: 'bd-r',
    name: 'BD-R',
    blank: true,
    rewritable: false,
    usedSectors: 0,
    speeds: [2],
  } satisfies Partial<DriveMedium>
  const about = { device: '/dev/sr0', vendor: 'HL-DT-ST', model: 'BD-RE', problem }
  return { ...about, medium: medium && { ...blank, capacitySectors: 12_219_392, ...medium } }
}

test.each([
  ['a blank BD-R with the room for a spare area', {}, true, 'bd-r-25'],
  ['a blank BD-R without one, where that is asked for', {}, false, 'bd-r-25:spare-none'],
  ['a formatted BD-R', { capacitySectors: 11_826_176 }, true, 'bd-r-25:spare-default'],
  [
    'a BD-RE',
    { kind: 'bd-re', rewritable: true, capacitySectors: 11_826_176 },
    true,
    'bd-r-25:spare-default',
  ],
  [
    'a written BD-RE',
    { kind: 'bd-re', rewritable: true, blank: false, capacitySectors: 11_826_176 },
    true,
    'bd-r-25:spare-default',
  ],
  ['a DVD+R', { kind: 'dvd+r', capacitySectors: 2_295_104 }, true, 'dvd+r'],
  ['a DVD-RW', { kind: 'dvd-rw', rewritable: true, capacitySectors: 2_298_496 }, true, 'dvd-r'],
  ['a CD of 80 minutes', { kind: 'cd-r', capacitySectors: 359_844 }, true, 'cd-700'],
] as const)('%s is known by its sectors', (_, medium, withSpare, id) => {
  expect(blankMedium(media, drive(medium), withSpare).id).toBe(id)
})

test.each([
  ['no disc', null, 'not-found', 'cannot use /dev/sr0: it holds no disc'],
  ['a disc that cannot be written', { kind: 'dvd-rom', name: 'DVD-ROM' }, 'refused', 'it cannot be written'],
  ['a disc with something on it', { blank: false }, 'refused', 'it is not blank'],
  ['a disc of unknown size', { capacitySectors: null }, 'refused', 'does not report how much it holds'],
  [
    'a disc of 8 cm',
    { kind: 'dvd-r', name: 'DVD-R', capacitySectors: 714_544 },
    'refused',
    'give custom:SIZE',
  ],
] as const)('%s is refused', (_, medium, code, message) => {
  expect(() => blankMedium(media, drive(medium), true)).toThrow(
    expect.objectContaining({ code, message: expect.stringContaining(message) }),
  )
})
