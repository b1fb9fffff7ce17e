import type { Medium } from '../media/medium'
import type { PlanDocument } from './planDocument'

/** Media of the first volumes of a plan, each of so many volumes. */
export type FirstMedia = NonNullable<PlanDocument['firstMedia']>

/** The medium of a volume by the number it was filled under, from 0. */
export function mediumAt(bin: number, medium: Medium, firstMedia: FirstMedia = []): Medium {
  let before = 0
  for (const first of firstMedia) {
    before += first.volumes
    if (bin < before) return first.medium
  }
  return medium
}

type WithMedia = Pick<PlanDocument, 'medium' | 'firstMedia' | 'volumes'>

/** The medium of a volume of a plan, by its index. */
export function mediumOfVolume({ medium, firstMedia = [], volumes }: WithMedia, index: number): Medium {
  const id = volumes.find((volume) => volume.index === index)?.mediumId
  return firstMedia.find((first) => first.medium.id === id)?.medium ?? medium
}

/** The media of a plan's volumes with their numbers, in the order of the volumes. */
export function mediaOf(plan: WithMedia): { readonly medium: Medium; readonly volumes: number }[] {
  const counts = new Map<Medium, number>()
  for (const { index } of plan.volumes) {
    const medium = mediumOfVolume(plan, index)
    counts.set(medium, (counts.get(medium) ?? 0) + 1)
  }
  return Array.from(counts, ([medium, volumes]) => ({ medium, volumes }))
}
