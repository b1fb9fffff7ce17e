import { existsSync } from 'node:fs'
import type { ArchiveAddition, ArchiveDocument, ArchiveSet } from '../../contract/dto/archive'
import type { PlanDocument } from '../../contract/dto/plan'
import { planGrowthRefusal } from '../../domain/sets/growing/growthRefusal'
import type { Placement } from '../../domain/sets/placement'
import { AppError } from '../../primitives/appError'
import { said } from '../../primitives/said'
import { fsPath, joinPath } from '../files/fileSystem'
import { type ArchiveCatalog, archiveRecord, type ListedPlan } from './archiveRecords'

/**
 * The plan that the next one of an archive adds to: the newest made one of the set that was added
 * to last. Where its packing does not grow, everything is planned anew.
 * @throws AppError `not-found`; `refused` for an archive of which no volume was built or written
 */
export function nextAddition(catalog: ArchiveCatalog, archiveId: string): ArchiveAddition {
  const listed = catalog.listedPlans()
  const archive = archiveRecord(catalog, archiveId, listed)
  const [set, ...others] = archive.sets
  const tip = listed.find(({ plan }) => plan.id === set?.newestMade)?.plan
  if (!set || !tip)
    throw new AppError(
      'refused',
      said`cannot add to ${archive.name}: none of its volumes was built or written yet`,
    )
  const { id, name, folder } = archive
  return {
    archive: { id, name },
    planId: tip.id,
    encryption: tip.packing?.encryption ?? 'none',
    anew: planGrowthRefusal(tip),
    labels: tip.volumes.map(({ label }) => label),
    unbuilt: unbuiltAfter(listed, set, tip.id),
    behind: others.flatMap((other) => behindOf(listed, set, other)),
    placement: lastingPlacement(tip),
    ...datsOf(catalog, tip),
    directory: folder === null ? null : freeFolder(archive, folder),
  }
}

/** The constraints of a plan without those on single volumes and files. */
function lastingPlacement({ placement }: PlanDocument): Placement | null {
  const { order, labelBy, reserveBytes } = placement ?? {}
  const isAny = order !== undefined || labelBy !== undefined || reserveBytes !== undefined
  return isAny ? { order, labelBy, reserveBytes } : null
}

function datsOf(
  catalog: Pick<ArchiveCatalog, 'readableSurvey'>,
  { packing, romSets, surveyId }: PlanDocument,
): Pick<ArchiveAddition, 'dats' | 'layout'> {
  if (!packing?.dats && !romSets) return {}
  const { dats, layout } = catalog.readableSurvey(surveyId)?.dat ?? { dats: [] }
  if (dats.length === 0) return {}
  return { dats: [...new Set(dats.map(({ path }) => path))], ...(layout && { layout }) }
}

/** The newest plan that adds to a made one and was not built itself. */
function unbuiltAfter(
  listed: readonly ListedPlan[],
  { plans }: ArchiveSet,
  made: string,
): ArchiveAddition['unbuilt'] {
  const adding = new Set(
    listed.flatMap(({ plan }) => (plan.addsTo?.at(-1)?.planId === made ? [plan.id] : [])),
  )
  const later = plans.findLast(({ id }) => adding.has(id))
  if (!later || later.built + later.onMedia > 0 || !later.directoryExists) return null
  return { planId: later.id, directory: later.directory }
}

/** The plans of a set that are newer than the newest made one of another. */
function behindOf(
  listed: readonly ListedPlan[],
  { plans }: ArchiveSet,
  other: ArchiveSet,
): ArchiveAddition['behind'] {
  const newestFirst = listed.map(({ item }) => item.id)
  const placeOf = (id: string): number => newestFirst.indexOf(id)
  if (other.newestMade === null) return []
  const last = placeOf(other.newestMade)
  // The first plan of a set holds everything: only what was added after it is missing elsewhere.
  const missed = plans.slice(1).filter((item) => placeOf(item.id) < last && item.built + item.onMedia > 0)
  if (missed.length === 0) return []
  return [
    {
      setId: other.id,
      mediumName: other.mediumName,
      plans: missed.length,
      bytes: missed.reduce((sum, { bytes }) => sum + bytes, 0),
    },
  ]
}

/** Characters that a file system, or a person who types, may not like in the name of a folder. */
const UNUSUAL = /[\p{C}\\/:*?"<>|]+/gu

/** `Family-3` in the archive's folder, or the next number that is free. */
function freeFolder({ name, sets }: ArchiveDocument, folder: string): string {
  const plain = name.replaceAll(UNUSUAL, '-').replaceAll(/^[. -]+|[. ]+$/g, '')
  const base = plain.slice(0, 80) || 'archive'
  let number = 1 + sets.flatMap(({ plans }) => plans.filter(({ directory }) => directory !== null)).length
  while (existsSync(fsPath(joinPath(folder, `${base}-${number}`)))) number += 1
  return joinPath(folder, `${base}-${number}`)
}
