import type { Dirent } from 'node:fs'
import { lstat, open, readdir, readlink, stat } from 'node:fs/promises'
import { AppError } from '../../../primitives/appError'
import { pathFromBytes } from '../../../primitives/pathText'
import { attempt, cannot, fileFailure, fsPath, joinPath, lstatAt } from '../../files/fileSystem'
import { type ContentPlace, rangeOf } from '../../files/read'
import { throwIfAborted } from '../../jobs/throwIfAborted'
import type { Found } from './expectedTree'
import { foundTree, readerOf, readIsoTree } from './isoTree'
import { openPlanFolder } from './planFolder'

/**
 * A volume that is open for reading, or what may be one: a folder, an image, or a disc's device.
 */
export interface Volume {
  /** As it was given, or found below a plan's folder. */
  readonly path: string
  /** Where its files are if it is a folder; null for an image or a device. */
  readonly folder: string | null
  /** The label of an image; null for a folder. */
  readonly label: string | null
  /** The folders at its top, of which one is Stowage's own. */
  readonly topFolders: readonly string[]
  /**
   * SHA-256 of the index as the plan has it in whose folder the volume was found; null elsewhere.
   */
  readonly plannedIndex: string | null
  /** Where the content of a file is, or null if the volume has no such file. */
  placeOf(path: string): Promise<ContentPlace | null>
  /**
   * All that is on it, by path; of an image in the order of its folders.
   * @throws AppError `cancelled`, `io`
   */
  tree(signal: AbortSignal): Promise<ReadonlyMap<string, Found>>
}

/** The use of volumes, as errors name it. */
export type VolumeUse = 'restore from' | 'verify'

/**
 * Opens what a person gave: an image, a mounted or copied disc, a disc's device, or the folder of a
 * plan, which stands for all that was built of it.
 * @param onDamaged takes each volume below a plan's folder that cannot be opened, with the reason
 * @throws AppError `not-found`, `bad-input` for what is no volume, `io`
 */
export async function openVolumes(
  path: string,
  use: VolumeUse,
  onDamaged: (path: string, error: AppError) => void,
): Promise<Volume[]> {
  const stats = await attempt('read', path, stat(fsPath(path)))
  if (!stats.isDirectory()) return [await openGivenImage(path, use)]
  const built = await builtVolumes(path, use, onDamaged)
  if (built === null) return [await openFolder(path)]
  if (built.length > 0) return built
  const isMac = lstatAt(joinPath(path, 'build-on-mac.sh')) !== null
  const first = isMac ? 'open its disk image on a Mac and name the volume' : 'build it first'
  throw cannot('not-found', use, path, `no volume of this plan is built; ${first}`)
}

/** The volumes that were built in a plan's folder; null for a folder that is not one. */
async function builtVolumes(
  path: string,
  use: VolumeUse,
  onDamaged: (path: string, error: AppError) => void,
): Promise<Volume[] | null> {
  const names = new Set((await entriesIn(path)).map(({ name }) => pathFromBytes(name)))
  if (!names.has('plan.json') || !names.has('volumes')) return null
  const plannedIndex = await plannedIndexIn(path)
  const volumes: Volume[] = []
  let damaged: AppError | null = null
  for (const [kind, opened] of [
    ['images', openGivenImage],
    ['folders', openFolder],
  ] as const) {
    if (!names.has(kind)) continue
    const found = (await entriesIn(joinPath(path, kind))).map(({ name }) => pathFromBytes(name)).toSorted()
    for (const name of found) {
      if (!/^\d{2,}(\.iso)?$/.test(name)) continue
      const place = joinPath(path, kind, name)
      try {
        volumes.push({ ...(await opened(place, use)), plannedIndex })
      } catch (thrown) {
        damaged ??= AppError.from(thrown)
        onDamaged(place, AppError.from(thrown))
      }
    }
  }
  if (damaged !== null && volumes.length === 0) throw damaged
  return volumes
}

/**
 * The digest that a plan has of the index on its volumes; null where the plan has none or cannot be
 * read.
 */
