import { existsSync, rmSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { AppError } from '../../primitives/appError'
import { pathForDisplay } from '../../primitives/pathText'
import type { Catalog } from '../catalog/catalog'
import { fileFailure, fsPath, joinPath } from '../exporters/fileSystem'
import { newId } from '../newId'

/** Builds work in folders of this name beside what they make. */
const PREFIX = '.stowage-option'

/**
 * Lends a folder beside a path, noted in the catalog before it is made, and removes it with all that is in it in the end.
 * @throws AppError of `work`, or for a folder that cannot be made
 */
export async function inBuildFolder<T>(
  catalog: Pick<Catalog, 'noteBuildFolder' | 'buildFolderGone'>,
  path: string,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = joinPath(dirname(path), newId(PREFIX))
  const noted = catalog.noteBuildFolder(folder)
  try {
    try {
      await mkdir(fsPath(folder), { mode: 0o700 })
    } catch (thrown) {
      throw fileFailure(thrown, 'write', dirname(path))
    }
    return await work(folder)
  } finally {
    await rm(fsPath(folder), { recursive: true, force: true, maxRetries: 3 })
    catalog.buildFolderGone(noted)
  }
}

/**
 * Removes the folders that killed builds left. Only what bears their name and stands in the catalog is touched, and nothing that
 * a living process of ours may still use. Never throws.
 */
export function removeBuildLeftOvers(catalog: Pick<Catalog, 'buildFolders' | 'buildFolderGone'>): {
  removed: string[]
  problems: string[]
} {
  const removed: string[] = []
  const problems: string[] = []
  for (const noted of catalog.buildFolders()) {
    try {
      if (!basename(noted.path).startsWith(`${PREFIX}-`) || isAlive(noted.ownerPid)) continue
      // A volume that is not mounted has no folder, which does not mean that the folder is gone.
      if (!existsSync(fsPath(dirname(noted.path)))) continue
      if (existsSync(fsPath(noted.path))) {
        rmSync(fsPath(noted.path), { recursive: true, force: true })
        removed.push(noted.path)
      }
      catalog.buildFolderGone(noted)
    } catch (thrown) {
      problems.push(`cannot remove ${pathForDisplay(noted.path)}: ${AppError.from(thrown).message}`)
    }
  }
  return { removed, problems }
}

function isAlive(pid: number): boolean {
  if (pid === process.pid) return true
  try {
    process.kill(pid, 0)
    return true
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'EPERM'
  }
}
