import { mkdirSync, mkdtempSync, realpathSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const CACHE = join(import.meta.dirname, '../../.cache')

/**
 * A new folder on another file system than that of a folder: two copies on one disk are one.
 * Whoever takes it removes it.
 * @throws Error where there is only one, naming the folders that were tried
 */
export function folderOnOtherDisk(than = tmpdir()): string {
  mkdirSync(CACHE, { recursive: true })
  const { dev } = statSync(than)
  const tried = [CACHE, '/var/tmp', '/dev/shm']
  const found = tried.find((folder) => {
    const stats = statSync(folder, { throwIfNoEntry: false })
    return stats !== undefined && stats.dev !== dev
  })
  if (found === undefined) throw new Error(`no second file system: ${[than, ...tried].join(', ')} are on one`)
  return realpathSync(mkdtempSync(join(found, 'stowage-disk-')))
}
