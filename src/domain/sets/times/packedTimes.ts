import { type Estimate, exact } from '../../../primitives/estimate'
import { said } from '../../../primitives/said'
import { estimateOf, largest, product, scaled, sum, sumTogether } from '../../options/cost/estimateParts'
import { waitTime } from '../../options/cost/rates'
import {
  flushing,
  flushingFiles,
  isRepository,
  type OwnCounts,
  type OwnStep,
  ownSeconds,
  ownWork,
  type PackingWork,
} from '../../options/cost/stepTimes'
import type { MachineFacts, TargetFacts } from '../../options/facts'
import { AIM, LEAST_FULL } from '../packing/archiveFill'

/** A packed plan, as far as its times depend on it. */
export interface PackedSet extends Omit<OwnCounts, 'stored'> {
  readonly work: PackingWork
  /** The packed size, with all lists of its volumes. */
  readonly stored: Estimate
  /** True when each volume has one archive of its own, whose size decides which files it gets. */
  readonly isTried: boolean
  /** The capacity of a volume; null without a limit. */
  readonly capacityBytes: number | null
  readonly target: TargetFacts
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
  const counts = { ...set, stored: stored.value }
  const flushed = flushing(stored, set.containers + set.volumes, 1, set.target)
  const unpacking = scaled(work.unpack, 1 / work.unpackThreads)
  const packed = largest(
    [scaled(packing, 1 / work.packThreads), product(work.reading, rounds, work.reading.basis)],
    packing.basis,
  )
  // One machine does its own work and that of the programs: where it is slower than it seemed, it is slower for both.
  const step = (name: OwnStep, cpu: Estimate, slowest: Estimate, waits: Waits): StepWork => {
    const own = ownSeconds(name, counts, set.machine)
    return {
      cpu: sum(
        [sumTogether([ownWork(name, counts, set.machine), cpu], cpu.basis), ...present(waits.cpu)],
        `CPU time to ${name}`,
      ),
      seconds: sum(
        [sumTogether([own, slowest], slowest.basis), ...present(waits.seconds), ...present(waits.disk)],
        `${BASIS[name]}; ${own.basis}`,
      ),
    }
  }
  const inRounds = (part: Estimate | null): Estimate | null => part && product(part, rounds, part.basis)
  return {
    pack: step('pack', packing, packed, {
      cpu: inRounds(work.waitCpu),
      seconds: inRounds(work.wait),
      disk: flushed,
    }),
    build: step('build', NOTHING, NOTHING, {
      seconds: waitTime('volume.flush', { volume: isRepository(set.family) ? 0 : set.volumes }),
      disk: flushed,
    }),
    verify: step('verify', work.unpack, unpacking, {}),
    restore: step('restore', work.unpack, unpacking, { disk: flushingFiles(set, set.target) }),
  }
}

const NOTHING = exact(0, 'nothing is packed')

/** The time that a step waits in addition to its work, and the CPU time in that. */
interface Waits {
  readonly cpu?: Estimate | null
  readonly seconds?: Estimate | null
  readonly disk?: Estimate
}

function present(part: Estimate | null | undefined): Estimate[] {
  return part ? [part] : []
}

const BASIS = {
  pack: 'packing, and reading what was made back for its checksums',
  build: 'writing the volumes with the SHA-256 of what they hold',
  verify: 'reading the volumes, unpacking everything, and SHA-256 of every file',
  restore: 'unpacking everything, SHA-256 of every file, and writing it to the disk',
} as const

/**
 * How often the source is packed: archives of volumes are made again with more or fewer files until
 * they fill their volumes. The first one is planned with the upper end of the forecast: where that
 * leaves it too empty, and a volume could be saved, it is made once more, and those after it follow
 * its ratio.
 */
function roundsOf({ isTried, volumes, stored, capacityBytes }: PackedSet): Estimate {
  const basis = said`archives made again until they fill their volumes`
  if (!isTried || volumes < 2 || capacityBytes === null) return exact(1, basis)
  const filled = stored.high > 0 ? stored.value / stored.high : 1
  const isAgain = filled < LEAST_FULL && Math.ceil(stored.value / (capacityBytes * AIM)) < volumes
  // The share of the source that the first one was planned with.
  const first = Math.min(1, capacityBytes / stored.high)
  const value = isAgain ? 1 + first : 1
  return estimateOf({ value, low: 1, high: value + first }, 'modelled', basis)
}
