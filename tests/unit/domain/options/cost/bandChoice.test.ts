import { describe, expect, it } from 'vitest'
import type { BandSweepDocument } from '../../../../../src/contract/dto/bands'
import { planSweep } from '../../../../../src/domain/devices/bands/sweepPlan'
import { bandChoice } from '../../../../../src/domain/options/cost/bandChoice'
import { type BandDevice, syntheticSamples, USUAL_SETTINGS } from '../../devices/bands/syntheticSweep'

const MIB = 1024 * 1024
const DEVICE: BandDevice = { bytesPerSecond: 1e9, bandNs: 2e5, noise: 0.01, drift: 0.02 }

function sweepOf(device: BandDevice, budgetBytes = USUAL_SETTINGS.budgetBytes): BandSweepDocument {
  const plan = planSweep({ ...USUAL_SETTINGS, budgetBytes })
  if (plan === null) throw new Error('the budget is too small')
  const [reference, ...points] = plan.points.map(({ kind, encryption, bandBytes }) => ({
    kind,
    encryption,
    bandSize: bandBytes,
  }))
  return {
    id: 'b-1',
    reference,
    points,
    samples: syntheticSamples(device, plan, 7),
    passBytes: plan.passBytes,
    request: { encryptions: [null] },
    device: { kind: 'ssd', fileSystem: 'ext4' },
  } as unknown as BandSweepDocument
}

describe('the bands of a sparse bundle', () => {
  it('follow the rule where the disk has no band sweep, with those in use counted too', () => {
    expect(bandChoice(100e9, 30e9, null)).toEqual({
      bytes: 16 * MIB,
      whenFull: 5961,
      inUse: 1789,
      from: 'rule',
      because: expect.stringMatching(
        /^16 MiB: this disk has no band sweep, .* 3,000 to 10,000 bands when full\. 5,961 bands when full, 1,789 in use: best from 2,000/,
      ),
    })
    expect(bandChoice(100e9, 10e9, null).because).toMatch(/597 in use: slow below 1,000/)
    expect(bandChoice(100e9, 90e9, null).because).toMatch(/5,365 in use$/)
  })

  it('are those that a sweep of the disk recommends for this very bundle', () => {
    const chosen = bandChoice(100e9, 90e9, sweepOf(DEVICE))
    expect(chosen).toMatchObject({ from: 'sweep' })
    expect(chosen.whenFull).toBeGreaterThanOrEqual(3000)
    expect(chosen.because).toContain('the band sweep b-1 of this disk recommends it')
    // A bundle ten times as large needs other bands for a good number.
    expect(bandChoice(1e12, 9e11, sweepOf(DEVICE)).bytes).toBeGreaterThan(chosen.bytes)
  })

  it('are large where a sweep shows that each band costs much', () => {
    const chosen = bandChoice(100e9, 90e9, sweepOf({ ...DEVICE, bandNs: 2e7 }))
    expect(chosen).toMatchObject({ from: 'sweep' })
    expect(chosen.whenFull).toBeLessThan(3000)
  })

  it('follow the rule where a sweep could not rank sizes with a good number of bands', () => {
    const chosen = bandChoice(100e9, 90e9, sweepOf(DEVICE, 400e6))
    expect(chosen).toMatchObject({ bytes: 16 * MIB, from: 'rule' })
    expect(chosen.because).toContain('the band sweep b-1 could not rank the sizes')
  })
})
