import { describe, expect, it } from 'vitest'
import {
  type DriveOfMedium,
  discCurve,
  discSeconds,
  driveOf,
  readRate,
  writeRate,
} from '../../../../src/domain/media/driveRates'
import { secondsAlong } from '../../../../src/domain/media/speedCurve'
import { mediaCatalogue } from '../../../../src/engine/media/mediaCatalogue'

const driveFor = (id: string): DriveOfMedium => driveOf(mediaCatalogue, id) as DriveOfMedium

describe('a drive', () => {
  it('is known for media of the catalogue and their variants only', () => {
    expect(driveOf(mediaCatalogue, 'dvd+r')).toMatchObject({ halfSpeed: false, layers: 1 })
    expect(driveOf(mediaCatalogue, 'bd-r-25:spare-max')?.halfSpeed).toBe(true)
    expect(driveOf(mediaCatalogue, 'bdxl-128')?.layers).toBe(4)
    expect(driveOf(mediaCatalogue, 'custom:700MB')).toBeNull()
    expect(driveOf(mediaCatalogue, 'folder:4GB')).toBeNull()
  })

  it('writes and reads between what slow and fast ones do', () => {
    for (const { id, variants } of mediaCatalogue) {
      for (const name of [id, ...variants.map((variant) => `${id}:${variant.id}`)]) {
        const drive = driveFor(name)
        for (const { low, value, high } of [writeRate(drive), readRate(drive), discSeconds(drive)]) {
          expect(low).toBeLessThanOrEqual(value)
          expect(value).toBeLessThanOrEqual(high)
        }
      }
    }
  })

  it('takes twice as long, and formats, where it checks what it writes', () => {
    const [plain, checked] = [driveFor('bd-r-25:spare-none'), driveFor('bd-r-25:spare-min')]
    const seconds = (drive: DriveOfMedium): number => secondsAlong(discCurve(drive, 'write', 24e9), 24e9)
    expect(seconds(checked) / seconds(plain)).toBeCloseTo(2, 9)
    expect(discSeconds(checked).value).toBe(discSeconds(plain).value + 90)
    expect(discCurve(checked, 'read', 24e9)).toEqual(discCurve(plain, 'read', 24e9))
  })

  it('writes a full BD-R at 2x constant velocity in the published 46.4 minutes', () => {
    const { drive, ...more } = driveFor('bd-r-25')
    const steady = { ...more, drive: { ...drive, write: { ...drive.write, profile: 'clv' as const } } }
    const bytes = 12_219_392 * 2048
    expect(secondsAlong(discCurve(steady, 'write', bytes, 2), bytes) / 60).toBeCloseTo(46.4, 1)
  })
})
