import { lstat, realpath } from 'node:fs/promises'
import path from 'node:path'
import { nativePath } from '../files/nativePath'
import { pathFromBytes } from '../primitives/pathText'

/**
 * Where an absolute path leads, all symbolic links followed; what does not exist yet keeps its name
 * below what does. Null where that cannot be known, as for a link to something that is missing.
 */
export async function canonicalPath(file: string): Promise<string | null> {
  try {
    return pathFromBytes(await realpath(nativePath(file), { encoding: 'buffer' }))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return null
  }
  const isLink = await lstat(nativePath(file)).then(
    () => true,
    () => false,
  )
  const parent = path.dirname(file)
  if (isLink || parent === file) return null
  const above = await canonicalPath(parent)
  return above === null ? null : path.join(above, path.basename(file))
}
