import { describe, expect, it } from 'vitest'
import { composeOption, portabilityOf } from '../../../../../src/domain/options/cost/compose'
import { volumesOf } from '../../../../../src/domain/options/cost/composeVolumes'
import { DISK_FACTS } from '../../../../../src/domain/options/cost/mediumFacts'
import type { MediumFacts } from '../../../../../src/domain/options/facts'
import { SEVEN_ZIP_READERS } from '../../../../../src/domain/options/recipes/readers'
import { exact } from '../../../../../src/primitives/estimate'
import {
  factsFrom,
  knownFacts,
  knownSurvey,
  timesLarger,
  variantNamed,
} from '../../../../fixtures/options/optionFacts'

const NOTHING = { encryption: 'none', protection: 0 } as const
const disc = (capacityBytes: number, more: Partial<MediumFacts> = {}): MediumFacts => ({
  id: 'disc',
  name: 'Disc',
  kind: 'folder',
  capacityBytes,
  sectorBytes: 2048,
  writeBytesPerSecond: exact(10e6, 'made up'),
  readBytesPerSecond: exact(20e6, 'made up'),
  volumeSeconds: exact(60, 'made up'),
  ...more,
})
const facts = knownFacts('source')
const plain = variantNamed(facts, 'plain')
const solid = variantNamed(facts, '7z-solid-16m-path')

describe('an option on a disk', () => {
  const { estimate, id, fits } = composeOption(facts, solid, DISK_FACTS, NOTHING)

  it('has the container’s bytes, one volume, and is written by building it', () => {
    expect(id).toBe('7z-solid-16m-path@disk')
    expect(fits).toBe(true)
    expect(estimate.bytes).toMatchObject({ value: solid.storedBytes.value, low: solid.storedBytes.low })
    expect(estimate.volumes).toMatchObject({ value: 1, provenance: 'exact' })
    expect(estimate.writeSeconds).toMatchObject({ value: 0, provenance: 'exact' })
  })

  it('is built as fast as its slowest step, and at worst in one step after the other', () => {
    const { passSeconds } = facts.survey
    const writing = solid.storedBytes.value / 500e6 + 0.0001
    expect(estimate.buildSeconds.value).toBeCloseTo(solid.packSeconds.value, 6)
    expect(estimate.buildSeconds.high).toBeGreaterThanOrEqual(
      solid.packSeconds.value + 0.25 * passSeconds + writing - 1e-9,
    )
    expect(estimate.buildSeconds.low).toBeLessThanOrEqual(estimate.buildSeconds.value)
    expect(estimate.buildSeconds.basis).toContain('packing is slowest')
    const waiting = plain.waitSeconds?.value ?? 0
    expect(waiting).toBeCloseTo(facts.survey.totals.files * 22e-6 + facts.survey.totals.folders * 0.45e-3, 6)
    // What is small beside the memory is most often still there since the survey.
    const { bytes } = facts.survey.totals
    for (const [memoryBytes, share] of [
      [4 * bytes, 0.25],
      [3 * bytes, 1],
    ] as const) {
      const slow = {
        ...facts,
        survey: { ...facts.survey, passSeconds: 100 },
        machine: { ...facts.machine, memoryBytes },
      }
      const { buildSeconds } = composeOption(slow, plain, DISK_FACTS, NOTHING).estimate
      expect(buildSeconds.value).toBeCloseTo(100 * share + waiting, 6)
      expect(buildSeconds.basis).toContain('reading the source')
    }
  })

  it('is exact in bytes where that was counted', () => {
    const { estimate: copied } = composeOption(facts, plain, DISK_FACTS, NOTHING)
    expect(copied.bytes).toMatchObject({ value: 41_943_034, low: 41_943_034, provenance: 'exact' })
  })
})

describe('the volumes of whole pieces', () => {
  const volumes = (bytes: number, largestPieceBytes: number) => {
    const pieces = { ...plain, largestPieceBytes, storedFiles: exact(2, 'made up') }
    return volumesOf(pieces, exact(bytes, 'made up'), disc(1_000_000)).volumes
  }

  it('are one while all fits on it, however large the pieces are', () => {
    expect(volumes(900_000, 800_000)).toMatchObject({ value: 1, low: 1, high: 1 })
    expect(volumes(1_000_000, 1_000_000)).toMatchObject({ value: 1, low: 1, high: 1 })
  })

  it('leave something over on each as soon as there are two', () => {
    // At worst half of each volume, in the mean a quarter.
    expect(volumes(1_600_000, 800_000)).toMatchObject({ value: 3, low: 2, high: 4 })
  })
})

