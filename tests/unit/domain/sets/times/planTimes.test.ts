import { describe, expect, it } from 'vitest'
import { type DriveOfMedium, discCurve, driveOf } from '../../../../../src/domain/media/driveRates'
import { resolveMedium } from '../../../../../src/domain/media/resolveMedium'
import { secondsAlong } from '../../../../../src/domain/media/speedCurve'
import { workTime } from '../../../../../src/domain/options/cost/rates'
import type { OptionEstimate } from '../../../../../src/domain/options/optionsDocument'
import type { PlanTimes } from '../../../../../src/domain/sets/planDocument'
import { type PlanTimesRequest, planTimes } from '../../../../../src/domain/sets/times/planTimes'
import {
  expectedRecovery,
  parityCpuSeconds,
  recoverySeconds,
} from '../../../../../src/domain/sets/times/recoveryTimes'
import { mediaCatalogue } from '../../../../../src/engine/media/mediaCatalogue'
import { type Estimate, exact } from '../../../../../src/primitives/estimate'

const figure = (value: number): Estimate => ({
  value,
  low: value / 2,
  high: value * 2,
  confidence: 0.95,
  provenance: 'modelled',
  basis: 'a model',
})
const estimateOf = (first: number): OptionEstimate =>
  ({
    buildSeconds: figure(first),
    writeSeconds: figure(first + 1),
    verifySeconds: figure(first + 2),
    restoreSeconds: figure(first + 3),
  }) as OptionEstimate
const step = (value: number) => ({ cpu: figure(value), seconds: figure(value) })
const STEPS = { pack: step(40), build: step(4), verify: step(8), restore: step(12) }
const span = (value: number) => ({ value, low: value, high: value })

const timesOf = (request: PlanTimesRequest): Promise<PlanTimes> => planTimes(request, async () => {})

const MB = 1e6
const folders: PlanTimesRequest = {
  volumes: [
    { bytes: 300 * MB, files: [100 * MB, 200 * MB] },
    { bytes: 100 * MB, files: Array.from({ length: 1000 }, () => 0.1 * MB) },
  ],
  kind: 'folder',
  capacityBytes: 400 * MB,
  sectorBytes: 2048,
  source: {
    startSeconds: span(0),
    fileSeconds: span(0.01),
    secondsPerByte: span(1e-8),
    provenance: 'measured',
    basis: 'a test',
  },
  target: {
    writeBytesPerSecond: exact(200 * MB, 'a test'),
    readBytesPerSecond: exact(200 * MB, 'a test'),
    writeLatencySeconds: exact(0, 'a test'),
    readLatencySeconds: exact(0, 'a test'),
  },
  machine: { system: 'linux', cores: 2, memoryBytes: 16e9, pace: 1 },
  drive: null,
  burns: [],
  stored: estimateOf(8),
  packed: null,
}
const discs = (mediumId: string): PlanTimesRequest => ({
  ...folders,
  kind: 'image',
  capacityBytes: resolveMedium(mediaCatalogue, mediumId).capacityBytes,
  drive: driveOf(mediaCatalogue, mediumId),
})

