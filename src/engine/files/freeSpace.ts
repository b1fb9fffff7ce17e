import { statfs } from 'node:fs/promises'
import { AppError } from '../../primitives/appError'
import { formatSize } from '../../primitives/quantity'
import { said } from '../../primitives/said'
import { attempt, fsPath } from './fileSystem'

/**
 * Refuses work that needs more bytes than its disk has free, before any is written. File systems
 * that do not report their size pass.
 * @param doing in words, such as `build images/02.iso`
 * @throws AppError `no-space` with both sizes
 */
export async function requireSpace(folder: string, bytes: number, doing: string): Promise<void> {
  const free = await freeBytes(folder)
  if (free === null || bytes <= free) return
  throw new AppError('no-space', said`cannot ${doing}: ${formatSize(bytes)} needed, ${formatSize(free)} free`)
}

/**
 * The bytes that are free for this user on the file system of a folder; null where it does not
 * report its size.
 * @throws AppError as reading failed
 */
export async function freeBytes(folder: string): Promise<number | null> {
  const { bavail, blocks, bsize } = await attempt('read', folder, statfs(fsPath(folder)))
  return blocks === 0 ? null : bavail * bsize
}
