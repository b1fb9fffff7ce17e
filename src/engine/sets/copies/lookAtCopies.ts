import { createHash } from 'node:crypto'
import { lstat, readFile, stat } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import type { CopyLook } from '../../../domain/sets/copies/copy'
import type { KnownCopy } from '../../../domain/sets/copies/volumeCopies'
import { AppError } from '../../../primitives/appError'
import { isBelow } from '../../../primitives/isBelow'
import { pathForDisplay } from '../../../primitives/pathText'
import { formatExactBytes } from '../../../primitives/quantity'
import { said } from '../../../primitives/said'
import { attempt, fsPath, isFolder, joinPath, lstatAt } from '../../files/fileSystem'
import type { FileSystems } from '../../files/fileSystems'
import { folderOf } from '../../files/write'
import { expectedFiles } from '../volume/open/expectedFiles'
import { otherIdentity, volumeAt } from '../volume/open/volumeAt'
import type { VolumeLists } from '../volume/open/volumeLists'
import { SUMS_NAME } from '../volume/planned/ownNames'

/** A place that does not answer is given up after this time. */
const LIMIT_MS = 5000

/** A copy that was looked at, with what names the disk that it is on. */
export type LookedCopy = KnownCopy & {
  readonly look: CopyLook
  /** As `GoodCopy` has them. */
  readonly disks: readonly string[]
}

export interface Looking {
  readonly fileSystems: FileSystems
  /** For all copies in one folder together. */
  readonly limitMs?: number
}

/**
 * Looks at copies where the catalog has them: folders by the digest of their checksums as it was
 * noted, then names and sizes; images by their length and the set that their lists name; discs in
 * the drive that they were written in. Contents are not read. Folders are looked into side by side,
 * each for some 5 s at the most: what did not answer by then was not looked at.
 */
export async function lookAtCopies(
  copies: readonly KnownCopy[],
  { fileSystems, limitMs = LIMIT_MS }: Looking,
): Promise<LookedCopy[]> {
  const mounted = await fileSystems.mounted()
  const looks = new Map<KnownCopy, LookedCopy>()
  const folders = Map.groupBy(copies, ({ path, drive }) =>
    path === null ? `drive ${drive}` : folderOf(path),
  )
  await Promise.all(
    [...folders.values()].map(async (own) => {
      const over = new AbortController()
      const limit = setTimeout(limitMs, TOO_LATE, { signal: over.signal }).catch(() => TOO_LATE)
      for (const copy of own) {
        const found = await Promise.race([foundAt(copy, mounted, fileSystems), limit])
        looks.set(copy, { ...copy, look: found.look, disks: found.disks ?? disksOf(copy) })
      }
      over.abort()
    }),
  )
  return copies.flatMap((copy) => looks.get(copy) ?? [])
}

/**
 * Names of the disk of a path: that of its device where the system tells no more; none where
 * nothing is there.
 */
export async function disksAt(path: string, fileSystems: FileSystems): Promise<string[]> {
  const stats = await stat(fsPath(path)).catch(() => null)
  if (stats === null) return []
  const identity = await fileSystems.of(path)
  return identity === null ? [`device ${stats.dev}`] : namesOf(identity)
}

function namesOf({ id, disk }: NonNullable<KnownCopy['fileSystem']>): string[] {
  return [`file system ${id}`, ...(disk === null ? [] : [`disk ${disk}`])]
}

function disksOf({ fileSystem }: KnownCopy): string[] {
  return fileSystem === null ? [] : namesOf(fileSystem)
}

interface FoundCopy {
  readonly look: CopyLook
  /** Absent where those count that were noted. */
  readonly disks?: readonly string[]
}

const TOO_LATE: FoundCopy = unreachable(said`its place did not answer in time`)

function unreachable(because: string): FoundCopy {
  return { look: { found: 'unreachable', because } }
}

