import type { PlanDocument, PlanVolume } from '../../../contract/dto/plan'
import { builderOf } from '../../../domain/sets/imageBuilder'
import type { Work } from '../../jobs/workEstimate'
import type { VolumeWork } from './volumeProgress'

type BuiltPlan = Pick<PlanDocument, 'medium' | 'mastering'>

/**
 * The time of a byte relative to reading an image of xorriso back, which is in the page cache then.
 * Assumed until the first volume shows it.
 */
export const WEIGHTS = { packing: 10, writing: 4 } as const

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

/** Bytes of a volume's image or folder. */
function builtBytes({ medium }: BuiltPlan, { bytes, sectors }: PlanVolume): number {
  return medium.kind === 'image' ? sectors * 2048 : bytes
}

/**
 * Steps of building a volume from its image or folder. Files are checked while they go into
 * Stowage's own images; those of xorriso are read back, and each half of their bytes is counted for
 * one of the two.
 */
export function buildWork(plan: BuiltPlan, volume: PlanVolume): VolumeWork[] {
  const bytes = builtBytes(plan, volume)
  if (plan.medium.kind !== 'image')
    return [
      { kind: 'copying', bytes, files: volume.files },
      { kind: 'flushing', bytes, isUnseen: true },
    ]
  if (builderOf(plan.mastering.tool) === 'own') return [{ kind: 'writing', bytes, weight: WEIGHTS.writing }]
  return [
    { kind: 'writing', bytes: bytes / 2, weight: WEIGHTS.writing },
    { kind: 'readingBack', bytes: bytes / 2 },
  ]
}

/** All that a build does after packing, with nothing done. */
export function workAfterPacking(plan: BuiltPlan & Pick<PlanDocument, 'volumes'>): Work[] {
  const all = plan.volumes.flatMap((volume) => buildWork(plan, volume))
  const kinds = new Map(all.map((each) => [each.kind, each]))
  return Array.from(kinds.values(), ({ kind, weight = 1, files }) => {
    const own = all.filter((each) => each.kind === kind)
    const total = own.reduce((sum, { bytes }) => sum + bytes, 0)
    const counted = { done: 0, total: own.reduce((sum, each) => sum + (each.files ?? 0), 0) }
    return { kind, unit: 'bytes', done: 0, total, weight, ...(files !== undefined && { files: counted }) }
  })
}