describe('the times of a plan', async () => {
  it('of files that are stored as they are follow from each volume’s own files', async () => {
    const { total, volumes, burn } = await timesOf(folders)
    expect(total.pack).toBeNull()
    // 2 files of 300 MB at 100 MB/s, and 1,000 files of 100 MB.
    expect(volumes[0]?.build.value).toBeCloseTo(3.02, 1)
    expect(volumes[1]?.build.value).toBeCloseTo(11, 1)
    expect(total.build.value).toBeCloseTo(14.02, 1)
    expect(volumes.map(({ write }) => write.value)).toEqual([9 * 0.75, 9 * 0.25])
    expect(burn).toBeUndefined()
  })

  it('include making each file on a disk that waits for it', async () => {
    const slow = { ...folders.target, writeLatencySeconds: exact(0.04, 'a test') }
    // A quarter of the latency.
    const { volumes } = await timesOf({ ...folders, target: slow })
    expect(volumes[1]?.build.value).toBeCloseTo(21, 0)
  })

  it('of packed files are those of their steps, shared by size', async () => {
    const { total, volumes } = await timesOf({
      ...folders,
      volumes: [
        { bytes: 300, files: [] },
        { bytes: 100, files: [] },
      ],
      packed: { estimate: estimateOf(60), steps: STEPS },
    })
    expect(total).toMatchObject({ pack: { value: 40 }, build: { value: 4 }, restore: { value: 12 } })
    expect(volumes.map(({ pack }) => pack?.value)).toEqual([30, 10])
  })

  it('of packed files on discs include reading them', async () => {
    const on = { ...discs('dvd+r'), volumes: [{ bytes: 460 * MB, files: [] }] }
    const packed = { estimate: estimateOf(60), steps: STEPS }
    const [plain, more] = [await timesOf(on), await timesOf({ ...on, packed })]
    expect(more.total.verify.value).toBeCloseTo(plain.total.verify.value + 8, 3)
    expect(more.total.restore.value).toBeCloseTo(plain.total.verify.value + 12, 3)
  })

  it('of what is made in one go have no packing', async () => {
    const { total } = await timesOf({ ...folders, packed: { estimate: estimateOf(60), steps: null } })
    expect([total.pack, total.build.value]).toEqual([null, 60])
  })

  it('of nothing are nothing', async () => {
    const { total, burn } = await timesOf({ ...discs('dvd+r'), volumes: [] })
    expect(total.build.value).toBe(0)
    expect(burn).toBeUndefined()
  })
})

describe('writing discs', async () => {
  const one = { ...discs('dvd+r'), volumes: [{ bytes: 460 * MB, files: [450 * MB] }] }

  it('takes a drive the time of its curve, lead-in and change, and longer where it is slower', async () => {
    const { write, verify } = (await timesOf(one)).total
    const along = secondsAlong(discCurve(one.drive as DriveOfMedium, 'write', one.capacityBytes), 460 * MB)
    expect(write.value).toBeCloseTo(along + 75, 0)
    expect(write.high).toBeGreaterThan(1.3 * write.value)
    expect(write.provenance).toBe('assumed')
    expect(verify.basis).toContain('reading it back')
  })

  it('follows the rates of earlier burns of the medium', async () => {
    const along = secondsAlong(discCurve(one.drive as DriveOfMedium, 'write', one.capacityBytes), 2000 * MB)
    const lead =
      (await timesOf(one)).total.write.value -
      secondsAlong(discCurve(one.drive as DriveOfMedium, 'write', one.capacityBytes), 460 * MB)
    const burns = [2, 3, 3].map((times) => ({ bytes: 2000 * MB, seconds: times * along + lead }))
    const { write } = (await timesOf({ ...one, burns })).total
    const usual = (await timesOf(one)).total.write
    expect(write.value - lead).toBeCloseTo(3 * (usual.value - lead), 0)
    expect(write).toMatchObject({ provenance: 'modelled' })
    expect(write.basis).toContain('3 earlier burns')
  })

  it('keeps to a usual drive where only short burns are known', async () => {
    const burns = [{ bytes: 10 * MB, seconds: 600 }]
    expect((await timesOf({ ...one, burns })).total).toEqual((await timesOf(one)).total)
  })

  it.each([
    ['writer', { fileSeconds: span(0), secondsPerByte: span(1e-8) }],
    ['source', { fileSeconds: span(0), secondsPerByte: span(1e-6) }],
  ] as const)('names what decides: the %s', async (bottleneck, costs) => {
    const { burn } = await timesOf({ ...one, source: { ...one.source, ...costs } })
    expect(burn).toMatchObject({ from: 'files', bottleneck, bufferBytes: 65_536, disc: { index: 1 } })
  })

  it('recommends the buffer of the disc that needs it most, and says what it saves', async () => {
    // Folders of small files, slower than the drive, between large ones.
    const files = Array.from({ length: 4 }, () => [
      ...Array.from({ length: 1000 }, () => 0.05 * MB),
      50 * MB,
    ]).flat()
    const steady = { bytes: 100 * MB, files: [100 * MB] }
    const { burn } = await timesOf({ ...one, volumes: [steady, { bytes: 400 * MB, files }] })
    expect(burn?.disc.index).toBe(2)
    expect(burn?.bufferBytes).toBeGreaterThan(4 * MB)
    expect(burn?.disc.unbufferedSeconds).toBeGreaterThan(1.1 * (burn?.disc.seconds as number))
  })

  it('of packed files comes from their images', async () => {
    const { burn } = await timesOf({ ...one, packed: { estimate: estimateOf(60), steps: STEPS } })
    expect(burn).toMatchObject({ from: 'images', bottleneck: 'writer' })
  })
})