async function foundAt(
  copy: KnownCopy,
  mounted: Awaited<ReturnType<FileSystems['mounted']>>,
  fileSystems: FileSystems,
): Promise<FoundCopy> {
  const { path, fileSystem } = copy
  if (path === null) return foundInDrive(copy)
  const now = mounted.find(({ id }) => id === fileSystem?.id)
  if (fileSystem !== null && !now) return unreachable(said`its file system is not mounted`)
  const place = now && fileSystem ? movedTo(path, fileSystem.mountPoint, now.mountPoint) : path
  if ((await lstat(fsPath(place)).catch(() => null)) === null) {
    const isReachable = now !== undefined || isFolder(folderOf(place))
    return isReachable
      ? { look: { found: 'gone', because: said`nothing is at ${pathForDisplay(place)}` } }
      : unreachable(said`${pathForDisplay(folderOf(place))} is not there`)
  }
  const here = await fileSystems.of(place)
  if (now && here !== null && here.id !== now.id && isOver(here.mountPoint, now.mountPoint, place))
    return unreachable(said`another file system is at its place`)
  const because = await differenceAt(place, copy)
  const look: CopyLook = because === null ? THERE : { found: 'other', because }
  return { look, disks: await disksAt(place, fileSystems) }
}

const THERE: CopyLook = { found: 'there', because: null }

/** The same path where its file system is mounted now. */
export function movedTo(path: string, before: string, now: string): string {
  if (before === now) return path
  if (before === '/') return joinPath(now, path.slice(1))
  return path === before || path.startsWith(`${before}/`)
    ? joinPath(now, path.slice(before.length + 1))
    : path
}

/**
 * True where a file system that is mounted on or in another one holds a path; false where only a
 * link leads to it: then the copy is what the link leads to.
 */
function isOver(mountPoint: string, below: string, path: string): boolean {
  return mountPoint.length >= below.length && (path === mountPoint || isBelow(path, mountPoint))
}

/** A disc is known by its lists; another one in its drive says nothing of it. */
async function foundInDrive(copy: KnownCopy): Promise<FoundCopy> {
  const { drive } = copy
  if (drive === null) return unreachable(said`where it is was not noted`)
  if (lstatAt(drive) === null) return unreachable(said`it is in no drive`)
  const because = await differenceAt(drive, { ...copy, bytes: null })
  return because === null ? { look: THERE } : unreachable(said`it is not in ${pathForDisplay(drive)}`)
}

/** How what is at a path is not the copy; null where it is, by its lists. */
async function differenceAt(path: string, copy: KnownCopy): Promise<string | null> {
  const stats = await stat(fsPath(path)).catch(() => null)
  const shown = pathForDisplay(path)
  if (stats === null) return said`${shown} cannot be read`
  if (stats.isFile() && copy.bytes !== null && stats.size !== copy.bytes)
    return said`${shown} has ${formatExactBytes(stats.size)} instead of ${formatExactBytes(copy.bytes)}`
  const lists = await volumeAt(path)
  if (lists === null) return said`${shown} is no volume, or its lists cannot be read`
  const { planId, setId, volume: index, label } = copy
  switch (otherIdentity(lists, { planId, setId, index, label })) {
    case 'plan':
      return said`${shown} is of another plan`
    case 'set':
      return said`${shown} is of another set of its plan, or its lists were changed`
    case 'volume':
      return said`${shown} is another volume`
    case 'unknown':
      return said`${shown} does not say what it is`
    default:
      return stats.isDirectory() ? differenceOfFolder(path, lists, copy).catch(messageOf) : null
  }
}

function messageOf(thrown: unknown): string {
  return AppError.from(thrown).message
}

async function differenceOfFolder(
  path: string,
  lists: VolumeLists,
  { digest }: KnownCopy,
): Promise<string | null> {
  const sums = joinPath(path, lists.own, SUMS_NAME)
  const text = await attempt('read', sums, readFile(fsPath(sums)))
  if (digest !== null && createHash('sha256').update(text).digest('hex') !== digest)
    return said`${pathForDisplay(sums)} is not as it was written`
  for (const { path: name, bytes } of expectedFiles(lists)) {
    const place = joinPath(path, name)
    const stats = await lstat(fsPath(place)).catch(() => null)
    if (stats === null) return said`${pathForDisplay(place)} is missing`
    if (bytes !== null && stats.size !== bytes)
      return said`${pathForDisplay(place)} has ${formatExactBytes(stats.size)} instead of ${formatExactBytes(bytes)}`
  }
  return null
}