async function plannedIndexIn(path: string): Promise<string | null> {
  for (const [directory, name] of [
    [joinPath(path, 'packed'), 'packed/index.tsv'],
    [path, 'index.tsv'],
  ] as const) {
    const opened = await openPlanFolder(directory).catch(() => null)
    const list = opened?.plan.lists?.find((each) => each.path === name)
    if (list) return list.sha256
  }
  return null
}

/**
 * Opens a folder with the files of a volume.
 * @throws AppError `not-found`, `permission-denied`, `io`
 */
export async function openFolder(path: string): Promise<Volume> {
  const entries = await entriesIn(path)
  return {
    path,
    folder: path,
    label: null,
    plannedIndex: null,
    topFolders: entries.filter((entry) => entry.isDirectory()).map(({ name }) => pathFromBytes(name)),
    async placeOf(wanted) {
      const file = joinPath(path, wanted)
      const stats = await lstat(fsPath(file)).catch(() => null)
      return stats?.isFile() ? { file, offset: 0, bytes: stats.size } : null
    },
    async tree(signal) {
      const found = new Map<string, Found>()
      await walk(path, '', found, signal)
      return found
    },
  }
}

async function walk(
  root: string,
  path: string,
  found: Map<string, Found>,
  signal: AbortSignal,
): Promise<void> {
  throwIfAborted(signal)
  const at = joinPath(root, path)
  await attempt('read', at, async () => {
    for (const entry of await readdir(fsPath(at), { withFileTypes: true, encoding: 'buffer' })) {
      const name = pathFromBytes(entry.name)
      const below = path === '' ? name : `${path}/${name}`
      if (entry.isDirectory()) {
        found.set(below, { kind: 'folder' })
        await walk(root, below, found, signal)
      } else found.set(below, await lookAt(fsPath(joinPath(root, below))))
    }
  })
}

async function lookAt(path: Buffer): Promise<Found> {
  const stats = await lstat(path)
  if (stats.isFile()) return { kind: 'file', bytes: stats.size }
  if (!stats.isSymbolicLink()) return { kind: 'other' }
  return { kind: 'symlink', target: pathFromBytes(await readlink(path, { encoding: 'buffer' })) }
}

/**
 * Opens an image or a disc's device.
 * @throws AppError `verification-failed` for what is no such image or has damaged folders,
 *   `not-found`, `io`
 */
export async function openImage(path: string): Promise<Volume & { readonly label: string }> {
  await using file = await attempt('read', path, open(fsPath(path)))
  const tree = await readIsoTree(readerOf(file)).catch((thrown: unknown) => {
    throw fileFailure(thrown, 'read', path)
  })
  const places = new Map<string, ContentPlace>()
  for (const { kind, path: name, offset, bytes } of tree.entries)
    if (kind === 'file') places.set(name, { file: path, offset, bytes })
  return {
    path,
    folder: null,
    label: tree.label,
    plannedIndex: null,
    topFolders: tree.entries.flatMap((one) =>
      one.kind === 'folder' && !one.path.includes('/') ? one.path : [],
    ),
    placeOf: (wanted) => Promise.resolve(places.get(wanted) ?? null),
    tree: () => Promise.resolve(foundTree(tree.entries)),
  }
}

async function openGivenImage(path: string, use: VolumeUse): Promise<Volume> {
  return openImage(path).catch((thrown: unknown) => {
    throw AppError.from(thrown).code === 'verification-failed' ? noVolume(path, use) : thrown
  })
}

/**
 * The whole content of a place, which must be short.
 * @throws AppError `verification-failed`, `io`
 */
export async function contentAt(place: ContentPlace): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of rangeOf(place, new AbortController().signal)) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces)
}

async function entriesIn(path: string): Promise<Dirent<Buffer>[]> {
  return attempt('read', path, readdir(fsPath(path), { withFileTypes: true, encoding: 'buffer' }))
}

export function noVolume(path: string, use: VolumeUse): AppError {
  return cannot('bad-input', use, path, 'it is neither a plan folder nor a volume (no INDEX.tsv)')
}