describe('an option on volumes', () => {
  it('takes whole sectors of every file, counted', () => {
    const { estimate } = composeOption(facts, plain, disc(1e9), NOTHING)
    const blocks = facts.survey.fixedBlocks.find(({ blockSize }) => blockSize === 2048)?.blocks ?? 0
    expect(estimate.bytes).toMatchObject({ value: blocks * 2048, low: blocks * 2048, provenance: 'exact' })
  })

  it('takes as many as its range says, which is one number where it may be cut and is exact', () => {
    const iso = variantNamed(facts, 'iso')
    const sized = { ...iso, storedBytes: exact(46_000_000, 'made up') }
    const { estimate } = composeOption(facts, sized, disc(10_000_000), NOTHING)
    expect(estimate.bytes).toMatchObject({ value: Math.ceil(46_000_000 / 2048) * 2048, provenance: 'exact' })
    expect(estimate.volumes).toMatchObject({ value: 5, low: 5, high: 5, provenance: 'exact' })
    const wide = composeOption(facts, solid, disc(3_000_000), NOTHING).estimate.volumes
    expect(wide.low).toBe(1)
    expect(wide.high).toBe(2)
  })

  it('is the same for an ISO image on discs as for plain files: each disc is an image with whole files', () => {
    for (const capacity of [10_000_000, 60_000_000]) {
      const on = disc(capacity, { kind: 'image' })
      const [iso, files] = ['iso', 'plain'].map(
        (name) => composeOption(facts, variantNamed(facts, name), on, NOTHING).estimate,
      )
      expect(iso?.volumes.value).toBe(files?.volumes.value)
      expect(Math.abs((iso?.bytes.value ?? 0) / (files?.bytes.value ?? 1) - 1)).toBeLessThan(0.05)
      expect(iso?.storedFiles.value).toBe(facts.survey.totals.files)
    }
  })

  it('does not fit where a piece is larger than a volume', () => {
    const { fits, notes, estimate } = composeOption(facts, plain, disc(2_000_000), NOTHING)
    expect(fits).toBe(false)
    expect(notes.join()).toContain('larger than a volume')
    expect(estimate.volumes.high).toBeGreaterThanOrEqual(Math.ceil(42e6 / 2e6))
    expect(composeOption(facts, solid, disc(2_000_000), NOTHING).fits).toBe(true)
  })

  it('is written at the medium’s rate, with what each volume takes', () => {
    const { estimate } = composeOption(facts, plain, disc(10_000_000), NOTHING)
    const { bytes, volumes, writeSeconds, verifySeconds } = estimate
    expect(writeSeconds.value).toBeCloseTo(bytes.value / 10e6 + volumes.value * 60, 6)
    expect(verifySeconds.value).toBeCloseTo(bytes.value / 20e6 + volumes.value * 60, 6)
    const target = composeOption(
      facts,
      plain,
      disc(10_000_000, { writeBytesPerSecond: null, volumeSeconds: null }),
      NOTHING,
    )
    expect(target.estimate.writeSeconds.value).toBeCloseTo(bytes.value / 500e6 + 0.25 * 2323 * 0.0001, 6)
  })
})

describe('settings', () => {
  it('for redundancy cost their share and the work of it', () => {
    const without = composeOption(facts, solid, DISK_FACTS, NOTHING).estimate
    const tenth = composeOption(facts, solid, DISK_FACTS, { encryption: 'none', protection: 0.1 }).estimate
    expect(tenth.bytes.value / without.bytes.value).toBeCloseTo(1.1, 2)
    expect(tenth.bytes.value / without.bytes.value).toBeGreaterThanOrEqual(1.1)
    expect(tenth.cpuSeconds.value).toBeGreaterThan(without.cpuSeconds.value)
  })

  it('for encryption are kept by what has it, stronger where it must be, and not by what has none', () => {
    const of = (name: string, encryption: 'none' | 'aes-128' | 'aes-256') =>
      composeOption(facts, variantNamed(facts, name), DISK_FACTS, { encryption, protection: 0 })
    expect(of('7z-files', 'aes-256').encryption).toBe('aes-256')
    expect(of('7z-files', 'aes-128').encryption).toBe('aes-256')
    expect(of('udsb', 'aes-128').encryption).toBe('aes-128')
    expect(of('restic-off', 'none').encryption).toBe('aes-256')
    const bare = of('squashfs-lz4-128k', 'aes-256')
    expect(bare.encryption).toBe('none')
    expect(bare.notes.join()).toContain('It has no encryption')
    expect(of('7z-files', 'aes-256').estimate.cpuSeconds.value).toBeGreaterThan(
      of('7z-files', 'none').estimate.cpuSeconds.value,
    )
  })
})

describe('who can read it', () => {
  it('counts a system’s own means whole, free programs half, and a format’s only program a quarter', () => {
    expect(portabilityOf([])).toBe(0)
    expect(portabilityOf(plain.readers)).toBe(1)
    expect(portabilityOf(SEVEN_ZIP_READERS)).toBeCloseTo((1 + 1 + 0.5) / 3, 9)
    expect(portabilityOf(variantNamed(facts, 'borg-1-none').readers)).toBeCloseTo(1 / 6, 9)
  })

  it('leaves out the programs that cannot decrypt an encrypted container', () => {
    const toolsOf = (encryption: 'none' | 'aes-256') =>
      composeOption(facts, solid, DISK_FACTS, { encryption, protection: 0 }).readers.map(({ tool }) => tool)
    expect(toolsOf('none')).toEqual(['7-Zip', 'the system', 'bsdtar of libarchive'])
    expect(toolsOf('aes-256')).toEqual(['7-Zip'])
  })
})

describe('a fetched file', () => {
  it('costs its own bytes in the open and half an archive in a solid one', () => {
    const larger = factsFrom(timesLarger(knownSurvey('source'), 50))
    const of = (name: string): number =>
      composeOption(larger, variantNamed(larger, name), DISK_FACTS, NOTHING).estimate.fetchSeconds.value
    expect(of('plain')).toBeLessThan(0.001)
    expect(of('7z-solid-16m-path')).toBeGreaterThan(2)
    expect(of('7z-files')).toBeLessThan(0.01)
  })
})
