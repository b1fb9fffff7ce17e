import type { PlanListItem } from './dto/plan'

type VolumeCounts = Pick<PlanListItem, 'volumes' | 'built' | 'written' | 'verified' | 'failed'>

/**
 * How far a plan has got, and how many of its volumes: failed verifications come first, then the
 * last step begun.
 */
export function planState({ volumes, built, written, verified, failed }: VolumeCounts): {
  readonly step: 'planned' | 'built' | 'written' | 'verified' | 'failed'
  readonly count: number
} {
  if (failed > 0) return { step: 'failed', count: failed }
  if (verified > 0) return { step: 'verified', count: verified }
  if (written > 0) return { step: 'written', count: written }
  return built > 0 ? { step: 'built', count: built } : { step: 'planned', count: volumes }
}
