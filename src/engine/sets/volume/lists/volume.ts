import type { Dirent } from 'node:fs'
import { lstat, readdir, readlink } from 'node:fs/promises'
import type { ImageTreeName } from '../../../../domain/sets/damagedFolders'
import type { AppError } from '../../../../primitives/appError'
import { pathFromBytes } from '../../../../primitives/pathText'
import { said } from '../../../../primitives/said'
import { attempt, cannot, fsPath, joinPath } from '../../../files/fileSystem'
import { type ContentPlace, rangeOf } from '../../../files/read'
import { throwIfAborted } from '../../../jobs/throwIfAborted'
import type { Found } from './expectedTree'

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
  /** Null for a folder, and for an image whose folders lead to its lists without a fault. */
  readonly damage: FolderDamage | null
  /** Where the content of a file is, or null if the volume has no such file. */
  placeOf(path: string): Promise<ContentPlace | null>
  /**
   * All that is on it, by path; of an image in the order of its folders.
   * @throws AppError `cancelled`, `io`
   */
  tree(signal: AbortSignal): Promise<ReadonlyMap<string, Found>>
}

/** The damage of an image's folders. */
export interface FolderDamage {
  readonly trees: readonly ImageTreeName[]
  /** The tree by which the place of a file is found; null if it is by none. */
  treeOf(path: string): ImageTreeName | null
}

/** The use of volumes, as errors name it. */
export type VolumeUse = 'restore from' | 'verify'

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
    damage: null,
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
 * The whole content of a place, which must be short.
 * @throws AppError `verification-failed`, `io`
 */
export async function contentAt(place: ContentPlace): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of rangeOf(place, new AbortController().signal)) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces)
}

export async function entriesIn(path: string): Promise<Dirent<Buffer>[]> {
  return attempt('read', path, readdir(fsPath(path), { withFileTypes: true, encoding: 'buffer' }))
}

export function noVolume(path: string, use: VolumeUse): AppError {
  return cannot('bad-input', use, path, said`it is neither a plan folder nor a volume (no INDEX.tsv)`)
}
