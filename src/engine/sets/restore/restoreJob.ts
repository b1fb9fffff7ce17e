/**
 * The room `restore` gets files back out of volumes, each checked by SHA-256.
 * How: a plan as data says which content comes from which volume (`restorePlan`); each content is
 * written next to its place, compared, and renamed; what is there already is kept.
 * Not here: reading volumes (`volume/open`), archives (`unpack`), which discs to fetch (`queue`).
 */

import type { RestoreDocument, RestoreRequest } from '../../../contract/dto/restore'
import { AppError } from '../../../primitives/appError'
import { pathForDisplay } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import type { Catalog } from '../../catalog/catalog'
import { FactsBack } from '../../files/factsBack'
import { joinPath } from '../../files/fileSystem'
import { type PlaceNotes, withTempFolder } from '../../files/scratch'
import type { Job, JobContext, JobResult } from '../../jobs/jobContext'
import type { KeptResults } from '../../jobs/keptResults'
import { newId } from '../../jobs/newId'
import type { ProofCatalog } from '../copies/provedBy'
import type { GivenVolume } from '../volume/open/givenVolumes'
import type { OpenSet } from '../volume/open/openSet'
import { REBUILD_NAME } from '../volume/planned/ownNames'
import { joinFile } from './joinFile'
import { insideNote, makeTarget, surveyedAround } from './makeTarget'
import { openWholeSet } from './openWholeSet'
import { unprivileged } from './privileges'
import { restoreContainer } from './restoreContainer'
import { listRestoredNames, namesForTarget } from './restoredNames'
import {
  type FurtherName,
  numbersAtHand,
  placesOf,
  type RestorePlan,
  restorePlan,
  skippedOf,
} from './restorePlan'
import { RestoreRecord } from './restoreRecord'
import { type RestoredFile, RestoreTarget } from './restoreTarget'
import { type Restoring, withoutContent } from './restoring'
import { notIn } from './setContainers'
import { targetTraits } from './targetTraits'
import { type Wanted, wantedOf } from './wantedFiles'
import { withOtherCopies } from './withOtherCopies'
import { withRepaired } from './withRepaired'

interface RestoreDeps {
  readonly results: KeptResults<RestoreDocument>
  readonly notes: PlaceNotes
  readonly catalog: Pick<Catalog, 'surveyedRoots'> & ProofCatalog
}

/**
 * Restores files of a set from its volumes alone: names byte for byte, contents proved by SHA-256,
 * times, permissions, links and holes. What is in the target already with the right content is
 * kept, so a restore that was interrupted, or that waits for another disc, goes on where it was.
 * The source, the plan's folder and the catalog are not needed. The result is kept whatever
 * happens, with the first failure: `verification-failed`, `exists`, `no-space`, `cancelled`, …
 * @param deps `results` keeps the document for whoever asks by its id
 */
export function restoreJob(deps: RestoreDeps, request: RestoreRequest): Job {
  return {
    kind: 'restore',
    title: `Restore to ${pathForDisplay(request.to)}`,
    run: (context) => restore(deps, request, context),
  }
}

/**
 * Opens the set, chooses what is wanted of it, plans what comes from where, and goes through the
 * plan.
 * @returns the id of the document, with the failure if there is one
 * @throws AppError for volumes that cannot be opened, patterns that fit nothing, a target that
 *   cannot be made
 */
async function restore(deps: RestoreDeps, request: RestoreRequest, context: JobContext): Promise<JobResult> {
  const { to } = request
  const { signal } = context
  const record = new RestoreRecord(request, context)
  record.progress(null)
  const set = await openWholeSet(request, { ...deps, signal })
  for (const { path, error } of set.damaged) {
    const { code, message } = error
    record.document.damagedLists.push({ path, error: { code, message, path } })
  }
  const { volumes, index } = set
  if (await haveParity(volumes)) record.document.hasParity = true
  const { rows, left } = request.trust ? { rows: index.rows, left: [] } : unprivileged(index.rows)
  noteGeneration(record.document, set)
  const wanted = wantedOf({ ...index, rows }, request)
  const numbers = await numbersAtHand(volumes)
  record.begin(wanted, new Set(numbers.values()), skippedOf(volumes, numbers), left)
  await makeTarget(to)
  const around = surveyedAround(deps.catalog, to)
  if (around !== null) record.note(insideNote(to, around))
  let facts = new FactsBack()
  let failure: AppError | null = null
  try {
    await withTempFolder(deps.notes, joinPath(to, newId('.stowage-restore')), async (scratch) => {
      const traits = targetTraits(scratch)
      const { names, listed } = namesForTarget(traits, rows, wanted)
      record.document.renamed = listed.filter(({ restored }) => restored !== '').length
      await listRestoredNames(deps.notes, to, listed)
      facts = new FactsBack(undefined, traits)
      const outcomes = {
        restored: ({ bytes }: RestoredFile) => record.count('restored', bytes),
        failed: ({ path, label }: RestoredFile, cause: unknown) => record.failed(path, label, cause),
      }
      const { force } = request
      const target = new RestoreTarget(to, scratch, { force, outcomes, signal, facts, names, traits })
      const places = await placesOf(volumes, rows, wanted)
      const damagedFolders = volumes.flatMap((volume) => volume.damagedFolders() ?? [])
      if (damagedFolders.length > 0) record.document.damagedFolders = damagedFolders
      const restoring: Restoring = {
        request,
        notes: deps.notes,
        signal,
        record,
        volumes,
        rows,
        places,
        target,
        traits,
        changesNames: names.renamed.length > 0,
        incomplete: new Map(),
      }
      try {
        await restoreInto(restoring, wanted, restorePlan(rows, wanted, places))
      } finally {
        await target.close()
      }
    })
  } catch (thrown) {
    failure = AppError.from(thrown)
  }
  const { document } = record
  const error = record.end(failure, facts)
  deps.results.keep(document.id, document)
  return error ? { kept: document.id, error } : document.id
}

