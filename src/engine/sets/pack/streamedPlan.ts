import { mkdir, rm } from 'node:fs/promises'
import type { PlanDocument, PlanEntry, PlanList, PlanVolume } from '../../../contract/dto/plan'
import { parseRecipe } from '../../../domain/options/recipes/recipe'
import { ownFolderName } from '../../../domain/sets/naming/volumePaths'
import { formOfPlan } from '../../../domain/sets/packedForm'
import { costsOf } from '../../../domain/sets/packing/costModel'
import type { InventoryItem } from '../../../domain/sets/packing/inventory'
import { packVolumes } from '../../../domain/sets/packing/packVolumes'
import { branchingFolder } from '../../../domain/sets/packing/volumeShares'
import { fixesVolumes, usableSectors } from '../../../domain/sets/placement'
import { isWorthFilling } from '../../../domain/sets/protection/worthFilling'
import { AppError } from '../../../primitives/appError'
import { pathForDisplay } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import { attempt, fileFailure, fsPath, joinPath } from '../../files/fileSystem'
import { replaceFile, replacePlace } from '../../files/place'
import { type PlaceNotes, withTempFolder } from '../../files/scratch'
import { newId } from '../../jobs/newId'
import { compressedPath } from '../../options/builders/compressedFiles'
import { topNames } from '../../survey/sourceEntries'
import { flushTree } from '../../tools/flushTree'
import {
  type PackedLists,
  type SharedFiles,
  sharedFiles,
  writeShared,
  writeVolume,
} from '../export/writeVolumes'
import { imageSectors } from '../mastering/writeImage'
import { folderSectors } from '../plan/layoutVolumes'
import { PlanLines } from '../plan/planLines'
import { protectVolumes } from '../plan/protectVolumes'
import { masteringOf, plannedVolumeOf } from '../plan/splitPartDigests'
import type { History } from '../volume/lists/historyLines'
import { PENDING_SHA256 } from '../volume/lists/indexTsv'
import { PACKED } from '../volume/planned/currentPlan'
import type { PlanFolder } from '../volume/planned/planFolder'
import {
  type PlannedVolume,
  plannedVolumes,
  volumeNumber,
  volumePlaces,
} from '../volume/planned/plannedVolume'
import type { FileEntry, Made } from './container'
import { removeMade } from './packManifest'
import { WORK } from './packSet'
import { containerSource, reopened, writePacked } from './planArchives'

/** The archive and the files planned for a volume that is packed by itself. */
export interface StreamedVolume {
  /** The name of its archive, without the ending; empty where each file makes one. */
  readonly stem: string
  /** The files of the source that go on it, with the archives that are to hold them. */
  readonly members: readonly FileEntry[]
}

/**
 * The archives that are to be made for each volume of a plan, by the names that they will have.
 * @param planned the entries planned for each volume
 * @throws AppError `refused` for plans whose archives have no names before all of them are made
 */
export function streamedVolumes(
  { directory, plan }: PlanFolder,
  planned: readonly (readonly PlanEntry[])[],
): StreamedVolume[] {
  const recipe = parseRecipe(plan.packing?.recipe ?? '')
  const form = formOfPlan(plan)
  const refused = (because: string): AppError =>
    new AppError('refused', said`cannot build ${pathForDisplay(directory)} by streaming: ${because}`, {
      path: directory,
    })
  if (!recipe || !form) throw refused('its recipe is not known')
  if (plan.packing?.arrangement === 'joined') throw refused('one archive is cut over all its volumes')
  if (form.kind === 'repository') throw refused('a repository is one volume')
  if (form.kind !== 'archive' && recipe.family !== 'compressed-files')
    throw refused(`${plan.packing?.recipe} makes archives of files on several volumes`)
  const pathOf = recipe.family === 'compressed-files' ? compressedPath(recipe) : (path: string) => path
  return planned.map((entries, at) => {
    const stem = form.kind === 'archive' ? `${form.stem}-${volumeNumber(at + 1, planned.length)}` : ''
    const files = entries.filter((entry): entry is FileEntry => entry.kind === 'file')
    const holderOf = (path: string): string => (form.kind === 'archive' ? stem + form.ending : pathOf(path))
    const inHolder = (entry: FileEntry): FileEntry => ({ ...entry, in: holderOf(entry.linkOf ?? entry.path) })
    return { stem, members: files.map(inHolder) }
  })
}

