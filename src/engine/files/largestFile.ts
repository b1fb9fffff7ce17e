import { statfs } from 'node:fs/promises'
import { formatSize } from '../../primitives/quantity'
import { said } from '../../primitives/said'
import { attempt, cannot, fsPath } from './fileSystem'

/** MSDOS_SUPER_MAGIC, which Linux gives for FAT of every kind (statfs(2)). */
const FAT = 0x4d44
const FAT_LARGEST_BYTES = 2 ** 32 - 1

/** The largest file that a file system holds, by its type as statfs gives it. */
export function largestFileBytes(type: number): number {
  return type === FAT ? FAT_LARGEST_BYTES : Number.POSITIVE_INFINITY
}

/**
 * Refuses a file that the file system of a folder cannot hold, before any of it is copied.
 * @param path of the file
 * @throws AppError `cannot-fit`
 */
export async function requireFileSize(folder: string, path: string, bytes: number): Promise<void> {
  const { type } = await attempt('read', folder, statfs(fsPath(folder)))
  if (bytes <= largestFileBytes(type)) return
  const because = said`it has ${formatSize(bytes)}, and a file on FAT has at most 4 GiB; choose a disk with another file system, or plan smaller volumes`
  throw cannot('cannot-fit', 'write', path, because)
}
