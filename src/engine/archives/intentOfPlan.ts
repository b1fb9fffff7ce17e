import type { PlanDocument } from '../../contract/dto/plan'
import type { ArchiveIntent, ArchiveSource } from '../../domain/archives/archive'
import { sourceName } from '../../domain/project/sourceName'
import { prefixOfLabels } from '../../domain/sets/naming/volumeLabels'
import { lastComponent } from '../../domain/sets/naming/volumePaths'
import { NO_RULES } from '../../domain/survey/rules/rules'

/** The parts of an intent that a plan cannot tell. */
type Kept = Pick<ArchiveIntent, 'id' | 'name' | 'createdWallMs' | 'folder'> &
  Partial<Pick<ArchiveIntent, 'goal' | 'sources'>>

/**
 * The intent that a plan was made with: its sources, rules, medium, option, encryption, labels,
 * recovery data and copies.
 * @param kept.sources names of sources are kept where the path is the same
 */
export function intentOfPlan(plan: PlanDocument, kept: Kept): ArchiveIntent {
  const { rules = NO_RULES, medium, packing, placement, protection, copies } = plan
  const isProtectable = medium.kind === 'image' && !packing?.image
  return {
    id: kept.id,
    name: kept.name,
    createdWallMs: kept.createdWallMs,
    sources: namedSources(plan.roots, kept.sources ?? []),
    rules,
    medium: medium.id,
    option: packing?.recipe ?? null,
    encryption: packing?.encryption ?? 'none',
    label: prefixOfLabels(plan.volumes, placement, lastComponent(plan.roots[0] ?? '')),
    protection: protection === 'fill' || !isProtectable ? null : (protection ?? 'none'),
    copies: copies ?? null,
    goal: kept.goal ?? 'balanced',
    folder: kept.folder,
  }
}

function namedSources(roots: readonly string[], known: readonly ArchiveSource[]): ArchiveSource[] {
  const taken = known.map(({ name }) => name)
  return roots.map((path) => {
    const same = known.find((source) => source.path === path)
    const name = same?.name ?? sourceName(path, taken)
    taken.push(name)
    return { name, path }
  })
}