describe('protection in the times of a plan', () => {
  const recovery = { dataBytes: 4000 * MB, summedBytes: 4000 * MB * 200 }
  const plain = { ...discs('bd-r-25'), volumes: [{ bytes: 5000 * MB, files: [4000 * MB] }] }
  const [one] = plain.volumes

  it('makes recovery data while an image is built, faster with more threads', async () => {
    const guarded = { ...plain, volumes: [{ ...one, recovery }] } as PlanTimesRequest
    const [without, with2] = [(await timesOf(plain)).total, (await timesOf(guarded)).total]
    const with16 = (await timesOf({ ...guarded, machine: { ...plain.machine, cores: 16 } })).total
    // Digests of 4 GB, and 200 recovery blocks.
    const { cpu } = recoverySeconds(recovery, plain.machine)
    expect(cpu.value).toBeCloseTo(4 * 2.6 + 4 * 200 * 0.05, 3)
    expect(with2.build.value).toBeGreaterThan(without.build.value + cpu.value / 2)
    expect(with2.build.value).toBeLessThan(without.build.value + cpu.value)
    expect(with16.build.value).toBeLessThan(with2.build.value)
    expect(with2.write).toEqual(without.write)
  })

  it('counts parity discs after the volumes: reading all images, writing and verifying', async () => {
    const { total, volumes } = await timesOf({ ...plain, parity: [5000 * MB, 5000 * MB] })
    const alone = (await timesOf(plain)).total
    expect(volumes).toHaveLength(3)
    // 5 GB at 200 MB/s are read once for both, and each is written.
    expect(volumes[1]?.build.value).toBeCloseTo(25 / 2 + 25, 0)
    expect(volumes[2]?.write.value).toBeCloseTo(alone.write.value, 0)
    expect(total.verify.value).toBeCloseTo(3 * alone.verify.value, 0)
    expect(total.restore.value).toBeCloseTo(alone.restore.value, 3)
  })

  it('burns discs with parity from finished images, which parity is made of', async () => {
    const set = discs('dvd+r')
    const { burn } = await timesOf({ ...set, parity: [2000 * MB] })
    expect((await timesOf(set)).burn?.from).toBe('files')
    expect(burn?.from).toBe('images')
  })

  it('expects a share or what is free of volumes whose archives are not made yet', () => {
    const share = expectedRecovery(110 * MB, 1000 * MB, 10)
    expect(share.dataBytes).toBeCloseTo(100 * MB, 0)
    expect(share.summedBytes).toBeCloseTo(100 * MB * 200, 0)
    expect(share.filledBytes).toBe(0)
    expect(expectedRecovery(600 * MB, 1000 * MB, 'fill').filledBytes).toBe(400 * MB)
    expect(expectedRecovery(300 * MB, 1000 * MB, 'fill').filledBytes).toBe(300 * MB)
    expect(expectedRecovery(990 * MB, 1000 * MB, 'fill').dataBytes).toBe(0)
  })
})

describe('the time of parity discs', () => {
  it('is that of each kind that is made, and nothing without any', () => {
    const machine = { system: 'linux' as const, cores: 2, memoryBytes: 16e9, pace: 1 }
    const [none, one, two] = [0, 1, 2].map((count) => parityCpuSeconds(1e9, count, machine).value)
    const work = (name: 'parity.p' | 'parity.q') => workTime(name, { byte: 1e9 }, machine).value
    expect(none).toBe(0)
    expect(one).toBeCloseTo(work('parity.p'), 9)
    expect(two).toBeCloseTo(work('parity.p') + work('parity.q'), 9)
  })
})
