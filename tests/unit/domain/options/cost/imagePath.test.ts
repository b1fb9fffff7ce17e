import { describe, expect, it } from 'vitest'
import type { BandSweepDocument, BandSweepPoint, SweepRate } from '../../../../../src/contract/dto/bands'
import { composeOption } from '../../../../../src/domain/options/cost/compose'
import { estimateOf } from '../../../../../src/domain/options/cost/estimateParts'
import { imagePath } from '../../../../../src/domain/options/cost/imagePath'
import { DISK_FACTS } from '../../../../../src/domain/options/cost/mediumFacts'
import type { ContainerRates, OptionFacts } from '../../../../../src/domain/options/facts'
import type { OptionEstimate } from '../../../../../src/domain/options/optionsDocument'
import type { Encryption } from '../../../../../src/domain/options/recipes/variant'
import {
  factsFrom,
  KNOWN_SETS,
  knownSurvey,
  TARGET,
  timesLarger,
  variantNamed,
} from '../../../../fixtures/options/optionFacts'

const MIB = 1024 * 1024
/** As the engine has them while nothing was measured. */
const UNMEASURED: Partial<OptionFacts> = {
  target: {
    writeBytesPerSecond: estimateOf({ value: 500e6, low: 80e6, high: 3e9 }, 'assumed', 'a current drive'),
    readBytesPerSecond: estimateOf({ value: 500e6, low: 80e6, high: 5e9 }, 'assumed', 'a current drive'),
    writeLatencySeconds: estimateOf({ value: 0.001, low: 5e-5, high: 0.02 }, 'assumed', 'a current drive'),
    readLatencySeconds: estimateOf({ value: 5e-4, low: 5e-5, high: 0.015 }, 'assumed', 'a current drive'),
  },
}

function timesOf(facts: OptionFacts, name: string, encryption: Encryption): OptionEstimate {
  return composeOption(facts, variantNamed(facts, name), DISK_FACTS, { encryption, protection: 0 }).estimate
}

