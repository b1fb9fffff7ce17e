import { lstat } from 'node:fs/promises'
import { fsPath } from '../../files/fileSystem'

/**
 * True when a file of the size and time is at a path. It is not read.
 * @param stepNs the unit that the file system rounds times to
 */
export async function seemsRestored(
  path: string,
  { bytes, mtimeNs }: { readonly bytes: number; readonly mtimeNs: bigint | null },
  stepNs: bigint,
): Promise<boolean> {
  const there = await lstat(fsPath(path), { bigint: true }).catch(() => null)
  if (there?.isFile() !== true || Number(there.size) !== bytes || mtimeNs === null) return false
  const difference = there.mtimeNs - mtimeNs
  return -stepNs < difference && difference < stepNs
}
