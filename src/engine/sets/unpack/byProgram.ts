import { chmodSync, lstatSync, readdirSync } from 'node:fs'
import { lstat, readdir, symlink } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { systemClock } from '../../../primitives/clock'
import { pathFromBytes } from '../../../primitives/pathText'
import { fileFailure, fsPath, joinPath } from '../../files/fileSystem'
import { type ContentPlace, rangeOf } from '../../files/read'
import { writeNewFile } from '../../files/write'
import { pausing } from '../../jobs/slowly'
import { throwIfAborted } from '../../jobs/throwIfAborted'
import type { Unpacking } from './unpacker'

/** The share of the work with a container that goes into copying it, if it must be copied. */
export const COPY_SHARE = 0.2

/**
 * The path by which programs that run in `scratch` find a container as a file by itself: its own
 * path, or a link's where that path cannot be given to programs, or a copy's where the container is
 * only a part of an image.
 * @param name for the link or copy
 * @param onShare takes the share of a copy that is made
 */
export async function wholeFile(
  container: ContentPlace,
  name: string,
  { scratch, signal }: Pick<Unpacking, 'scratch' | 'signal'>,
  onShare: Unpacking['onShare'],
): Promise<string> {
  const own = resolve(container.file)
  const at = (): string => joinPath(scratch(), name)
  try {
    if (container.offset !== 0 || (await lstat(fsPath(own))).size !== container.bytes) {
      await writeNewFile(at(), followedRange(container, signal, onShare), {
        flush: false,
        mode: 0o600,
        signal,
      })
      return name
    }
    if (canBeArgument(own)) return own
    await symlink(fsPath(own), fsPath(at()))
    return name
  } catch (thrown) {
    throw fileFailure(thrown, 'read', container.file)
  }
}

/**
 * The bytes of a range in pieces; each is there until the next is asked for.
 * @param onShare how much of the range was taken, from 0 to 1
 * @throws as `rangeOf`
 */
export async function* followedRange(
  range: ContentPlace,
  signal: AbortSignal,
  onShare: (share: number) => void,
): AsyncGenerator<Buffer, void, void> {
  let done = 0
  for await (const piece of rangeOf(range, signal)) {
    yield piece
    onShare((done += piece.length) / range.bytes)
  }
}

const SHORTEST_PAUSE_MS = 200
/** Looking takes at most a twentieth of the time. */
const PAUSE_PER_LOOK = 19

/**
 * Follows how much a program that says nothing of its progress has written below a folder.
 * @param onBytes bytes of plain files there, now and then while `work` goes on
 */
export async function followGrowth<T>(
  folder: string,
  onBytes: (bytes: number) => void,
  work: () => Promise<T>,
): Promise<T> {
  const ended = new AbortController()
  const looking = look(folder, onBytes, ended.signal)
  try {
    return await work()
  } finally {
    ended.abort()
    await looking
  }
}

async function look(folder: string, onBytes: (bytes: number) => void, signal: AbortSignal): Promise<void> {
  let wait = SHORTEST_PAUSE_MS
  for (;;) {
    await after(wait, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return
    const startedMs = systemClock.monotonicMs()
    const bytes = await bytesBelow(folder, signal)
    if (signal.aborted) return
    onBytes(bytes)
    wait = Math.max(SHORTEST_PAUSE_MS, PAUSE_PER_LOOK * (systemClock.monotonicMs() - startedMs))
  }
}

/**
 * The bytes of all files below a folder. Files that are made or removed meanwhile may be missing.
 */
async function bytesBelow(folder: string, signal: AbortSignal): Promise<number> {
  let total = 0
  const folders = [folder]
  for (const path of folders) {
    if (signal.aborted) return total
    const entries = await readdir(fsPath(path), { withFileTypes: true, encoding: 'buffer' }).catch(() => [])
    for (const entry of entries) {
      const at = joinPath(path, pathFromBytes(entry.name))
      if (entry.isDirectory()) folders.push(at)
      else if (entry.isFile()) total += (await lstat(fsPath(at)).catch(() => null))?.size ?? 0
    }
  }
  return total
}

/**
 * Notes the members that a program has unpacked below a folder: only plain files that are really
 * there, for links in a hostile archive could lead to anything. Everything is made readable and
 * removable, whatever permissions were unpacked with it.
 */
export async function noteUnpacked(
  folder: string,
  members: ReadonlySet<string>,
  { found, signal }: Pick<Unpacking, 'found' | 'signal'>,
): Promise<void> {
  const pause = pausing(() => throwIfAborted(signal))
  const folders = ['']
  try {
    for (const path of folders) {
      const at = joinPath(folder, path)
      if (path !== '') chmodSync(fsPath(at), 0o700)
      for (const entry of readdirSync(fsPath(at), { withFileTypes: true, encoding: 'buffer' })) {
        const member = joinPath(path, pathFromBytes(entry.name))
        if (entry.isDirectory()) folders.push(member)
        if (!entry.isFile() || !members.has(member)) continue
        await pause()
        const file = joinPath(folder, member)
        const { size, mode } = lstatSync(fsPath(file))
        if ((mode & 0o777) !== 0o600) chmodSync(fsPath(file), 0o600)
        found(member, { bytes: size, content: { file, offset: 0, bytes: size }, sha256: null })
      }
    }
  } catch (thrown) {
    throw fileFailure(thrown, 'read', folder)
  }
}

/**
 * True when a program can be given a name as an argument: Node passes only Unicode, and lists need
 * a line for each.
 */
export function canBeArgument(name: string): boolean {
  return !/[\ud800-\udfff]/u.test(name)
}

/** The deepest folder that all members are in and that programs can be given; empty for the top. */
export function commonFolder(members: ReadonlySet<string>): string {
  let common: string[] | null = null
  for (const member of members) {
    const folders = member.split('/').slice(0, -1)
    const same: number = (common ?? folders).findIndex((name, at) => name !== folders[at])
    common = same < 0 ? (common ?? folders) : (common ?? folders).slice(0, same)
  }
  const names = common ?? []
  const unfit = names.findIndex((name) => !canBeArgument(name))
  return (unfit < 0 ? names : names.slice(0, unfit)).join('/')
}
