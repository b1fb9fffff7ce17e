import { hostname } from 'node:os'
import { dirname } from 'node:path'
import type { ArchiveDocument, KeepArchiveRequest } from '../../contract/dto/archive'
import { type ArchiveIntent, archiveIntentSchema } from '../../domain/archives/archive'
import { lastComponent } from '../../domain/sets/naming/volumePaths'
import { AppError } from '../../primitives/appError'
import { said } from '../../primitives/said'
import { lstatAt } from '../files/fileSystem'
import type { NewId } from '../jobs/newId'
import { type ArchiveCatalog, archiveRecord, archiveRecords, firstPlanOf } from './archiveRecords'
import { intentOfPlan } from './intentOfPlan'

/**
 * Makes an archive of a plan's set, or adopts the set into one; of an archive that there is, the
 * answers are those of the plan from then on.
 * @throws AppError `not-found` for a plan or an archive that the catalog does not know
 */
export function keepArchive(
  catalog: ArchiveCatalog,
  { planId, archiveId, name }: KeepArchiveRequest,
  { nowWallMs, newId }: { readonly nowWallMs: number; readonly newId: NewId },
): ArchiveDocument {
  const plans = catalog.listedPlans()
  const listed = plans.find(({ plan }) => plan.id === planId)
  if (!listed) throw new AppError('not-found', said`no plan ${planId} in the catalog`)
  const { plan, item } = listed
  const first = firstPlanOf(listed)
  const { archives } = archiveRecords(catalog, plans)
  const wanted = archiveId ?? catalog.adoptedSets().get(first) ?? plan.project?.id ?? newId('pr')
  const earlier = archives.find(({ id }) => id === wanted)
  if (archiveId !== undefined && !earlier && plan.project?.id !== archiveId)
    throw new AppError('not-found', said`no archive ${archiveId} in the catalog`)
  const folder = item.directory === null ? null : dirname(item.directory)
  catalog.keepArchive(
    intentOfPlan(plan, {
      id: wanted,
      name: name ?? earlier?.name ?? plan.project?.name ?? lastComponent(plan.roots[0] ?? ''),
      createdWallMs: earlier?.createdWallMs ?? nowWallMs,
      folder: earlier?.folder ?? folder,
      ...(earlier && { goal: earlier.goal, sources: earlier.sources }),
    }),
  )
  if (plan.project?.id !== wanted || catalog.adoptedSets().has(first)) catalog.adoptSet(first, wanted)
  return archiveRecord(catalog, wanted, plans)
}

/** Gives an archive another name. @throws AppError `not-found` */
export function renameArchive(catalog: ArchiveCatalog, archiveId: string, name: string): ArchiveDocument {
  catalog.keepArchive({ ...intentOf(catalog, archiveId), name })
  return archiveRecord(catalog, archiveId)
}

/**
 * Takes an archive out of the lists: its sets are of no archive then. No file is touched, and what
 * the catalog knows of its discs stays.
 * @throws AppError `not-found`
 */
export function forgetArchive(catalog: ArchiveCatalog, archiveId: string): void {
  catalog.forgetArchive(intentOf(catalog, archiveId))
}

/**
 * Notes where a source of an archive is on this computer.
 * @throws AppError `not-found` for a source that the archive does not have, and for a path where
 *   nothing is
 */
export function placeSource(
  catalog: ArchiveCatalog,
  { archiveId, source, path }: { readonly archiveId: string; readonly source: string; readonly path: string },
): ArchiveDocument {
  const archive = archiveRecord(catalog, archiveId)
  const names = archive.sources.map(({ name }) => name)
  if (!names.includes(source))
    throw new AppError(
      'not-found',
      said`${archive.name} has no source "${source}": its sources are ${names.join(', ')}`,
    )
  if (lstatAt(path) === null)
    throw new AppError('not-found', said`cannot read ${path}: no such file or folder`, { path })
  // Places are of archives that are stored: otherwise nothing would say whose they are.
  if (archive.isDerived) catalog.keepArchive(intentOf(catalog, archiveId))
  catalog.noteArchivePlace(archiveId, source, hostname(), path)
  return archiveRecord(catalog, archiveId)
}

/**
 * The intent of an archive: the stored one, or that of its last plan.
 * @throws AppError `not-found`
 */
function intentOf(catalog: ArchiveCatalog, archiveId: string): ArchiveIntent {
  const record = archiveRecord(catalog, archiveId)
  const stored = catalog.archives().find(({ intent }) => intent.id === archiveId)
  return stored?.intent ?? archiveIntentSchema.parse(record)
}
