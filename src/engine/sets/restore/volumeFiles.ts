import type { Dirent } from 'node:fs'
import { lstat, open, readdir, stat } from 'node:fs/promises'
import { AppError } from '../../../primitives/appError'
import { pathFromBytes } from '../../../primitives/pathText'
import { attempt, cannot, fileFailure, fsPath, joinPath } from '../../files/fileSystem'
import { lstatAt } from '../../files/folderNames'
import { type ContentPlace, rangeOf } from '../../files/rangeOf'
import { openPlanFolder } from '../planFolder'
import { readerOf, readIsoTree } from '../verify/isoTree'

/** The files of what may be a volume: an image, a disc's device, or a folder. */
export interface VolumeFiles {
  /** As it was given, or found below a plan's folder. */
  readonly path: string
  /** Where its files are if it is a folder; null for an image or a device. */
  readonly folder: string | null
  /** Of an image. */
  readonly label: string | null
  /** The folders at its top, of which one is Stowage's own. */
  readonly topFolders: readonly string[]
  /** SHA-256 of the index as the plan has it in whose folder the volume was found; null elsewhere. */
  readonly plannedIndex: string | null
  /** Where the content of a file is, or null if the volume has no such file. */
  placeOf(path: string): Promise<ContentPlace | null>
}

/** What is done with volumes, as errors name it. */
export type VolumeUse = 'restore from' | 'verify'

/**
 * Opens what a person gave: an image, a mounted or copied disc, a disc's device, or the folder of a plan, which stands for all that
 * was built of it.
 * @param onDamaged takes each volume below a plan's folder that cannot be opened, with the reason
 * @throws AppError `not-found`, `bad-input` for what is no volume, `io`
 */
export async function openFiles(
  path: string,
  use: VolumeUse,
  onDamaged: (path: string, error: AppError) => void,
): Promise<VolumeFiles[]> {
  const stats = await attempt('read', path, stat(fsPath(path)))
  if (!stats.isDirectory()) return [await imageFiles(path, use)]
  const built = await builtVolumes(path, use, onDamaged)
  if (built === null) return [await folderFiles(path)]
  if (built.length > 0) return built
  const isMac = lstatAt(joinPath(path, 'build-on-mac.sh')) !== null
  const first = isMac ? 'open its disk image on a Mac and name the volume' : 'build it first'
  throw cannot('not-found', use, path, `no volume of this plan is built; ${first}`)
}

/** What was built in a plan's folder; null for a folder that is not one. */
async function builtVolumes(
  path: string,
  use: VolumeUse,
  onDamaged: (path: string, error: AppError) => void,
): Promise<VolumeFiles[] | null> {
  const names = new Set((await entriesIn(path)).map(({ name }) => pathFromBytes(name)))
  if (!names.has('plan.json') || !names.has('volumes')) return null
  const plannedIndex = await plannedIndexIn(path)
  const volumes: VolumeFiles[] = []
  let damaged: AppError | null = null
  for (const [kind, opened] of [
    ['images', imageFiles],
    ['folders', folderFiles],
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

/** The digest that a plan has of the index on its volumes; null where the plan has none or cannot be read. */
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

async function folderFiles(path: string): Promise<VolumeFiles> {
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
  }
}

async function imageFiles(path: string, use: VolumeUse): Promise<VolumeFiles> {
  await using file = await attempt('read', path, open(fsPath(path)))
  const tree = await readIsoTree(readerOf(file)).catch((thrown: unknown) => {
    if (thrown instanceof AppError && thrown.code === 'verification-failed') throw noVolume(path, use)
    throw fileFailure(thrown, 'read', path)
  })
  const files = new Map(tree.entries.filter(({ kind }) => kind === 'file').map((one) => [one.path, one]))
  return {
    path,
    folder: null,
    label: tree.label,
    plannedIndex: null,
    topFolders: tree.entries.flatMap((one) =>
      one.kind === 'folder' && !one.path.includes('/') ? one.path : [],
    ),
    placeOf(wanted) {
      const place = files.get(wanted)
      return Promise.resolve(place ? { file: path, offset: place.offset, bytes: place.bytes } : null)
    },
  }
}

/** The whole content of a place, which must be short. @throws AppError `verification-failed`, `io` */
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
