import { existsSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { ArchiveAddition } from '../../contract/dto/archive'
import { labelRanges, type PlanDocument } from '../../contract/dto/plan'
import type { Growth } from '../../domain/sets/growing/growth'
import { additionRefusal, type GrowingForm } from '../../domain/sets/growing/growthRefusal'
import { absolutePath } from '../../files/absolutePath'
import { AppError } from '../../primitives/appError'
import { formatCount, formatCounted } from '../../primitives/quantity'
import type { GivenProject } from '../project'
import type { Session } from '../session'
import { formatSize } from '../shape/sizes'
import type { Terminal } from '../terminal'

/** The plan that a new one adds to, as the engine takes it. */
export interface AddedTo {
  readonly addTo?: string
  readonly addToFolder?: string
}

interface AddedToValues {
  readonly 'add-to'?: string | undefined
  readonly anew: boolean
  readonly 'record-names': boolean
}

/**
 * The plan that `--add-to` names or, of a project, its newest plan that was built or written.
 * Everything is planned anew where the packing of either does not grow, and a note says so.
 * @throws AppError `usage` for options that contradict one another
 */
export async function addedTo(
  session: Session,
  values: AddedToValues,
  project: GivenProject | null,
  { packed, isAddition }: { readonly packed: GrowingForm | null; readonly isAddition: boolean },
  out: Terminal,
): Promise<AddedTo> {
  const given = values['add-to']
  if (values.anew && given !== undefined) throw new AppError('usage', 'give --add-to or --anew, not both')
  if (values.anew && !project) throw new AppError('usage', '--anew goes with --project or --archive')
  if (values.anew && values['record-names'])
    throw new AppError('usage', 'give --anew or --record-names, not both')
  if (values['record-names'] && !project && given === undefined)
    throw new AppError('usage', '--record-names goes with --project, --archive or --add-to')
  if (given === '') throw new AppError('usage', '--add-to is empty')
  if (given !== undefined) return planGiven(given)
  if (!project || values.anew) return {}
  const addition = await madeBefore(session, project)
  if (!addition) return {}
  const { planId, encryption, anew } = addition
  const labels = labelRanges(addition.labels)
  const because = anew ?? additionRefusal(packed, { encryption })
  if (because !== null) {
    out.note(`planning everything anew: ${because} (${labels} of plan ${planId} stay)`)
    return {}
  }
  out.note(`adding to plan ${planId} (${labels})${isAddition ? '' : '; --anew plans everything'}`)
  return { addTo: planId }
}

/** The addition to what was made of an archive or a project; null where nothing was made yet. */
async function madeBefore(session: Session, { name }: GivenProject): Promise<ArchiveAddition | null> {
  try {
    return await session.engine.archive.addition({ archiveId: name.id })
  } catch (thrown) {
    const { code } = AppError.from(thrown)
    if (code === 'not-found' || code === 'refused') return null
    throw thrown
  }
}

function planGiven(given: string): AddedTo {
  if (!existsSync(given) && /^p-[0-9a-f]{12}$/.test(given)) return { addTo: given }
  const path = absolutePath(given)
  return { addToFolder: basename(path) === 'plan.json' ? dirname(path) : path }
}

/** How a plan adds to earlier ones; null for one that does not. */
export function growthText({
  addsTo,
  growth,
  totals,
}: Pick<PlanDocument, 'addsTo' | 'growth' | 'totals'>): string | null {
  if (!addsTo || !growth) return null
  const labels = labelRanges(addsTo.flatMap(({ volumes }) => volumes.map(({ label }) => label)))
  const discs = formatCounted(growth.restoreVolumes, 'volume')
  const { files, folders, symlinks } = totals
  return (
    `Generation ${addsTo.length + 1}, added to ${labels}: ${changesText(growth)}. ` +
    (files + folders + symlinks === 0 ? 'The new volume holds the index alone. ' : '') +
    `Restoring everything then reads ${discs}.`
  )
}

const KINDS = ['new', 'changed', 'moved', 'copied', 'deleted', 'unchanged'] as const

function changesText(growth: Growth): string {
  const parts = KINDS.flatMap((kind) => {
    const { files, bytes } = growth[kind]
    return files === 0 ? [] : [`${formatCount(files)} ${kind} (${formatSize(bytes)})`]
  })
  return parts.join(', ')
}
