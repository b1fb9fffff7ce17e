import { rm } from 'node:fs/promises'
import type { PlanDocument, PlanEntry, PlanList } from '../../../contract/dto/plan'
import { ownFolderName } from '../../../domain/sets/naming/volumePaths'
import { formOfPlan } from '../../../domain/sets/packedForm'
import type { InventoryItem } from '../../../domain/sets/packing/inventory'
import { checkPlan } from '../../../domain/sets/packing/planTotals'
import { AppError } from '../../../primitives/appError'
import { bytes } from '../../../primitives/bytes'
import { said } from '../../../primitives/said'
import type { SurveyEntry } from '../../catalog/entry'
import { attempt, fsPath, joinPath } from '../../files/fileSystem'
import { replacePlace } from '../../files/place'
import { type PlaceNotes, withTempFolder } from '../../files/scratch'
import { writeNewFile } from '../../files/write'
import { newId } from '../../jobs/newId'
import { type SourceEntries, topNames } from '../../survey/sourceEntries'
import { flushTree } from '../../tools/flushTree'
import { burnGrowisofsScript, burnXorrisoScript } from '../export/burnScripts'
import { burnWindowsScript } from '../export/windowsBurnScript'
import { type PackedLists, writeHashed, writeVolumes } from '../export/writeVolumes'
import { layoutVolumes } from '../plan/layoutVolumes'
import { type PackedFacts, PlanLines } from '../plan/planLines'
import { masteringOf, partDigests, volumesOf } from '../plan/splitPartDigests'
import type { History } from '../volume/lists/historyLines'
import { currentPlan, MEMBERS, PACKED } from '../volume/planned/currentPlan'
import type { PlanFolder } from '../volume/planned/planFolder'
import { type PlannedVolume, plannedVolumes } from '../volume/planned/plannedVolume'
import type { Made } from './container'
import { placeOf, WORK } from './packSet'

export interface ArchivesRequest {
  readonly folder: PlanFolder
  readonly made: readonly Made[]
  /** Folders and links of the source. */
  readonly others: readonly PlanEntry[]
  readonly labelPrefix: string
  readonly history: History | undefined
  readonly encrypt: PackedLists['encrypt']
  readonly notes: PlaceNotes
  readonly signal: AbortSignal
}

/**
 * Decides on which volume each archive lies, and writes the lists of the volumes as they will be.
 * @throws AppError `cannot-fit` where an archive that must be on one volume does not fit one,
 *   `tool-missing`, `no-space`, `cancelled`
 */
export async function planArchives(request: ArchivesRequest): Promise<PlanFolder> {
  const { folder, made, signal, notes } = request
  const { plan } = folder
  const { medium } = plan
  const { source, facts, digests } = containerSource(
    folder,
    made.map((one, at) => [at + 1, one]),
  )
  const packed = {
    members: [...request.others, ...made.flatMap(({ members }) => members)],
    encrypt: request.encrypt,
  }
  const lines = new PlanLines(source, { files: digests, packed: facts })
  const payloadName = ownFolderName(topNames(source.items))
  const layout = await layoutVolumes({
    notes,
    source,
    medium,
    plan: { ...plan, history: request.history },
    payloadName,
    labelPrefix: request.labelPrefix,
    lines,
    packed,
    signal,
    onProgress: () => undefined,
  })
  checkPlan(
    source.items,
    layout.packing,
    layout.volumes.map(({ sectors }) => sectors),
    medium.capacitySectors,
  )
  requireWhole(plan, layout.packing.splitFiles, layout.volumes.length)
  const parts = await partDigests(source, layout, signal, () => undefined)
  const ofArchives = volumesOf(layout, medium, source.items)
  const volumes = plannedVolumes(
    ofArchives,
    payloadName,
    (index) => lines.of(layout.packing.volumes[index - 1]?.assignments, parts),
    'packed/volumes',
  )
  const document: PlanDocument = {
    ...plan,
    mastering: masteringOf(medium, plan.mastering.volumeDateWallMs),
    volumes: ofArchives,
  }
  await writePacked(request, document, volumes, packed.members, async (partial) => {
    const written = await writeVolumes(
      partial,
      { ...plan, history: request.history },
      volumes,
      signal,
      packed,
    )
    return [written.index, ...written.volumes.flatMap((volume) => volume.lists)]
  })
  return reopened(folder)
}

/** The packed plan that was just written. */
export async function reopened(folder: PlanFolder): Promise<PlanFolder> {
  const current = await currentPlan(folder)
  if (current.isPacked) return current
  throw new AppError('internal', 'the packed plan is gone')
}

/**
 * Writes the plan of packed files into its place: the lists, those of the members, the scripts, and
 * the document last.
 * @param writeLists writes lists below a folder and says which
 */
