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
  if (plan.medium.kind !== 'image') return [{ kind: 'copying', bytes }]
  if (builderOf(plan.mastering.tool) === 'own') return [{ kind: 'writing', bytes, weight: WEIGHTS.writing }]
  return [
    { kind: 'writing', bytes: bytes / 2, weight: WEIGHTS.writing },
    { kind: 'readingBack', bytes: bytes / 2 },
  ]
}

/** All that a build does after packing, with nothing done. */
export function workAfterPacking(plan: BuiltPlan & Pick<PlanDocument, 'volumes'>): Work[] {
  const all = plan.volumes.flatMap((volume) => buildWork(plan, volume))
  const kinds = new Map(all.map(({ kind, weight }) => [kind, weight ?? 1]))
  return Array.from(kinds, ([kind, weight]) => {
    const total = all.reduce((sum, each) => sum + (each.kind === kind ? each.bytes : 0), 0)
    return { kind, unit: 'bytes', done: 0, total, weight }
  })
}
