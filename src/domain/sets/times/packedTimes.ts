import { type Estimate, exact } from '../../../primitives/estimate'
import { estimateOf, largest, product, scaled, sum } from '../../options/cost/estimateParts'
import type { FileMaking } from '../../options/cost/fileMaking'
import { flushing, flushingFiles, type OwnCounts, type OwnStep, ownWork } from '../../options/cost/ownWork'
import type { PackingWork } from '../../options/cost/packingWork'
import type { MachineFacts, TargetFacts } from '../../options/facts'
import { AIM, LEAST_FULL } from '../packing/archiveFill'

/** A packed plan, as far as its times depend on it. */
export interface PackedSet extends Omit<OwnCounts, 'stored'> {
  readonly work: PackingWork
  /** What is made of it, with all lists of its volumes. */
  readonly stored: Estimate
  /** Whether each volume has one archive of its own, whose size decides which files it gets. */
  readonly isTried: boolean
  readonly target: TargetFacts
  readonly making: FileMaking
  readonly machine: MachineFacts
}

/** CPU time of a step, of all its programs, and how long the step takes. */
export interface StepWork {
  readonly cpu: Estimate
  readonly seconds: Estimate
}

export type PackedTimes = Readonly<Record<OwnStep, StepWork>>

export function packedTimes(set: PackedSet): PackedTimes {
  const { work, stored } = set
  const rounds = roundsOf(set)
  const packing = product(work.cpu, rounds, work.cpu.basis)
  const own = (step: OwnStep): Estimate => ownWork(step, { ...set, stored: stored.value }, set)
  const flushed = flushing(stored, set.containers + set.volumes, 1, set)
  const unpacking = scaled(work.unpack, 1 / work.unpackThreads)
  const packed = largest(
    [scaled(packing, 1 / work.packThreads), product(work.reading, rounds, work.reading.basis)],
    packing.basis,
  )
  const step = (name: OwnStep, cpu: readonly Estimate[], other: readonly Estimate[]): StepWork => ({
    cpu: sum([own(name), ...cpu], `CPU time to ${name}`),
    seconds: sum(
      [own(name), ...other],
      `${BASIS[name]}${name === 'restore' || name === 'verify' ? `; ${set.making.make.basis}` : ''}`,
    ),
  })
  return {
    pack: step(
      'pack',
      [packing, ...(work.waitCpu ? [product(work.waitCpu, rounds, work.waitCpu.basis)] : [])],
      [packed, ...(work.wait ? [product(work.wait, rounds, work.wait.basis)] : []), flushed],
    ),
    build: step('build', [], [flushed]),
    verify: step('verify', [work.unpack], [unpacking]),
    restore: step('restore', [work.unpack], [unpacking, flushingFiles(set, set)]),
  }
}

const BASIS = {
  pack: 'packing, and reading what was made back for its checksums',
  build: 'writing the volumes, and reading them back with SHA-256',
  verify: 'reading the volumes, unpacking everything, and SHA-256 of every file',
  restore: 'unpacking everything, SHA-256 of every file, and writing it to the disk',
} as const

/**
 * How often the source is packed: archives of volumes are made again with more or fewer files until they fill their volumes. The first
 * one is planned with the upper end of the forecast: where that leaves it too empty, and a volume could be saved, it is made once more,
 * and those after it follow its ratio.
 */
function roundsOf({ isTried, volumes, stored }: PackedSet): Estimate {
  const basis = 'archives made again until they fill their volumes'
  if (!isTried || volumes < 2) return exact(1, basis)
  const filled = stored.high > 0 ? stored.value / stored.high : 1
  const isAgain = filled < LEAST_FULL && Math.ceil((volumes * filled) / AIM) < volumes
  const value = isAgain ? 1 + 1 / volumes : 1
  return estimateOf({ value, low: 1, high: value + 1 / volumes }, 'modelled', basis)
}
