import { describe, expect, it } from 'vitest'
import type { SweepSample } from '../../../../../src/domain/devices/bands/sweepDocument'
import {
  candidatesOf,
  ratioToReference,
  sweepRate,
} from '../../../../../src/domain/devices/bands/sweepFigures'
import type { SweepPoint } from '../../../../../src/domain/devices/bands/sweepPlan'

const sample = (point: number, round: number, op: SweepSample['op'], ns: number): SweepSample => ({
  point,
  round,
  op,
  bytes: 1000,
  ns,
})

describe('figures of a sweep', () => {
  it('have no range below three repeats, and no spread for one', () => {
    expect(sweepRate([])).toBeNull()
    expect(sweepRate([{ bytes: 1000, ns: 1000 }])).toEqual({
      value: 1e9,
      low: null,
      high: null,
      confidence: null,
      repeats: 1,
      spread: null,
    })
    expect(sweepRate([500, 1000].map((ns) => ({ bytes: 1000, ns })))).toMatchObject({
      value: 1.5e9,
      low: null,
    })
    expect(sweepRate([500, 1000, 2000].map((ns) => ({ bytes: 1000, ns })))).toMatchObject({
      value: 1e9,
      low: 0.5e9,
      high: 2e9,
      confidence: 0.75,
      repeats: 3,
    })
  })

  it('are compared with the raw file of the same round', () => {
    const raw = [100, 200, 400].map((ns, round) => sample(0, round, 'read', ns))
    const own = [200, 400, 800].map((ns, round) => sample(1, round, 'read', ns))
    expect(ratioToReference(own, raw)).toEqual({ value: 0.5, low: 0.5, high: 0.5 })
    expect(ratioToReference(own, [])).toBeNull()
  })

  it('take only rounds that every candidate went through whole', () => {
    const points: SweepPoint[] = [
      { kind: 'UDRW', encryption: null, bandBytes: null },
      { kind: 'UDSB', encryption: null, bandBytes: 10 },
      { kind: 'UDSB', encryption: null, bandBytes: 20 },
      { kind: 'UDSB', encryption: 256, bandBytes: 10 },
      { kind: 'UDSP', encryption: null, bandBytes: 10 },
    ]
    const whole = (point: number, round: number): SweepSample[] =>
      (['write', 'read', 'stream'] as const).map((op) => sample(point, round, op, 10))
    const samples = [
      ...whole(1, 0),
      ...whole(2, 0),
      ...whole(1, 1),
      sample(2, 1, 'write', 10),
      ...whole(3, 0),
    ]
    expect(candidatesOf(points, samples, null, { fullBytes: 95, passBytes: 40 })).toEqual([
      { bandBytes: 10, bands: 10, bandsInPass: 4, roundNs: [30] },
      { bandBytes: 20, bands: 5, bandsInPass: 2, roundNs: [30] },
    ])
  })
})
