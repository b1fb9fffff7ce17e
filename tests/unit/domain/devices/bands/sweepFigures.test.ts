import { describe, expect, it } from 'vitest'
import type { ContainerFacts } from '../../../../../src/domain/devices/bandKind'
import type { SweepSample } from '../../../../../src/domain/devices/bands/sweepDocument'
import {
  candidatesOf,
  ratioToReference,
  sweepRate,
  sweepSamples,
} from '../../../../../src/domain/devices/bands/sweepFigures'
import type { Sample } from '../../../../../src/domain/devices/sampleCollector'

const sample = (point: number, round: number, op: SweepSample['op'], ns: number): SweepSample => ({
  point,
  round,
  op,
  bytes: 1000,
  ns,
})

describe('the passes of a sweep among the samples of its measurement', () => {
  const side = (op: Sample['op'], ns: number, test: number, repeat: number): Sample => ({
    op,
    bytes: 1000,
    ns,
    transferNs: ns,
    startMs: 0,
    test,
    repeat,
  })
  const pass = (test: number, repeat: number): Sample[] => [
    side('write', 10, test, repeat),
    side('read', 20, test, repeat),
    side('streamRead', 30, test, repeat),
    side('streamWrite', 40, test, repeat),
  ]

  it('take the slower side of a copy, and leave out the warm-up', () => {
    expect(sweepSamples([...pass(0, -1), ...pass(2, 0)])).toEqual([
      sample(2, 0, 'write', 10),
      sample(2, 0, 'read', 20),
      sample(2, 0, 'stream', 40),
    ])
  })

  it('leave out a pass that was stopped before its copy', () => {
    expect(sweepSamples([...pass(1, 0), ...pass(0, 0).slice(0, 2)]).map(({ point }) => point)).toEqual([
      1, 1, 1,
    ])
  })
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
    const points: ContainerFacts[] = [
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
