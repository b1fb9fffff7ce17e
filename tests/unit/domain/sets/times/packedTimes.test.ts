import { describe, expect, it } from 'vitest'
import { type PackedSet, packedTimes } from '../../../../../src/domain/sets/times/packedTimes'
import { type Estimate, exact } from '../../../../../src/primitives/estimate'

const figure = (value: number): Estimate => ({
  value,
  low: value * 0.8,
  high: value * 1.2,
  confidence: 0.95,
  provenance: 'modelled',
  basis: 'a model',
})
const MB = 1e6
const set: PackedSet = {
  work: {
    reading: figure(1),
    cpu: figure(40),
    packThreads: 2,
    wait: null,
    waitCpu: null,
    unpack: figure(4),
    unpackThreads: 2,
  },
  family: 'squashfs',
  files: 0,
  folders: 0,
  bytes: 0,
  containers: 0,
  stored: exact(0, 'nothing'),
  volumes: 1,
  isTried: true,
  capacityBytes: 10 * MB,
  target: {
    writeBytesPerSecond: exact(100 * MB, 'a test'),
    readBytesPerSecond: exact(100 * MB, 'a test'),
    writeLatencySeconds: exact(0, 'a test'),
    readLatencySeconds: exact(0, 'a test'),
  },
  machine: { system: 'linux', cores: 2, memoryBytes: 16e9, pace: 1 },
}
const valuesOf = (one: PackedSet) => {
  const { pack, build, verify, restore } = packedTimes(one)
  return [pack, build, verify, restore].map(({ seconds }) => seconds.value)
}
/** What a change of the set adds to each step. */
const added = (change: Partial<PackedSet>, to: PackedSet = set): number[] => {
  const before = valuesOf(to)
  return valuesOf({ ...to, ...change }).map((value, at) => value - (before[at] as number))
}

describe('the times of a packed set', () => {
  it('divide the work of a program among its threads, and count all of it as CPU time', () => {
    const idle = packedTimes({ ...set, work: { ...set.work, unpack: exact(0, 'nothing') } })
    const { pack, verify } = packedTimes(set)
    expect(pack.cpu.value - pack.seconds.value).toBeCloseTo(20, 6)
    expect(verify.cpu.value - idle.verify.cpu.value).toBeCloseTo(4, 6)
    expect(verify.seconds.value - idle.verify.seconds.value).toBeCloseTo(2, 6)
  })

  it('have wider ranges for work of one machine than for parts that have nothing to do with each other', () => {
    const { cpu } = packedTimes({ ...set, bytes: 1e9 }).verify
    const own = packedTimes({
      ...set,
      bytes: 1e9,
      work: { ...set.work, unpack: exact(0, 'nothing') },
    }).verify.cpu
    expect(cpu.high - cpu.value).toBeCloseTo(own.high - own.value + 0.8, 6)
  })

  it('count the work of a program for a set time as CPU time, and not as more time', () => {
    const waiting = { ...set, work: { ...set.work, wait: figure(3), waitCpu: figure(2) } }
    const [before, after] = [packedTimes(set).pack, packedTimes(waiting).pack]
    expect(after.cpu.value - before.cpu.value).toBeCloseTo(2, 6)
    expect(after.seconds.value - before.seconds.value).toBeCloseTo(3, 6)
  })

  it('are as long as reading the source where that is slower than packing it', () => {
    const [pack] = added({ work: { ...set.work, reading: figure(30) } })
    expect(pack).toBeCloseTo(10, 6)
  })

  it('grow with each file that a step makes, and say what that rests on', () => {
    const growth = (family: PackedSet['family'], step: number): number =>
      added({ files: 1000 }, { ...set, family })[step] as number
    // Programs unpack these to files, which are made and removed; streams and images are checked without.
    for (const family of ['apple-image', 'iso'] as const)
      expect(growth('squashfs', 2) - growth(family, 2)).toBeCloseTo(1000 * (280e-6 + 20e-6), 6)
    expect(growth('apple-image', 3) - growth('apple-image', 2)).toBeGreaterThan(0.1)
    expect(packedTimes({ ...set, files: 1 }).restore.seconds.basis).toContain('making files')
  })

  it('grow by more where every file is a container of its own', () => {
    const each = added({ files: 10_000, containers: 10_000 }, { ...set, family: 'compressed-files' })
    const together = added({ files: 10_000 })
    for (const step of [0, 1, 3]) expect(each[step]).toBeGreaterThan(together[step] as number)
  })

  it('include writing what is made, and what is restored, to the disk', () => {
    const [pack, build] = added({ stored: exact(500 * MB, 'an archive') }) as [number, number]
    expect(pack).toBeGreaterThan(5)
    expect(build).toBeGreaterThan(5)
    expect(added({ bytes: 500 * MB })[3]).toBeGreaterThan(5)
  })

  it('hold archives that are made again until they fill their volumes', () => {
    // Planned for a fifth more than is expected, so that volumes may be saved.
    const many = { ...set, volumes: 12, capacityBytes: 12 * MB, stored: figure(100 * MB) }
    const joined = packedTimes({ ...many, isTried: false }).pack
    expect(packedTimes(many).pack.cpu.value).toBeCloseTo(joined.cpu.value + 4, 6)
    // What is sure to fill its volumes is packed once.
    const sure = packedTimes({ ...many, stored: exact(100 * MB, 'a test') }).pack
    expect(sure.cpu.value).toBeCloseTo(joined.cpu.value, 6)
    expect(sure.cpu.high).toBeGreaterThan(joined.cpu.high)
  })

  it('are halved on a machine twice as fast, and less sure on one of unknown speed', () => {
    const large = {
      ...set,
      family: 'apple-image' as const,
      files: 100_000,
      work: { ...set.work, unpack: exact(0, 'nothing') },
    }
    const [, , verify] = valuesOf(large) as [number, number, number, number]
    const fast = valuesOf({ ...large, machine: { ...set.machine, pace: 2 } })
    expect(fast[2]).toBeCloseTo(verify / 2, 6)
    const { pace: _, ...machine } = set.machine
    const unknown = packedTimes({ ...large, machine }).verify.seconds
    expect(unknown.high).toBeGreaterThan(1.9 * verify)
  })
})
