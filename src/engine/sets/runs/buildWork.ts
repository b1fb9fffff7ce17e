import { availableParallelism, totalmem } from 'node:os'
import type { PlanDocument, PlanVolume } from '../../../contract/dto/plan'
import type { VolumeProtection } from '../../../domain/sets/protection/volumeProtection'
import { recoverySeconds, recoveryWork } from '../../../domain/sets/times/recoveryTimes'
import { ASSUMED, type Work } from '../../jobs/workEstimate'
import { usualMemory } from '../../protection/usualMemory'
import { plannedAgain, recoveryStart } from '../mastering/recoveryParts'
import type { VolumeWork } from './volumeProgress'

type BuiltPlan = Pick<PlanDocument, 'medium' | 'protectionMemoryBytes'>

/**
 * The time of a byte relative to reading one that is in the page cache. Assumed until the first
 * volume shows it.
 */
export const WEIGHTS = { packing: 10, writing: 4 } as const
/** The time to flush a byte relative to writing it: most are on the disk by then. */
export const FLUSH_WEIGHT = 0.3

/**
 * The time of a byte that is packed relative to the work after it, by the plan's own forecast of
 * both, where it has one.
 * @param packedBytes all bytes that are packed
 */
export function packingWeight(
  plan: BuiltPlan & Pick<PlanDocument, 'volumes' | 'times'>,
  packedBytes: number,
): number {
  const { pack, build } = plan.times?.total ?? {}
  const after = workAfterPacking(plan).reduce((sum, { total, weight = 1 }) => sum + (total ?? 0) * weight, 0)
  const weight = ((pack?.value ?? 0) / packedBytes) * (after / (build?.value ?? 0))
  return Number.isFinite(weight) && weight > 0 ? weight : WEIGHTS.packing
}

/** A kind of work of a build that is followed by writing. */
export type BuildStep = Pick<VolumeWork, 'kind' | 'bytes' | 'weight' | 'files' | 'isCalculated'>

/** The work of a build, with weights relative to writing what it makes somewhere else. */
export function buildSteps(plan: BuiltPlan, volume: PlanVolume): BuildStep[] {
  const unit = plan.medium.kind === 'image' ? WEIGHTS.writing : 1
  return buildWork(plan, volume)
    .filter(({ isUnseen }) => !isUnseen)
    .map(({ kind, bytes, weight = 1, isCalculated = false }) => {
      return { kind, bytes, weight: weight / unit, isCalculated }
    })
}

/** Bytes of a volume's image or folder. */
function builtBytes({ medium }: BuiltPlan, { bytes, sectors }: PlanVolume): number {
  return medium.kind === 'image' ? sectors * 2048 : bytes
}

/** Steps of building a volume. Files are checked while they go into its image. */
export function buildWork(plan: BuiltPlan, volume: PlanVolume): VolumeWork[] {
  const bytes = builtBytes(plan, volume)
  if (plan.medium.kind !== 'image')
    return [
      { kind: 'copying', bytes, files: volume.files },
      { kind: 'flushing', bytes, weight: FLUSH_WEIGHT, isUnseen: true },
    ]
  return volume.protection
    ? protectedWork(bytes, volume.protection, plan.protectionMemoryBytes ?? usualMemory())
    : [{ kind: 'writing', bytes, weight: WEIGHTS.writing }, flushed(bytes)]
}

/**
 * An image with recovery data: that is calculated while the files are written, and where memory is
 * too little, while they are read again; the recovery files are then only written.
 */
function protectedWork(bytes: number, protection: VolumeProtection, memoryBytes: number): VolumeWork[] {
  const recovery = recoveryWork(protection)
  const machine = { system: 'linux', cores: availableParallelism(), memoryBytes: totalmem() } as const
  const again = plannedAgain(protection, memoryBytes)
  const start = Math.min(bytes, recoveryStart(protection))
  const calculating =
    (1000 * recoverySeconds(recovery, machine).elapsed.value) /
    Math.max(1, recovery.dataBytes) /
    ASSUMED.bytes
  const firstPart = 1 - again / Math.max(1, recovery.dataBytes)
  const how = { phase: 'protecting', isCalculated: true }
  return [
    { kind: 'protecting', bytes: start, weight: WEIGHTS.writing + firstPart * calculating, ...how },
    { kind: 'protectingAgain', bytes: again, weight: 1 + calculating, ...how },
    { kind: 'writing', bytes: bytes - start, weight: WEIGHTS.writing },
    flushed(bytes),
  ]
}

/** An image is flushed before it gets its name. */
function flushed(bytes: number): VolumeWork {
  return { kind: 'flushing', bytes, weight: FLUSH_WEIGHT * WEIGHTS.writing, isUnseen: true }
}

/** All that a build does after packing, with nothing done. */
export function workAfterPacking(plan: BuiltPlan & Pick<PlanDocument, 'volumes'>): Work[] {
  const all = plan.volumes.flatMap((volume) => buildWork(plan, volume))
  const kinds = new Map(all.map((each) => [each.kind, each]))
  return Array.from(kinds.values(), ({ kind, weight = 1, files, isCalculated = false }) => {
    const own = all.filter((each) => each.kind === kind)
    const total = own.reduce((sum, { bytes }) => sum + bytes, 0)
    const counted = { done: 0, total: own.reduce((sum, each) => sum + (each.files ?? 0), 0) }
    return {
      kind,
      unit: 'bytes',
      done: 0,
      total,
      weight,
      isCalculated,
      ...(files !== undefined && { files: counted }),
    }
  })
}