/** Names the generation whose files are wanted, and what is known of newer ones. */
function noteGeneration(
  document: RestoreRecord['document'],
  { index, generations = [], mayBeNewer }: OpenSet,
): void {
  const newest = generations.at(-1)?.generation ?? 1
  const generation = index.generation ?? (mayBeNewer.length > 0 ? newest : undefined)
  if (generation !== undefined) document.generation = generation
  if (generation !== undefined && generation !== newest) document.newestGeneration = newest
  if (mayBeNewer.length > 0) document.mayBeNewer = [...mayBeNewer]
}

/** True for volumes of a set with parity discs: each has the script for them. */
async function haveParity(volumes: readonly GivenVolume[]): Promise<boolean> {
  for (const { own, placeOf } of volumes)
    if ((await placeOf(joinPath(own, REBUILD_NAME))) !== null) return true
  return false
}

async function restoreInto(restoring: Restoring, wanted: Wanted, plan: RestorePlan): Promise<void> {
  const { record, target } = restoring
  await makeFolders(restoring, wanted)
  for (const { files } of plan.packed) record.meter.expectPacked(files)
  await restoreFiles(restoring, plan)
  const tried = await withOtherCopies(restoring, wanted, restoreFiles)
  await withRepaired(tried, wanted, restoreFiles)
  await makeLinks(restoring, wanted)
  await target.finish(wanted.folders)
}

async function restoreFiles(restoring: Restoring, plan: RestorePlan): Promise<void> {
  const { request, notes, record, rows, target } = restoring
  for (const file of plan.unlisted) {
    const { path, whole } = file
    record.failed(path, whole.label, notIn(path, whole.packed?.in ?? '', 'the index does not have it'))
    record.leaveOut(file)
  }
  for (const { file, rows: lacking } of plan.absent) await withoutContent(restoring, file, lacking)
  for (const { path, bytes, whole, from } of plan.plain)
    await record.counting({ path, label: whole.label, bytes }, (onBytes) =>
      target.file({ ...whole, from }, onBytes),
    )
  if (plan.split.length > 0) {
    const listed = new Set(rows.map((row) => target.pathIn(row.path)))
    for (const file of plan.split) await joinFile(restoring, file, listed)
  }
  if (plan.packed.length > 0)
    await withTempFolder(notes, joinPath(request.to, newId('.stowage-unpack')), async (scratch) => {
      for (const packed of plan.packed) await restoreContainer(restoring, packed, scratch)
    })
  await target.commit()
  for (const name of plan.names) await restoreName(restoring, name)
}

async function makeFolders({ record, target }: Restoring, { folders }: Wanted): Promise<void> {
  for (const folder of folders) {
    try {
      await target.folder(folder)
      record.document.folders += 1
    } catch (thrown) {
      record.failed(folder.path, folder.label, thrown)
    }
  }
}

/** Makes a further name of a file, as a hard link where that is possible. */
async function restoreName(restoring: Restoring, file: FurtherName): Promise<void> {
  const { record, target, traits, incomplete } = restoring
  const { path, bytes, whole } = file
  const first = whole.linkOf ?? path
  const lacking = incomplete.get(whole.packed?.in ?? whole.linkOf ?? '')
  if (lacking) return withoutContent(restoring, file, lacking)
  await record.counting({ path, label: whole.label, bytes }, async (onBytes) => {
    if (file.from === null && !(await target.hasContent(first, whole)))
      throw notIn(path, whole.packed?.in ?? whole.label, 'its first name is not restored')
    const linked = await target.link(path, first, whole)
    if (linked === null && !traits.hardLinks) record.linksCopied += 1
    const from = file.from ?? { file: target.placeOf(first), offset: 0, bytes }
    return linked ?? target.file({ ...whole, from }, onBytes)
  })
  await target.commit()
}

async function makeLinks({ record, target, traits }: Restoring, { symlinks }: Wanted): Promise<void> {
  for (const link of symlinks) {
    const { path, label, target: points } = link
    if (points === null) {
      record.note(said`symbolic links are not restored: the index of this older plan has no link targets`)
      continue
    }
    if (!traits.symlinks) {
      record.document.linksLeft += 1
      continue
    }
    try {
      await target.symlink(points, link)
      record.document.symlinks += 1
    } catch (thrown) {
      record.failed(path, label, thrown)
    }
  }
}
