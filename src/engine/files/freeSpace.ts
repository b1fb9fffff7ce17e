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
  const { bavail, blocks, bsize } = await attempt('read', folder, statfs(fsPath(folder)))
  const free = bavail * bsize
  if (blocks === 0 || bytes <= free) return
  throw new AppError('no-space', said`cannot ${doing}: ${formatSize(bytes)} needed, ${formatSize(free)} free`)
}