interface StreamRequest {
  readonly folder: PlanFolder
  readonly volumes: readonly StreamedVolume[]
  /** Folders and links of the source. */
  readonly others: readonly PlanEntry[]
  readonly history: History | undefined
  readonly encrypt: PackedLists['encrypt']
  readonly notes: PlaceNotes
  readonly signal: AbortSignal
}

/**
 * Begins a set that is packed volume by volume: writes its index, which names the planned places of
 * all files, before anything is packed. No volume has lists yet.
 * @throws AppError `no-space`, `tool-missing`, `cancelled`, …
 */
export async function beginStream(request: StreamRequest): Promise<PlanFolder> {
  const { folder, encrypt, history } = request
  const { plan } = folder
  const { packing } = plan
  if (!packing) throw new AppError('internal', 'files that are not packed cannot be streamed')
  const members = [...request.others, ...request.volumes.flatMap((volume) => volume.members)]
  const streamed = {
    ...plan,
    packing: { ...packing, streamed: true as const },
    mastering: masteringOf(plan.medium, plan.mastering.volumeDateWallMs),
  }
  const volumes = unmadeVolumes(streamed, request.volumes)
  await writePacked(request, streamed, volumes, members, async (partial) => {
    const packed = { members, encrypt }
    const { index } = await writeShared(partial, { ...streamed, history }, volumes, packed)
    return [index]
  })
  return reopened(folder)
}

/** True when the lists of a volume are written. */
export function hasVolumeLists({ plan, lists }: PlanFolder, index: number): boolean {
  const { entries } = volumePlaces(index, plan.volumes.length, lists)
  return plan.lists === undefined || plan.lists.some(({ path }) => path === entries)
}

/**
 * Writes the lists of a volume of a streamed set, once its archive is made.
 * @throws AppError `cannot-fit` when it is larger than the medium; `no-space`, `tool-missing`,
 *   `cancelled`, …
 */
export async function writeVolumeLists(
  folder: PlanFolder,
  index: number,
  made: Made,
  { volumes, history, notes, signal }: Pick<StreamRequest, 'volumes' | 'history' | 'notes' | 'signal'>,
): Promise<PlanFolder> {
  const { directory, plan } = folder
  const { medium } = plan
  const capacitySectors = usableSectors(medium, plan.placement)
  const isImage = medium.kind === 'image'
  const { source, facts, digests } = containerSource(folder, [[index, made]])
  const [packed, ...more] = packVolumes(source.items, {
    // Its layout tells whether an image fits.
    capacitySectors: capacitySectors * (isImage ? 2 : 1),
    cost: costsOf(medium.kind),
    reserveBytes: 0,
    splitBoundaryBytes: medium.sectorBytes,
  }).volumes
  const unmade = unmadeVolumes(plan, volumes)
  const planned = unmade[index - 1]
  const [list] = plan.lists ?? []
  if (!planned || !list) throw new AppError('internal', 'a streamed plan without its lists')
  if (more.length > 0) throw tooLarge(plan, planned.label, medium.name)
  const entries = new PlanLines(source, { files: digests, packed: facts }).of(packed?.assignments)
  const { places } = planned
  try {
    await withTempFolder(notes, joinPath(directory, newId('.stowage-packed')), async (partial) => {
      const isEncrypted = plan.packing?.encryption !== 'none'
      const shared = sharedFiles(directory, { ...plan, history }, unmade, list, isEncrypted)
      const unprotected = { ...planned, entries, protection: undefined }
      const protection = isImage ? await settledProtection(partial, shared, unprotected, signal) : undefined
      const volume = { ...unprotected, protection }
      const written = await writeVolume(partial, shared, volume)
      const sectors = isImage
        ? await imageSectors(plan, volume, partial)
        : (packed?.modelSectors ?? 0) + folderSectors(written.files, medium)
      if (sectors > capacitySectors) throw tooLarge(plan, planned.label, medium.name)
      await flushTree(joinPath(partial, places.directory), signal)
      await mkdir(fsPath(joinPath(directory, folder.lists)), { recursive: true })
      await replacePlace(notes, joinPath(partial, places.directory), joinPath(directory, places.directory))
      const items = new Map(source.items.map((item) => [item.index, item]))
      const payloadBytes = written.files.reduce((sum, bytes) => sum + bytes, 0)
      const sized = { index, label: planned.label, sectors, payloadBytes, ...(protection && { protection }) }
      const done = plannedVolumeOf(
        sized,
        packed,
        medium,
        (at) => items.get(at) as InventoryItem,
        branchingFolder(volumes.flatMap(({ members }) => members)),
      )
      await writePlan(folder, notes, {
        ...plan,
        volumes: plan.volumes.map((one) => (one.index === index ? done : one)),
        lists: [...(plan.lists ?? []), ...written.lists],
      })
    })
  } catch (thrown) {
    throw fileFailure(thrown, 'write to', directory)
  }
  return reopened(folder)
}

