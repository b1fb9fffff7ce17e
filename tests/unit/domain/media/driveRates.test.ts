import { describe, expect, it } from 'vitest'
import { driveOf, meanSpeedShare, readRate, writeRate } from '../../../../src/domain/media/driveRates'
import { mediaCatalogue } from '../../../../src/engine/media/mediaCatalogue'

describe('the mean speed of a drive', () => {
  it('is 41/58 of the rim’s over a full disc and 24/58 at its beginning, at constant angular velocity', () => {
    expect(meanSpeedShare('cav')).toBe(41 / 58)
    expect(meanSpeedShare('cav', 0)).toBe(24 / 58)
    expect(meanSpeedShare('clv', 0.3)).toBe(1)
  })

  it.each([0.1, 0.25, 0.5, 1])(
    'over the first %d of a disc is bytes over the time of its rings',
    (filled) => {
      // Rings of equal data, each at the speed of its radius; the mean of the speeds by time.
      const rings = 20_000
      let seconds = 0
      for (let ring = 0; ring < rings; ring++) {
        const part = ((ring + 0.5) / rings) * filled
        const radius = Math.sqrt(24 ** 2 + part * (58 ** 2 - 24 ** 2))
        seconds += 1 / rings / (radius / 58)
      }
      expect(meanSpeedShare('cav', filled)).toBeCloseTo(1 / seconds, 4)
    },
  )

  it('lies between the two in zones', () => {
    expect(meanSpeedShare('zclv')).toBeGreaterThan(meanSpeedShare('cav'))
    expect(meanSpeedShare('zclv')).toBeLessThan(1)
  })
})

describe('a drive', () => {
  it('is known for media of the catalogue and their variants only', () => {
    expect(driveOf(mediaCatalogue, 'dvd+r')?.halfSpeed).toBe(false)
    expect(driveOf(mediaCatalogue, 'bd-r-25:spare-max')?.halfSpeed).toBe(true)
    expect(driveOf(mediaCatalogue, 'custom:700MB')).toBeNull()
    expect(driveOf(mediaCatalogue, 'folder:4GB')).toBeNull()
  })

  it('writes and reads between what slow and fast ones do', () => {
    for (const { drive } of mediaCatalogue) {
      for (const { low, value, high } of [writeRate(drive, false), writeRate(drive, true), readRate(drive)]) {
        expect(low).toBeLessThanOrEqual(value)
        expect(value).toBeLessThanOrEqual(high)
      }
    }
  })
})
