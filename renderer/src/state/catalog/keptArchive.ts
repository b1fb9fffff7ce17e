import type { ArchiveDocument, ArchiveSet } from '../../../../src/contract/dto/archive'
import {
  type CopyHealth,
  copyHealth,
  keepingCopies,
  type SetVolume,
  type VolumeCopy,
  volumeKey,
} from '../../../../src/contract/dto/copies'
import type { PlanListItem, PlanVolume } from '../../../../src/contract/dto/plan'
import { setLabel } from '../../format/setLabel'
import { ofSets } from './copiesState'

/** An archive with its copies, or a set of none. */
export interface KeptArchive {
  readonly name: string
  /** The IDs of its plans; that of the set where no plan is known. */
  readonly ids: ReadonlySet<string>
  /** The one that was added to last first. */
  readonly sets: readonly KeptSet[]
}

/** One complete run of volumes with its copies. */
export interface KeptSet {
  readonly id: string
  readonly label: string
  /** Those that were exported or made, oldest first; none where only volumes are known. */
  readonly plans: readonly PlanListItem[]
  readonly copies: readonly VolumeCopy[]
  readonly health: CopyHealth
}

interface Known {
  readonly archives: readonly ArchiveDocument[]
  readonly sets: readonly ArchiveSet[]
}

/** The archive or set of this ID; null where the catalog has neither it nor copies of it. */
export function keptArchive(key: string, known: Known, copies: readonly VolumeCopy[]): KeptArchive | null {
  const archive = known.archives.find(({ id }) => id === key)
  const single = known.sets.find(({ id }) => id === key)
  const listed = archive?.sets ?? (single ? [single] : [])
  const sets = listed.flatMap(({ id, plans }) => keptSet(id, plans, copies) ?? [])
  const of = archive || single ? sets : [keptSet(key, [], copies) ?? []].flat()
  const [first] = of
  if (first === undefined) return null
  return {
    name: archive?.name ?? first.label,
    ids: new Set(of.flatMap(({ id, plans }) => (plans.length === 0 ? [id] : plans.map((plan) => plan.id)))),
    sets: of,
  }
}

/** The set that a plan is of; null where the catalog has neither it nor copies of it. */
export function keptSetOf(planId: string, known: Known, copies: readonly VolumeCopy[]): KeptSet | null {
  const sets = [...known.archives.flatMap((archive) => archive.sets), ...known.sets]
  const set = sets.find(({ plans }) => plans.some(({ id }) => id === planId))
  return keptSet(set?.id ?? planId, set?.plans ?? [], copies)
}

/** Null where nothing was exported or made of it. */
function keptSet(id: string, all: readonly PlanListItem[], known: readonly VolumeCopy[]): KeptSet | null {
  const ids = new Set(all.length === 0 ? [id] : all.map((plan) => plan.id))
  const copies = keepingCopies(ofSets(known, ids))
  const plans = all.filter(
    ({ id: planId, directory, built, onMedia }) =>
      directory !== null || built + onMedia > 0 || copies.some((copy) => copy.planId === planId),
  )
  if (plans.length === 0 && copies.length === 0) return null
  const planned = plans.length === 0 ? null : plans.reduce((sum, { volumes }) => sum + volumes, 0)
  const labels = copies.map(({ label }) => label).sort()
  return {
    id,
    label: setLabel({
      firstLabel: plans[0]?.firstLabel ?? labels[0] ?? '',
      lastLabel: plans.at(-1)?.lastLabel ?? labels.at(-1) ?? '',
    }),
    plans,
    copies,
    health: copyHealth(copies, planned),
  }
}

/** The copies that are the only ones of their volumes, in whatever state. */
export function onlyCopies({ copies }: KeptSet): VolumeCopy[] {
  const counts = new Map<string, number>()
  for (const copy of copies) counts.set(volumeKey(copy), 1 + (counts.get(volumeKey(copy)) ?? 0))
  return copies.filter((copy) => counts.get(volumeKey(copy)) === 1)
}

/** The volumes of a set with their files: by its plans, and by copies where a plan is not known. */
export function volumesOf(
  { copies, plans }: KeptSet,
  known: ReadonlyMap<string, readonly PlanVolume[]>,
): SetVolume[] {
  const planned = plans.flatMap(({ id: planId }) =>
    (known.get(planId) ?? []).map(({ index, files, bytes }) => ({
      planId,
      setId: null,
      volume: index,
      files,
      bytes,
    })),
  )
  const others = copies.filter(({ planId }) => planId === null || !known.has(planId))
  const byCopies = new Map(
    others.map((copy) => {
      const { planId, setId, volume } = copy
      return [volumeKey(copy), { planId, setId, volume, files: null, bytes: null }]
    }),
  )
  return [...planned, ...byCopies.values()]
}
