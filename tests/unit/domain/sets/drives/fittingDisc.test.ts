import { expect, test } from 'vitest'
import type { Drive, DriveMedium } from '../../../../../src/domain/sets/drives/drive'
import { discProblem } from '../../../../../src/domain/sets/drives/fittingDisc'

const BLANK: DriveMedium = {
  kind: 'bd-r',
  name: 'BD-R sequential recording',
  blank: true,
  rewritable: false,
  capacitySectors: 12_219_392,
  usedSectors: 0,
  speeds: [4, 8],
}
const BD = { family: 'bd', name: 'BD-R 25 GB' } as const

function drive(medium: Partial<DriveMedium> | null, problem: string | null = null): Drive {
  const about = { device: '/dev/sr0', vendor: 'HL-DT-ST', model: 'BD-RE', problem }
  return { ...about, medium: medium && { ...BLANK, ...medium } }
}

test('a blank disc of the planned kind that is large enough is taken', () => {
  expect(discProblem(drive({}), BD, 12_088_320)).toBeNull()
  expect(discProblem(drive({ kind: 'bd-re' }), { ...BD, family: 'bdxl' }, 1)).toBeNull()
  expect(discProblem(drive({ capacitySectors: null }), BD, 12_088_320)).toBeNull()
  // Volumes of any size go to any disc that can be written.
  expect(discProblem(drive({ kind: 'dvd-ram' }), { ...BD, family: 'custom' }, 1)).toBeNull()
})

test.each([
  [drive(null), 'no-disc', '/dev/sr0 holds no disc'],
  [drive(null, 'permission denied'), 'no-disc', 'cannot use /dev/sr0: permission denied'],
  [
    drive({ kind: 'dvd+r', name: 'DVD+R' }),
    'wrong-kind',
    'the disc in /dev/sr0 (DVD+R) is not the planned BD-R 25 GB',
  ],
  [
    drive({ kind: 'bd-rom', name: 'BD-ROM' }),
    'wrong-kind',
    'the disc in /dev/sr0 (BD-ROM) cannot be written',
  ],
  [drive({ kind: 'unknown', name: '0008h' }), 'wrong-kind', 'the disc in /dev/sr0 (0008h) cannot be written'],
  [drive({ blank: false }), 'not-blank', 'the disc in /dev/sr0 is not blank'],
  [
    drive({ blank: false, rewritable: true, kind: 'bd-re' }),
    'not-blank',
    'the disc in /dev/sr0 is not blank; to erase it: xorriso -outdev /dev/sr0 -blank as_needed',
  ],
  [
    drive({ capacitySectors: 11_826_176 }),
    'too-small',
    'the disc in /dev/sr0 is too small: it takes 11826176 sectors, and the volume needs 12088320',
  ],
])('%#: a disc that does not fit is refused in one line', (found, reason, problem) => {
  expect(discProblem(found, BD, 12_088_320)).toEqual({ reason, problem })
})

test('a volume that fits but for the last ECC block is too large', () => {
  const exact = drive({ capacitySectors: 1000 })
  expect(discProblem(exact, BD, 992)).toBeNull()
  expect(discProblem(exact, BD, 993)).toMatchObject({ reason: 'too-small' })
  const cd = drive({ kind: 'cd-r', capacitySectors: 1000 })
  expect(discProblem(cd, { family: 'cd', name: 'CD-R' }, 1000)).toBeNull()
})
