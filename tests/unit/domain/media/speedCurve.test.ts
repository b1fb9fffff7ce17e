import { describe, expect, it } from 'vitest'
import {
  meanSpeedShare,
  scaledCurve,
  secondsAlong,
  speedCurve,
  steadyRate,
} from '../../../../src/domain/media/speedCurve'

describe('the mean speed of a drive', () => {
  it('is 41/58 of the rim’s over a whole layer and 24/58 at its beginning, at constant angular velocity', () => {
    expect(meanSpeedShare('cav')).toBe(41 / 58)
    expect(meanSpeedShare('cav', 0)).toBe(24 / 58)
    expect(meanSpeedShare('clv', 0.3)).toBe(1)
  })

  it.each([
    [0, 0.1],
    [0, 0.5],
    [0.3, 0.8],
    [0, 1],
  ])('between %d and %d of a layer is bytes over the time of its rings', (from, to) => {
    // Rings of equal data, each at the speed of its radius; the mean of the speeds by time.
    const rings = 20_000
    let seconds = 0
    for (let ring = 0; ring < rings; ring++) {
      const part = from + ((ring + 0.5) / rings) * (to - from)
      const radius = Math.sqrt(24 ** 2 + part * (58 ** 2 - 24 ** 2))
      seconds += 1 / rings / (radius / 58)
    }
    expect(meanSpeedShare('cav', to, from)).toBeCloseTo(1 / seconds, 4)
  })

  it('lies between the two in zones', () => {
    expect(meanSpeedShare('zclv')).toBeGreaterThan(meanSpeedShare('cav'))
    expect(meanSpeedShare('zclv')).toBeLessThan(1)
    expect(meanSpeedShare('zclv', 0.1)).toBe(0.5)
    expect(meanSpeedShare('zclv', 0.05, 0.05)).toBe(0.5)
  })
})

describe('the speed curve of a disc', () => {
  const disc = { labelled: 8e6, capacityBytes: 4.7e9 }

  it('is one rate at constant linear velocity', () => {
    expect(speedCurve({ ...disc, profile: 'clv', layers: 1 })).toEqual(steadyRate(8e6))
  })

  it.each(['clv', 'cav', 'zclv'] as const)(
    'of one or two layers takes bytes over the mean rate: %s',
    (profile) => {
      const mean = 8e6 * meanSpeedShare(profile)
      for (const layers of [1, 2, 3]) {
        const curve = speedCurve({ ...disc, profile, layers })
        expect(secondsAlong(curve, disc.capacityBytes) / (disc.capacityBytes / mean)).toBeCloseTo(1, 6)
        expect(curve[0]?.fromByte).toBe(0)
      }
    },
  )

  it('rises to the rim, and falls again on the second layer', () => {
    const rates = speedCurve({ ...disc, profile: 'cav', layers: 2 }).map(
      ({ bytesPerSecond }) => bytesPerSecond,
    )
    const top = rates.indexOf(Math.max(...rates))
    expect(rates.slice(0, top + 1)).toEqual(rates.slice(0, top + 1).toSorted((one, other) => one - other))
    expect(rates.slice(top)).toEqual(rates.slice(top).toSorted((one, other) => other - one))
    expect(rates[0]).toBeCloseTo(rates.at(-1) as number, 6)
  })

  it('zones go up to the label in steps', () => {
    const rates = speedCurve({ ...disc, profile: 'zclv', layers: 1 }).map(
      ({ bytesPerSecond }) => bytesPerSecond,
    )
    expect(rates).toEqual([4e6, 6e6, 8e6])
  })

  it('goes on at its last rate beyond the end, and scales', () => {
    const curve = [
      { fromByte: 0, bytesPerSecond: 1 },
      { fromByte: 10, bytesPerSecond: 2 },
    ]
    expect(secondsAlong(curve, 30)).toBe(20)
    expect(secondsAlong(scaledCurve(curve, 2), 30)).toBe(10)
    expect(secondsAlong(curve, 0)).toBe(0)
  })
})
