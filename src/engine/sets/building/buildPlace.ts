import { readdir, rm } from 'node:fs/promises'
import { basename } from 'node:path'
import { pathFromBytes } from '../../../primitives/pathText'
import { attempt, fsPath, joinPath } from '../../files/fileSystem'
import { type PlaceNotes, partialPath, withTempPath } from '../../files/scratch'
import { folderOf } from '../../files/write'
import type { SkipChoice } from './skipChoice'

/** How a volume is built. */
export interface BuildOptions {
  readonly notes: PlaceNotes
  readonly force: boolean
  readonly signal: AbortSignal
  /** Takes the bytes done, and the files where they are counted. */
  readonly onBytes: (done: number, files?: number) => void
  /** Decides about files that are not as planned. */
  readonly choice: SkipChoice
}

/**
 * Lends a path next to a volume's image or folder, below the lease: what builds that were killed
 * had left there is removed first.
 * @throws AppError of `work`, or for what cannot be removed
 */
export async function withPartialPath<T>(
  notes: PlaceNotes,
  target: string,
  work: (path: string) => Promise<T>,
): Promise<T> {
  const folder = folderOf(target)
  const own = basename(target)
  const isLeft = (name: string): boolean =>
    name.startsWith(own) && /^\.partial(-[0-9a-f]{12})?$/.test(name.slice(own.length))
  await attempt('write to', folder, async () => {
    for (const name of (await readdir(fsPath(folder), { encoding: 'buffer' })).map(pathFromBytes)) {
      if (isLeft(name)) await rm(fsPath(joinPath(folder, name)), { recursive: true, force: true })
    }
  })
  return withTempPath(notes, partialPath(target), work)
}
