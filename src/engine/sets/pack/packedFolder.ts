import { basename } from 'node:path'
import type { PlanEntry } from '../../../contract/dto/plan'
import { prefixOfLabels } from '../../../domain/sets/naming/volumeLabels'
import { lastComponent } from '../../../domain/sets/naming/volumePaths'
import { AppError } from '../../../primitives/appError'
import { pathForDisplay } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import type { Catalog } from '../../catalog/catalog'
import { cannot, joinPath, lstatAt } from '../../files/fileSystem'
import { type PlaceNotes, withToolDirectory } from '../../files/scratch'
import { folderOf } from '../../files/write'
import type { JobContext } from '../../jobs/jobContext'
import { builtAt } from '../../options/builders/builtPlace'
import { packNames } from '../../options/builders/sevenZip/archive'
import { requireTool } from '../../tools/externalTool'
import { requireOpens, sevenZip } from '../../tools/sevenZip'
import { toolMeter } from '../../tools/toolMeter'
import type { PackedLists } from '../export/writeVolumes'
import { archiveRoom } from '../plan/packedLayout'
import { escapeTsv } from '../volume/lists/indexTsv'
import { plannedHistory } from '../volume/lists/plannedHistory'
import { currentPlan, PACKED } from '../volume/planned/currentPlan'
import { ENCRYPTED_INDEX_NAME } from '../volume/planned/ownNames'
import type { PlanFolder } from '../volume/planned/planFolder'
import { checkedLists, readEntries } from '../volume/planned/plannedLists'
import { volumePlaces } from '../volume/planned/plannedVolume'
import { packSet, unique } from './packSet'
import { planArchives, removeWork } from './planArchives'
import { beginStream, hasVolumeLists, streamedVolumes } from './streamedPlan'

export interface PackingRun {
  readonly catalog: Pick<Catalog, 'planPacked' | 'ownPlaces'> & PlaceNotes
  readonly password: Uint8Array | null
  /** Pack one volume after another, as each is built. */
  readonly stream: boolean
  readonly context: JobContext
}

/**
 * The plan of a packed plan's archives (or other containers), packing them first if that was not
 * done; of a streamed plan only the index is written. A plan of plain files is returned as it is.
 * @throws AppError `wrong-password` when one is needed, or is not that of what was packed already,
 *   `cannot-fit`, `changed`, `no-space`, `tool-missing`, `cancelled`, …
 */
export async function packedFolder(folder: PlanFolder, run: PackingRun): Promise<PlanFolder> {
  const { plan } = folder
  if (!plan.packing) return folder
  const isEncrypted = plan.packing.encryption !== 'none'
  const there = await currentPlan(folder)
  if (there.isPacked) {
    if (isEncrypted && run.password)
      await requireSamePassword(folder.directory, run.password, run.context.signal)
    requireSameWay(there, run.stream)
    return there
  }
  if (isEncrypted && !run.password) throw noPassword(folder.directory)
  const { signal } = run.context
  if (isEncrypted && run.password) await requirePasswordOfEarlier(folder, run.password, run)
  // Nothing is kept that a password could be tried on, so archives of an interrupted run may have another one.
  if (isEncrypted || run.stream) await removeWork(folder.directory)
  const planned = await entriesByVolume(folder, signal)
  const others = unique(planned.flat()).filter(({ kind }) => kind !== 'file')
  const encrypt = isEncrypted && run.password ? await indexEncryption(run.password, signal) : null
  const { catalog } = run
  const history = await plannedHistory(folder)
  if (run.stream) {
    const volumes = streamedVolumes(folder, planned)
    const streamed = await beginStream({ folder, volumes, others, history, encrypt, notes: catalog, signal })
    const places = volumes.flatMap(({ members }, at) =>
      members.map(({ path }): [string, number] => [path, at + 1]),
    )
    catalog.planPacked(plan.id, streamed.plan.volumes, new Map(places))
    return streamed
  }
  const made = await packSet({
    folder,
    planned,
    room: archiveRoom(planned.flat(), plan, history),
    catalog,
    password: isEncrypted ? run.password : null,
    context: run.context,
  })
  const current = await planArchives({
    folder,
    made,
    others,
    labelPrefix: prefixOfLabels(plan.volumes, plan.placement, lastComponent(plan.roots[0] ?? '')),
    history,
    encrypt,
    notes: catalog,
    signal,
  })
  const places = new Map(
    memberVolumes(
      await entriesByVolume(current, signal),
      made.flatMap(({ members }) => members),
    ),
  )
  const held = history && new Map([...places].map(([path, volume]) => [escapeTsv(path), volume]))
  catalog.planPacked(plan.id, current.plan.volumes, places, held)
  return current
}