export async function writePacked(
  { folder, notes, signal }: Pick<ArchivesRequest, 'folder' | 'notes' | 'signal'>,
  document: PlanDocument,
  volumes: readonly PlannedVolume[],
  members: readonly PlanEntry[],
  writeLists: (partial: string) => Promise<PlanList[]>,
): Promise<void> {
  const { directory, plan } = folder
  const writing = withTempFolder(notes, joinPath(directory, newId('.stowage-packed')), async (partial) => {
    const lists = await writeLists(partial)
    const lines = members.map((entry) => `${JSON.stringify(entry)}\n`)
    lists.push({ path: MEMBERS, ...(await writeHashed(joinPath(partial, MEMBERS), lines)) })
    if (plan.medium.kind === 'image') await writeBurnScripts(partial, plan, volumes)
    const text = `${JSON.stringify({ ...document, lists }, null, 2)}\n`
    await writeNewFile(joinPath(partial, PACKED, 'plan.json'), [text], { flush: false })
    await flushTree(joinPath(partial, PACKED), signal)
    await replacePlace(notes, joinPath(partial, PACKED), joinPath(directory, PACKED))
  })
  await attempt('write to', directory, writing)
}

/** Writes the scripts that burn the images of a packed plan. */
async function writeBurnScripts(
  directory: string,
  { medium }: PlanDocument,
  volumes: readonly PlannedVolume[],
): Promise<void> {
  const place = joinPath(directory, PACKED)
  await writeHashed(joinPath(place, 'burn-xorriso.sh'), [burnXorrisoScript(volumes)], 0o755)
  await writeHashed(joinPath(place, 'burn-growisofs.sh'), [burnGrowisofsScript(medium, volumes)], 0o755)
  await writeHashed(joinPath(place, 'burn-windows.cmd'), [burnWindowsScript(volumes)])
}

/**
 * Removes what a plan was packed to, so that it is packed again.
 * @throws AppError `permission-denied`, `io`
 */
export async function forgetPacked(directory: string): Promise<void> {
  await removeFolder(joinPath(directory, PACKED))
  await removeWork(directory)
}

/**
 * Removes the packed files that volumes are made from.
 * @throws AppError `permission-denied`, `io`
 */
export async function removeWork(directory: string): Promise<void> {
  await removeFolder(joinPath(directory, WORK))
}

async function removeFolder(path: string): Promise<void> {
  await attempt('write to', path, rm(fsPath(path), { recursive: true, force: true }))
}

/** Archives that are to be restored alone must be whole, and a repository must be on one volume. */
function requireWhole(plan: PlanDocument, splitFiles: number, volumes: number): void {
  const { packing, medium } = plan
  const form = formOfPlan(plan)
  if (!form || packing?.arrangement === 'joined') return
  const isRepository = form.kind === 'repository'
  // One of many that is larger than a volume is cut like a large plain file.
  if ((splitFiles > 0 && form.kind === 'archive') || (isRepository && volumes > 1)) {
    const what = isRepository ? 'the repository' : 'an archive'
    throw new AppError(
      'cannot-fit',
      said`cannot build the plan: ${what} came out larger than forecast and does not fit ${medium.name}; choose a larger medium${isRepository ? '' : ' or --joined'}`,
    )
  }
}

/**
 * The packed containers, as a source of their own.
 * @param made the results of packing, each with its number below `work`
 */
export function containerSource(
  { directory, plan }: PlanFolder,
  made: readonly (readonly [number, Made])[],
): { source: SourceEntries; facts: PackedFacts; digests: Map<number, string> } {
  const items: InventoryItem[] = []
  const entries = new Map<number, SurveyEntry>()
  const facts = new Map<number, { method: string }>()
  const digests = new Map<number, string>()
  const recipe = plan.packing?.recipe ?? ''
  const first = new Map<string, number>()
  const mtimeNs = BigInt(plan.mastering.volumeDateWallMs) * 1_000_000n
  const add = (
    rootIndex: number,
    path: string,
    size: number,
    kind: 'file' | 'folder' | 'hardLink',
    linkOf: number | null,
    method = recipe,
  ): number => {
    const id = items.length + 1
    items.push({ index: id, path, kind, bytes: size, linkOf: linkOf ?? undefined })
    entries.set(id, {
      id,
      kind,
      rootIndex,
      path,
      bytes: bytes(size),
      allocatedBytes: bytes(size),
      mtimeNs,
      ctimeNs: mtimeNs,
      device: 0n,
      inode: 0n,
      mode: kind === 'folder' ? 0o755 : 0o644,
      digest: null,
      sha256: null,
      linkOf,
      linkTarget: null,
    })
    facts.set(id, { method })
    return id
  }
  for (const [at, [, { files, folders }]] of made.entries()) {
    for (const path of folders) add(at, path, 0, 'folder', null)
    for (const { path, bytes: size, sha256, identity, method } of files) {
      const same = first.get(identity)
      const id = add(at, path, size, same === undefined ? 'file' : 'hardLink', same ?? null, method)
      if (same === undefined) first.set(identity, id)
      digests.set(id, sha256)
    }
  }
  const roots = made.map(([number]) => joinPath(directory, WORK, placeOf(number)))
  return { source: { items, entries, roots }, facts, digests }
}
