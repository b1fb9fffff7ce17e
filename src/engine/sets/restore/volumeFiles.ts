import type { Dirent } from 'node:fs'
import { lstat, open, readdir, stat } from 'node:fs/promises'
import { AppError } from '../../../primitives/appError'
import { pathFromBytes } from '../../../primitives/pathText'
import { attempt, cannot, fileFailure, fsPath, joinPath } from '../../files/fileSystem'
import { lstatAt } from '../../files/folderNames'
import { type ContentPlace, rangeOf } from '../../files/rangeOf'
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
  /** Where the content of a file is, or null if the volume has no such file. */
  placeOf(path: string): Promise<ContentPlace | null>
}

/** What is done with volumes, as errors name it. */
export type VolumeUse = 'restore from' | 'verify'

/**
 * Opens what a person gave: an image, a mounted or copied disc, a disc's device, or the folder of a plan, which stands for all that
 * was built of it.
 * @throws AppError `not-found`, `bad-input` for what is no volume, `io`
 */
export async function openFiles(path: string, use: VolumeUse): Promise<VolumeFiles[]> {
  const stats = await attempt('read', path, stat(fsPath(path)))
  if (!stats.isDirectory()) return [await imageFiles(path, use)]
  const built = await builtVolumes(path, use)
  if (built === null) return [await folderFiles(path)]
  if (built.length > 0) return built
  const isMac = lstatAt(joinPath(path, 'build-on-mac.sh')) !== null
  const first = isMac ? 'open its disk image on a Mac and name the volume' : 'build it first'
  throw cannot('not-found', use, path, `no volume of this plan is built; ${first}`)
}

/** What was built in a plan's folder; null for a folder that is not one. */
async function builtVolumes(path: string, use: VolumeUse): Promise<VolumeFiles[] | null> {
  const names = new Set((await entriesIn(path)).map(({ name }) => pathFromBytes(name)))
  if (!names.has('plan.json') || !names.has('volumes')) return null
  const volumes: VolumeFiles[] = []
  for (const [kind, opened] of [
    ['images', imageFiles],
    ['folders', folderFiles],
  ] as const) {
    if (!names.has(kind)) continue
    const found = (await entriesIn(joinPath(path, kind))).map(({ name }) => pathFromBytes(name)).toSorted()
    for (const name of found)
      if (/^\d{2,}(\.iso)?$/.test(name)) volumes.push(await opened(joinPath(path, kind, name), use))
  }
  return volumes
}

async function folderFiles(path: string): Promise<VolumeFiles> {
  const entries = await entriesIn(path)
  return {
    path,
    folder: path,
    label: null,
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
