import type { PlanListItem } from '../../../contract/dto/plan'
import type { RunDocument } from '../../../contract/dto/run'
import type { VolumeCheck } from '../../../domain/sets/checkDocument'
import { BUILT_COPY, type CopyNote, type VolumeCopy } from '../../../domain/sets/copies/copy'
import { volumeCopies } from '../../../domain/sets/copies/volumeCopies'
import type { Catalog } from '../../catalog/catalog'
import { joinPath, lstatAt } from '../../files/fileSystem'
import { volumePlaces } from '../volume/plannedVolume'

export type CopyCatalog = Pick<Catalog, 'plans' | 'runs' | 'checks' | 'copyNotes'>

/**
 * The copies of all volumes that the catalog knows, by set, number and copy. The image or folder in
 * a plan's folder is a copy while it is there; of a plan that was packed anew only the volumes of
 * its newest set count. Runs of plans that were removed from the catalog say nothing.
 * @param nowWallMs decides which are overdue
 */
export function knownCopies(catalog: CopyCatalog, nowWallMs: number): VolumeCopy[] {
  const plans = new Map(catalog.plans().map((plan) => [plan.id, plan]))
  const runs = Map.groupBy(catalog.runs(), ({ planId }) => planId)
  const checks = Map.groupBy(catalog.checks(), setOf)
  const notes = Map.groupBy(catalog.copyNotes(), ({ ofSet }) => ofSet)
  return [...new Set([...plans.keys(), ...checks.keys(), ...notes.keys()])].flatMap((ofSet) => {
    const plan = plans.get(ofSet)
    const facts = { runs: plan ? (runs.get(ofSet) ?? []) : [], checks: checks.get(ofSet) ?? [] }
    return copiesOfSet(plan, { ...facts, notes: notes.get(ofSet) ?? [] }, nowWallMs)
  })
}

/** Names a set as notes on its copies do: by its plan, else by its own ID. */
export function setOf({ planId, setId }: Pick<VolumeCheck, 'planId' | 'setId'>): string {
  return planId ?? setId ?? ''
}

/** The ID of the newest set of a plan; null where its runs and checks do not know it. */
export function newestSet(
  runs: readonly Pick<RunDocument, 'setId'>[],
  checks: readonly Pick<VolumeCheck, 'setId'>[],
): string | null {
  return [...runs, ...checks].find(({ setId }) => setId != null)?.setId ?? null
}

function copiesOfSet(
  plan: PlanListItem | undefined,
  { runs, checks, notes }: { runs: RunDocument[]; checks: VolumeCheck[]; notes: CopyNote[] },
  nowWallMs: number,
): VolumeCopy[] {
  const setId = newestSet(runs, checks)
  const planId = plan?.id ?? checks[0]?.planId ?? null
  const pathOf = (volume: { index: number; label: string }, folder: string | null): string | null =>
    folder === null ? builtAt(plan, volume.index) : writtenAt(folder, volume.label)
  return volumeCopies({ planId, setId, runs, checks, notes, pathOf }, nowWallMs).filter(
    ({ copy, path }) => copy !== BUILT_COPY || path !== null,
  )
}

function builtAt(plan: PlanListItem | undefined, index: number): string | null {
  if (!plan || plan.directory === null) return null
  const { image, folder } = volumePlaces(index, plan.volumes)
  const paths = [image, folder].map((place) => joinPath(plan.directory ?? '', place))
  return paths.find((path) => lstatAt(path) !== null) ?? null
}

/** As `placeIn` puts it there; the disk need not be mounted. */
function writtenAt(folder: string, label: string): string {
  const image = joinPath(folder, `${label}.iso`)
  return lstatAt(image) === null ? joinPath(folder, label) : image
}
