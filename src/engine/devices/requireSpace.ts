import { statfs } from 'node:fs/promises'
import { AppError } from '../../primitives/appError'
import { pathForDisplay } from '../../primitives/pathText'
import { formatSize } from '../../primitives/quantity'
import { said } from '../../primitives/said'
import { fsPath } from '../files/fileSystem'

/** @throws AppError `no-space` where so many bytes more would leave less free than is to stay */
export async function requireSpace(
  { directory, keepFreeBytes }: { readonly directory: string; readonly keepFreeBytes: number },
  peakBytes: number,
  doing: string,
): Promise<void> {
  const { bavail, bsize } = await statfs(fsPath(directory))
  if (bavail * bsize - peakBytes >= keepFreeBytes) return
  throw new AppError(
    'no-space',
    said`cannot ${doing} in ${pathForDisplay(directory)}: ${formatSize(peakBytes)} more would leave less than ${formatSize(keepFreeBytes)} free`,
    { path: directory },
  )
}
