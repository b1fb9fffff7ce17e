import { closeSync, openSync, readlinkSync, readSync } from 'node:fs'
import type { PlanVolume } from '../../../contract/dto/plan'
import { equalFiles } from '../../../domain/sets/packing/equalFiles'
import { AppError } from '../../../primitives/appError'
import { pathForDisplay, pathFromBytes } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import { fileFailure, fsPath, joinPath, lstatAt, namesIn } from '../../files/fileSystem'
import { entryTime } from '../../files/sourceCheck'
import { folderOf } from '../../files/write'
import { type Pause, pausing } from '../../jobs/slowly'
import { throwIfAborted } from '../../jobs/throwIfAborted'
import { expectedTree } from '../volume/lists/expectedTree'
import { otherIdentity, volumeAt } from '../volume/open/volumeAt'
import type { PlanFolder } from '../volume/planned/planFolder'
import { readEntries } from '../volume/planned/plannedLists'
import { volumePlaces } from '../volume/planned/plannedVolume'

/** Some file systems keep times no finer than this. */
const TIME_STEP_NS = 2_000_000_000n

/**
 * Refuses to replace a volume's image or folder that holds anything Stowage did not make for it.
 * Nothing there is fine.
 * @throws AppError `refused` naming the first such thing, `cancelled`, `bad-input`, `io`, …
 */
export async function requireOwn(folder: PlanFolder, volume: PlanVolume, signal: AbortSignal): Promise<void> {
  const pause = pausing(() => throwIfAborted(signal))
  const { directory, plan } = folder
  const { image, folder: copied } = volumePlaces(volume.index, plan.volumes.length)
  const path = plan.medium.kind === 'image' ? image : copied
  let foreign: string[]
  try {
    if (lstatAt(joinPath(directory, path)) === null) return
    if (plan.medium.kind === 'image')
      foreign = (await isOwnImage(joinPath(directory, path), volume, plan)) ? [] : [path]
    else foreign = await foreignInFolder(folder, volume, path, pause)
  } catch (thrown) {
    throw fileFailure(thrown, 'read', joinPath(directory, path))
  }
  const [first, ...others] = foreign
  if (first === undefined) return
  const more = others.length === 0 ? '' : said` (and ${others.length} more)`
  throw new AppError(
    'refused',
    said`cannot build ${pathForDisplay(directory)}: move ${pathForDisplay(first)} away first, as Stowage did not make it for this plan${more}`,
    { path: joinPath(directory, first) },
  )
}

/**
 * The same for several volumes, before any of them is built. What else hinders one, a damaged list
 * say, is left to its own build.
 * @throws AppError `refused`, `cancelled`
 */
export async function requireAllOwn(
  folder: PlanFolder,
  volumes: readonly PlanVolume[],
  signal: AbortSignal,
): Promise<void> {
  for (const volume of volumes) {
    try {
      await requireOwn(folder, volume, signal)
    } catch (thrown) {
      const { code } = AppError.from(thrown)
      if (code === 'refused' || code === 'cancelled') throw thrown
    }
  }
}

/**
 * True when a path is an image with the size and the label of its volume, and its lists do not say
 * that it is of another plan. Its content is not read.
 */
export async function isOwnImage(
  path: string,
  volume: Pick<PlanVolume, 'index' | 'label' | 'sectors'>,
  { id }: Pick<PlanFolder['plan'], 'id'>,
): Promise<boolean> {
  if (!isImage(path, volume)) return false
  const there = await volumeAt(path)
  if (there === null) return true
  const { index, label } = volume
  const other = otherIdentity(there, { planId: id, setId: null, index, label })
  return other === null || other === 'unknown'
}

/**
 * True when a path is an image with the size and the label of its volume. Its content is not read.
 */
export function isImage(path: string, { sectors, label }: Pick<PlanVolume, 'sectors' | 'label'>): boolean {
  const facts = lstatAt(path)
  if (!facts?.isFile() || facts.size !== BigInt(sectors) * 2048n) return false
  // ECMA-119 8.4: the primary volume descriptor in sector 16, its volume identifier at 40.
  const descriptor = Buffer.alloc(72)
  const file = openSync(fsPath(path), 'r')
  try {
    readSync(file, descriptor, 0, descriptor.length, 16 * 2048)
  } finally {
    closeSync(file)
  }
  const text = descriptor.toString('latin1')
  return text.slice(1, 6) === 'CD001' && text.slice(40).trimEnd() === label
}

/**
 * A folder that was built counts as a whole volume, so nothing else may be in it. Contents are not
 * read.
 */
async function foreignInFolder(
  { directory, plan, lists }: PlanFolder,
  { index }: PlanVolume,
  path: string,
  pause: Pause,
): Promise<string[]> {
  const places = volumePlaces(index, plan.volumes.length, lists)
  if (!lstatAt(joinPath(directory, path))?.isDirectory()) return [path]
  const [payload = ''] = namesIn(joinPath(directory, places.payload))
  const own = joinPath(directory, places.payload, payload)
  const payloadFiles = new Map(
    namesIn(own).map((name) => [name, { bytes: Number(lstatAt(joinPath(own, name))?.size), sha256: '' }]),
  )
  const entries = await readEntries(joinPath(directory, places.entries))
  const expected = expectedTree({ entries, payloadName: payload }, payloadFiles)
  const times = new Map(entries.map((entry) => [entry.path, 'mtimeNs' in entry ? entry.mtimeNs : undefined]))
  // Further names of a file have its time.
  if (plan.equalFiles) for (const [name, first] of equalFiles(entries)) times.set(name, times.get(first))
  const foreign: string[] = []
  for (const found of pathsBelow(directory, path)) {
    await pause()
    const name = found.slice(path.length + 1)
    const wanted = expected.get(name)
    const facts = lstatAt(joinPath(directory, found))
    if (facts === null) continue
    if (wanted?.kind === 'folder' && facts.isDirectory()) continue
    if (wanted?.kind === 'symlink' && facts.isSymbolicLink()) {
      const target = readlinkSync(fsPath(joinPath(directory, found)), { encoding: 'buffer' })
      if (pathFromBytes(target) === wanted.target) continue
    }
    if (wanted?.kind === 'file' && facts.isFile() && facts.size === BigInt(wanted.bytes)) {
      if (isNear(facts.mtimeNs, times.get(name))) continue
    }
    const above = expected.get(folderOf(found).slice(path.length + 1))
    if (folderOf(found) === path || above?.kind === 'folder') foreign.push(found)
  }
  return foreign
}

function isNear(mtimeNs: bigint, planned: string | undefined): boolean {
  if (planned === undefined) return true
  const apart = BigInt.asIntN(64, entryTime(mtimeNs) - BigInt(planned))
  return apart > -TIME_STEP_NS && apart < TIME_STEP_NS
}

/** Everything below a folder, each folder before what it holds. Links are not followed. */
function* pathsBelow(directory: string, folder: string): Generator<string> {
  const folders = [folder]
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    for (const name of namesIn(joinPath(directory, next))) {
      const path = joinPath(next, name)
      yield path
      if (lstatAt(joinPath(directory, path))?.isDirectory()) folders.push(path)
    }
  }
}