export function noPassword(directory: string): AppError {
  return cannot('wrong-password', 'build', directory, said`it is to be encrypted, and no password is given`)
}

/** Files cannot move any more between volumes once some are built by streaming. */
function requireSameWay(folder: PlanFolder, stream: boolean): void {
  const { plan, directory } = folder
  if (stream || plan.volumes.every(({ index }) => hasVolumeLists(folder, index))) return
  const message = said`cannot build ${pathForDisplay(directory)} as a whole: it was begun by streaming; go on by streaming (--stream), or build all volumes again (--force)`
  throw new AppError('refused', message, { path: directory })
}

/** For each file of the source the first volume of its container. */
function* memberVolumes(
  volumes: readonly (readonly PlanEntry[])[],
  members: readonly PlanEntry[],
): Generator<[path: string, volume: number]> {
  const first = new Map<string, number>()
  for (const [at, entries] of volumes.entries()) {
    for (const entry of entries) {
      const path = entry.kind === 'part' ? entry.wholePath : entry.path
      if (!first.has(path)) first.set(path, at + 1)
    }
  }
  for (const member of members) {
    const volume = member.kind === 'file' ? first.get(member.in ?? '') : undefined
    if (volume !== undefined) yield [member.path, volume]
  }
}

/**
 * Whoever gives another password later would believe that it opens what was packed with the first
 * one.
 */
async function requireSamePassword(
  directory: string,
  password: Uint8Array,
  signal: AbortSignal,
): Promise<void> {
  const tool = await requireTool(sevenZip, signal)
  await withToolDirectory(joinPath(directory, PACKED), (cwd) =>
    requireOpens(
      {
        tool,
        archive: joinPath(cwd, ENCRYPTED_INDEX_NAME),
        shown: pathForDisplay(joinPath(directory, PACKED, ENCRYPTED_INDEX_NAME)),
        signal,
      },
      password,
    ),
  )
}

/** An archive that grows opens with one password: that of earlier plans whose folder is there. */
async function requirePasswordOfEarlier(
  { plan, directory }: PlanFolder,
  password: Uint8Array,
  { catalog, context }: Pick<PackingRun, 'catalog' | 'context'>,
): Promise<void> {
  const earlier = new Set(plan.addsTo?.map(({ planId }) => planId))
  const { plans } = catalog.ownPlaces()
  const there = plans.find(
    (one) => earlier.has(one.id) && lstatAt(joinPath(one.directory, PACKED, ENCRYPTED_INDEX_NAME)),
  )
  if (!there) return
  try {
    await requireSamePassword(there.directory, password, context.signal)
  } catch (thrown) {
    if (AppError.from(thrown).code !== 'wrong-password') throw thrown
    const because = said`the password is not that of the volumes that it adds to`
    throw cannot('wrong-password', 'build', directory, because)
  }
}

/**
 * Stored, not compressed: volumes are sized before the digests in the index are known, so its
 * archive's size must not depend on them.
 */
const INDEX_SWITCHES: readonly string[] = ['-mx=0', '-mhc=off']

/**
 * Makes the archive of an encrypted set's index, with the set's password and its names hidden too.
 */
async function indexEncryption(
  password: Uint8Array,
  signal: AbortSignal,
): Promise<NonNullable<PackedLists['encrypt']>> {
  const tool = await requireTool(sevenZip, signal)
  return (file, archive) => {
    const folder = folderOf(file)
    const work = { tool, folder, scratch: folder, meter: toolMeter(), password, signal }
    return builtAt(archive, '.7z', (path) =>
      withToolDirectory(folder, (cwd) =>
        packNames({ ...work, folder: cwd, scratch: cwd }, path, INDEX_SWITCHES, [basename(file)]),
      ),
    ).finally(() => work.meter.end())
  }
}

/**
 * The plan that holds now, for verifying.
 * @throws AppError `not-found` when it is not packed yet
 */
export async function requirePacked(folder: PlanFolder): Promise<PlanFolder> {
  const current = await currentPlan(folder)
  if (current.isPacked) return current
  throw cannot('not-found', 'verify', folder.directory, said`it is not built yet`)
}

/**
 * The entries of each volume.
 * @throws AppError `verification-failed` for lists that are not as exported, `bad-input`
 */
export async function entriesByVolume(
  { directory, plan, lists }: PlanFolder,
  signal: AbortSignal,
): Promise<PlanEntry[][]> {
  const all: PlanEntry[][] = []
  for (const { index } of plan.volumes) {
    const places = volumePlaces(index, plan.volumes.length, lists)
    if (plan.lists) await checkedLists(directory, plan.lists, places, signal)
    all.push(await readEntries(joinPath(directory, places.entries)))
  }
  return all
}