/** The recovery data of a volume whose archive is made; `directory` is a temporary folder. */
async function settledProtection(
  directory: string,
  shared: SharedFiles,
  volume: PlannedVolume,
  signal: AbortSignal,
): Promise<PlanVolume['protection']> {
  const { plan } = shared
  const { protection: wanted } = plan
  if (wanted === undefined) return undefined
  const sectors = usableSectors(plan.medium, plan.placement)
  if (wanted === 'fill') {
    const plain = joinPath(directory, 'unprotected')
    await writeVolume(plain, shared, volume)
    if (!isWorthFilling(await imageSectors(plan, volume, plain), sectors)) return undefined
  }
  const [sized] = await protectVolumes([volume], () => true, {
    plan,
    roomAt: () => ({ wanted, sectors }),
    directory,
    signal,
    write: (place, tried) =>
      Promise.all(tried.map(async (one) => (await writeVolume(place, shared, one)).files)),
  })
  return sized?.protection
}

/**
 * Forgets what a volume of a streamed set was packed to, so that it is packed again; what was built
 * of it goes too.
 * @throws AppError `permission-denied`, `io`
 */
export async function forgetVolume(
  folder: PlanFolder,
  index: number,
  notes: PlaceNotes,
): Promise<PlanFolder> {
  const { plan, directory, lists } = folder
  const places = volumePlaces(index, plan.volumes.length, lists)
  const isOfIt = ({ path }: PlanList): boolean => path.startsWith(`${places.directory}/`)
  await writePlan(folder, notes, { ...plan, lists: plan.lists?.filter((list) => !isOfIt(list)) })
  for (const path of [places.image, places.folder]) {
    await attempt(
      'write to',
      directory,
      rm(fsPath(joinPath(directory, path)), { recursive: true, force: true }),
    )
  }
  await removeMade(joinPath(directory, WORK), index)
  return reopened(folder)
}

/**
 * The volumes with the archives that they are to have, whose sizes and digests nobody knows yet.
 */
function unmadeVolumes(
  { volumes, mastering, packing }: PlanDocument,
  streamed: readonly StreamedVolume[],
): (PlanVolume & PlannedVolume)[] {
  const mtimeNs = String(BigInt(mastering.volumeDateWallMs) * 1_000_000n)
  const containers = streamed.map(({ members }) =>
    [...new Set(members.flatMap((member) => member.in ?? []))].map(
      (path): FileEntry => ({
        kind: 'file',
        path,
        source: '',
        bytes: 0,
        sha256: PENDING_SHA256,
        mtimeNs,
        mode: 0o644,
        method: packing?.recipe,
      }),
    ),
  )
  return plannedVolumes(
    volumes,
    ownFolderName(topNames(containers.flat())),
    (index) => containers[index - 1] ?? [],
    'packed/volumes',
  )
}

function writePlan({ directory }: PlanFolder, notes: PlaceNotes, plan: PlanDocument): Promise<void> {
  const path = joinPath(directory, PACKED, 'plan.json')
  return replaceFile(notes, path, true, () => [`${JSON.stringify(plan, null, 2)}\n`])
}

/**
 * The error for an archive that is larger than its volume and whose files cannot move to another
 * one.
 */
export function tooLarge({ placement }: PlanDocument, label: string, room: string): AppError {
  const cure = fixesVolumes(placement)
    ? said`plan again and leave more of each volume free (--reserve), or place less on this one`
    : said`build all volumes again without streaming (--force, without --stream), so that files can move between them`
  return new AppError(
    'cannot-fit',
    said`cannot build ${label}: its archive came out larger than forecast and does not fit ${room}; ${cure}`,
  )
}