describe('with nothing measured', () => {
  it.each(KNOWN_SETS)('a Mac builds UDSB before UDRW before UDSP, and encrypted ones last (%s)', (set) => {
    for (const factor of [1, 20, 1000]) {
      const facts = factsFrom(timesLarger(knownSurvey(set), factor), UNMEASURED)
      for (const encryption of ['none', 'aes-128', 'aes-256'] as const) {
        const build = (name: string) => timesOf(facts, name, encryption).buildSeconds
        expect(build('udsb').value).toBeLessThan(build('udrw').value)
        expect(build('udrw').value).toBeLessThan(build('udsp').value)
        for (const name of ['udsb', 'udrw', 'udsp', 'asif']) {
          expect(build(name).provenance).toBe('assumed')
          expect(build(name).basis).toMatch(/published tests \(H\. Oakley/)
        }
      }
      for (const name of ['udsb', 'udrw', 'udsp', 'asif'])
        expect(timesOf(facts, name, 'none').buildSeconds.value).toBeLessThan(
          timesOf(facts, name, 'aes-256').buildSeconds.value,
        )
    }
  })
})

const rate = (value: number): SweepRate => ({
  value,
  low: value * 0.9,
  high: value * 1.1,
  confidence: 0.95,
  repeats: 6,
  spread: 0.01,
})
const point = (kind: BandSweepPoint['kind'], write: number, more: Partial<BandSweepPoint> = {}) =>
  ({
    kind,
    encryption: null,
    bandSize: null,
    write: rate(write),
    read: rate(2 * write),
    ...more,
  }) as BandSweepPoint

function sweep(points: BandSweepPoint[], kinds: BandSweepDocument['request']['kinds']): BandSweepDocument {
  return {
    id: 'b-1',
    reference: point('UDRW', 900e6),
    points,
    samples: [],
    passBytes: 32 * MIB,
    request: { kinds, encryptions: [null] },
    device: { kind: 'ssd', fileSystem: 'ext4' },
  } as unknown as BandSweepDocument
}

describe('a band sweep of the disk', () => {
  const facts = {
    target: TARGET,
    sweep: sweep(
      [
        point('UDSB', 100e6, { bandSize: 2 * MIB }),
        point('UDSB', 300e6, { bandSize: 16 * MIB }),
        point('UDSB', 60e6, { bandSize: 16 * MIB, encryption: 256 }),
      ],
      ['UDSB'],
    ),
  }

  it('gives the rates of the kind, the encryption and the most similar bands, and is named', () => {
    const plain = imagePath(facts, { kind: 'udsb', bandBytes: 8 * MIB }, 'none')
    expect(plain).toMatchObject({ isMeasured: true })
    expect(plain.write.value).toBeCloseTo(1 / 300e6, 15)
    expect(plain.read.value).toBeCloseTo(1 / 600e6, 15)
    expect(plain.write).toMatchObject({
      provenance: 'measured',
      basis: 'band sweep b-1 on this disk: UDSB, bands of 16 MiB',
    })
    const secret = imagePath(facts, { kind: 'udsb', bandBytes: 8 * MIB }, 'aes-256')
    expect(secret.write.value).toBeCloseTo(1 / 60e6, 15)
    expect(secret.write.basis).toContain('AES-256')
  })

  it('leaves to the published figures what it did not time', () => {
    const sparse = imagePath(facts, { kind: 'udsp', bandBytes: null }, 'none')
    expect(sparse.write).toMatchObject({ provenance: 'assumed' })
    const weak = imagePath(facts, { kind: 'udsb', bandBytes: 2 * MIB }, 'aes-128')
    expect(weak.write.value).toBeGreaterThan(1 / 100e6)
    expect(weak.write).toMatchObject({ provenance: 'assumed' })
    expect(weak.write.basis).toMatch(/^band sweep b-1 .*; encryption assumed/)
  })

  it('times a read-write image only where that was asked for: the raw file is one', () => {
    const asked = { target: TARGET, sweep: sweep([], ['UDSB', 'UDRW']) }
    expect(imagePath(facts, { kind: 'udrw', bandBytes: null }, 'none').isMeasured).toBe(false)
    expect(imagePath(asked, { kind: 'udrw', bandBytes: null }, 'none').write.value).toBeCloseTo(1 / 900e6, 15)
  })

  it('decides the times of the options, which say so', () => {
    const survey = timesLarger(knownSurvey('disk'), 20)
    const before = timesOf(factsFrom(survey), 'udsb', 'none')
    const after = timesOf(factsFrom(survey, { sweep: facts.sweep }), 'udsb', 'none')
    expect(after.buildSeconds.basis).toContain('band sweep b-1')
    expect(after.buildSeconds.value).toBeGreaterThan(before.buildSeconds.value)
    expect(after.verifySeconds.value).not.toBe(before.verifySeconds.value)
  })
})

describe('a measurement inside a container on the disk', () => {
  const measured = (value: number) => estimateOf({ value, low: value, high: value }, 'measured', 'timed')
  const inside = (kind: ContainerRates['kind'], more: Partial<ContainerRates> = {}): ContainerRates => ({
    id: 'm-1',
    createdWallMs: 1000,
    kind,
    encryption: null,
    bandSize: kind === 'UDRW' ? null : 8 * MIB,
    writeBytesPerSecond: measured(200e6),
    readBytesPerSecond: measured(400e6),
    ...more,
  })

  it('gives the rates of its kind and encryption, and is named', () => {
    const facts = {
      target: TARGET,
      containers: [inside('UDRW'), inside('UDSB', { encryption: 256, id: 'm-2' })],
    }
    const plain = imagePath(facts, { kind: 'udrw', bandBytes: null }, 'none')
    expect(plain).toMatchObject({ isMeasured: true })
    expect([plain.write.value, plain.read.value]).toEqual([1 / 200e6, 1 / 400e6])
    expect(plain.write).toMatchObject({
      provenance: 'measured',
      basis: 'measurement m-1 inside a container on this disk: UDRW',
    })
    const secret = imagePath(facts, { kind: 'udsb', bandBytes: 32 * MIB }, 'aes-256')
    expect(secret.read.basis).toBe(
      'measurement m-2 inside a container on this disk: UDSB, bands of 8 MiB, AES-256',
    )
    expect(imagePath(facts, { kind: 'udsb', bandBytes: 8 * MIB }, 'none').isMeasured).toBe(false)
    expect(imagePath(facts, { kind: 'udsp', bandBytes: null }, 'none').isMeasured).toBe(false)
    const guarded = imagePath(facts, { kind: 'udrw', bandBytes: null }, 'aes-128')
    expect(guarded.write.basis).toMatch(/^measurement m-1 .*; encryption assumed/)
  })

  it('yields to a sweep with more similar bands, and of two alike the newer one counts', () => {
    const points = [point('UDSB', 300e6, { bandSize: 16 * MIB }), point('UDSB', 100e6, { bandSize: 8 * MIB })]
    const older = { ...sweep(points, ['UDSB']), createdWallMs: 500 }
    const facts = { target: TARGET, sweep: older, containers: [inside('UDSB')] }
    const basisAt = (bandBytes: number, given: typeof facts) =>
      imagePath(given, { kind: 'udsb', bandBytes }, 'none').write.basis
    expect(basisAt(16 * MIB, facts)).toContain('band sweep b-1')
    expect(basisAt(8 * MIB, facts)).toContain('measurement m-1')
    expect(basisAt(8 * MIB, { ...facts, sweep: { ...older, createdWallMs: 2000 } })).toContain(
      'band sweep b-1',
    )
  })
})
