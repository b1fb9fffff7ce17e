import type { PlanDocument, PlanVolume } from '../../../contract/dto/plan'
import type { Work } from '../../jobs/workEstimate'
import type { VolumeWork } from './volumeProgress'

/**
 * The time of a byte relative to reading an image back. An image is written by xorriso, which reads
 * the source; what was just written is read back from the page cache. Assumed until the first
 * volume shows it.
 */
export const WEIGHTS = { packing: 10, writing: 4 } as const

/** Bytes of a volume's image or folder. */
function builtBytes({ medium }: Pick<PlanDocument, 'medium'>, { bytes, sectors }: PlanVolume): number {
  return medium.kind === 'image' ? sectors * 2048 : bytes
}

/**
 * Steps of building a volume from its image or folder; each half of an image's bytes is counted for
 * one of the two.
 */
export function buildWork(plan: Pick<PlanDocument, 'medium'>, volume: PlanVolume): VolumeWork[] {
  const bytes = builtBytes(plan, volume)
  if (plan.medium.kind !== 'image') return [{ kind: 'copying', bytes }]
  return [
    { kind: 'writing', bytes: bytes / 2, weight: WEIGHTS.writing },
    { kind: 'readingBack', bytes: bytes / 2 },
  ]
}

/** All that a build does after packing, with nothing done. */
export function workAfterPacking(plan: Pick<PlanDocument, 'medium' | 'volumes'>): Work[] {
  const all = plan.volumes.flatMap((volume) => buildWork(plan, volume))
  const kinds = new Map(all.map(({ kind, weight }) => [kind, weight ?? 1]))
  return Array.from(kinds, ([kind, weight]) => {
    const total = all.reduce((sum, each) => sum + (each.kind === kind ? each.bytes : 0), 0)
    return { kind, unit: 'bytes', done: 0, total, weight }
  })
}
