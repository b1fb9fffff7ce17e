import { describe, expect, test } from 'vitest'
import { BURNERS, type BurnOrder } from '../../../../../src/engine/sets/write/burners'
import { cdrecordOutput, growisofsOutput } from '../../../../../src/engine/sets/write/burnOutput'

const order = (more: Partial<BurnOrder> = {}): BurnOrder => ({
  device: '/dev/sr0',
  medium: {
    kind: 'bd-r',
    name: 'BD-R',
    blank: true,
    rewritable: false,
    capacitySectors: 12_219_392,
    usedSectors: 0,
    speeds: [],
  },
  sectors: 1000,
  speed: null,
  ...more,
})
const line = (name: string, given: BurnOrder): string =>
  BURNERS.find((burner) => burner.name === name)
    ?.args(given)
    .join(' ') ?? ''

describe('the command of a burner', () => {
  test('names the device, the speed and the size, and reads from standard input', () => {
    const given = order({ speed: 4 })
    expect(line('xorriso', given)).toBe(
      '-as cdrecord -v dev=/dev/sr0 speed=4 stream_recording=on padsize=0 -',
    )
    expect(line('cdrskin', given)).toBe('-v dev=/dev/sr0 speed=4 stream_recording=on tsize=1000s padsize=0 -')
    expect(line('growisofs', given)).toBe(
      '-use-the-force-luke=notray -dvd-compat -speed=4 -Z /dev/sr0=/dev/fd/0',
    )
  })

  test('erases nothing that cannot be written twice', () => {
    const { medium } = order()
    expect(line('xorriso', order())).not.toContain('blank')
    expect(line('xorriso', order({ medium: { ...medium, kind: 'bd-re', rewritable: true } }))).toContain(
      'blank=as_needed',
    )
  })

  test('takes the spare area of a BD-R only for a volume that needs it', () => {
    expect(line('growisofs', order({ sectors: 12_088_320 }))).not.toContain('spare')
    expect(line('growisofs', order({ sectors: 12_088_321 }))).toContain('notray,spare:none')
  })

  test('never gives growisofs a file', () => {
    const growisofs = BURNERS.find(({ name }) => name === 'growisofs')
    const { medium } = order()
    expect(growisofs?.takes(medium)).toBe(true)
    expect(growisofs?.takes({ ...medium, kind: 'file' })).toBe(false)
    expect(growisofs?.takes({ ...medium, kind: 'cd-r' })).toBe(false)
  })
})

describe('a line of output', () => {
  // Printed by xorriso 1.5.4 and cdrskin 1.5.4 on the pseudo-drive.
  test.each([
    ['xorriso : UPDATE :   59 MB written (fifo 99%) [buf  50%]  46.9x.', 59 * 2 ** 20],
    ['xorriso : UPDATE :    0 of    0 MB written (fifo  0%) [buf  50%]', 0],
    ['Track 01:   12 of  640 MB written (fifo  98%) [buf  99%]   4.0x.', 12 * 2 ** 20],
    ['Beginning to write data track.', null],
    ['xorriso : UPDATE : Thank you for being patient. Working since 123 seconds.', null],
  ])('of xorriso or cdrskin tells progress: %s', (text, bytes) => {
    expect(cdrecordOutput(text)).toEqual({ kind: 'progress', bytes })
  })

  test.each([
    ["xorriso : FAILURE : Cannot acquire drive '/dev/sr9'", "Cannot acquire drive '/dev/sr9'"],
    [
      'libburn : SORRY : Neither stdio-path nor its directory exist',
      'Neither stdio-path nor its directory exist',
    ],
    ['cdrskin: FATAL : Cannot open drive', 'Cannot open drive'],
  ])('of xorriso or cdrskin tells a problem: %s', (text, problem) => {
    expect(cdrecordOutput(text)).toEqual({ kind: 'problem', text: problem })
  })

  // Constructed from the source of growisofs 7.1; not run on a drive.
  test('of growisofs tells progress and problems', () => {
    expect(
      growisofsOutput(' 1234567168/4700372992 (26.3%) @4.0x, remaining 12:34 RBU 100.0% UBU  98.5%'),
    ).toEqual({
      kind: 'progress',
      bytes: 1_234_567_168,
    })
    expect(growisofsOutput('/dev/sr0: closing track')).toEqual({ kind: 'progress', bytes: null })
    expect(
      growisofsOutput(':-[ WRITE@LBA=10h failed with SK=5h/ASC=21h/ACQ=02h]: Input/output error'),
    ).toMatchObject({
      kind: 'problem',
      text: 'WRITE@LBA=10h failed with SK=5h/ASC=21h/ACQ=02h]: Input/output error',
    })
  })

  test.each([cdrecordOutput, growisofsOutput])('that nobody knows is no sign of life (%#)', (read) => {
    for (const text of ['', 'x', '\u0000\ufffd', 'written', '100%', ':-)'.repeat(1000)])
      expect(read(text)).toEqual({ kind: 'other' })
  })
})
