import { readdir } from 'node:fs/promises'
import type { SetAside } from '../../../contract/dto/job'
import { AppError } from '../../../primitives/appError'
import { pathForDisplay, pathFromBytes } from '../../../primitives/pathText'
import { formatCounted, formatSize } from '../../../primitives/quantity'
import { said } from '../../../primitives/said'
import { isoDay } from '../../../primitives/spokenTime'
import type { Catalog } from '../../catalog/catalog'
import { attempt, fileFailure, fsPath, joinPath, lstatAt } from '../../files/fileSystem'
import { planIdIn } from '../../files/read'
import { pausing } from '../../jobs/slowly'
import { throwIfAborted } from '../../jobs/throwIfAborted'

/**
 * A free name for a replaced plan folder: `/plans/a.replaced-2026-11-25` (the local day), then
 * `…-2`, `…-3`.
 */
export function asidePath(directory: string, wallMs: number): string {
  const first = `${directory}.replaced-${isoDay(wallMs)}`
  let path = first
  for (let number = 2; lstatAt(path) !== null; number++) path = `${first}-${number}`
  return path
}

/**
 * Counts the files below a folder, a file with several names once, and sums their bytes. Links are
 * not followed.
 * @throws AppError `cancelled`, `permission-denied`, `io`
 */
export async function sizeBelow(folder: string, signal?: AbortSignal): Promise<Omit<SetAside, 'path'>> {
  const pause = pausing(() => throwIfAborted(signal))
  const seen = new Set<string>()
  let bytes = 0n
  const folders = [folder]
  for (const path of folders) {
    const entries = await attempt(
      'read',
      path,
      readdir(fsPath(path), { withFileTypes: true, encoding: 'buffer' }),
    )
    for (const entry of entries) {
      await pause()
      const at = joinPath(path, pathFromBytes(entry.name))
      if (entry.isDirectory()) folders.push(at)
      if (!entry.isFile()) continue
      const facts = lstatAt(at)
      if (facts === null || seen.has(`${facts.dev}:${facts.ino}`)) continue
      seen.add(`${facts.dev}:${facts.ino}`)
      bytes += facts.size
    }
  }
  return { files: seen.size, bytes: Number(bytes) }
}

/**
 * Returns the error for a new plan that could not be written next to the plan that it replaces. A
 * full disk is reported with the size of both.
 * @param partial the folder of the new plan, as far as it was written
 */
export async function besideFailure(thrown: unknown, directory: string, partial: string): Promise<AppError> {
  const failure = fileFailure(thrown, 'export the plan to', directory)
  if (failure.code !== 'no-space') return failure
  const made = lstatAt(partial) === null ? 0 : (await sizeBelow(partial)).bytes
  const old = await sizeBelow(directory)
  const message = said`cannot replace the plan in ${pathForDisplay(directory)}: no space left after ${formatSize(made)} of the new plan, and the old one is kept (${sizeText(old)})`
  return new AppError('no-space', message, { path: directory })
}

/** `12 files, 3.4 GB`. */
export function sizeText({ files, bytes }: Omit<SetAside, 'path'>): string {
  return `${formatCounted(files, 'file')}, ${formatSize(bytes)}`
}

/**
 * Records where a plan of the catalog is now, unless it is still where the catalog has it. May be
 * called again after a kill.
 */
export function followPlan(catalog: Pick<Catalog, 'ownPlaces' | 'planExported'>, aside: string): void {
  const id = planIdIn(aside)
  const known = catalog.ownPlaces().plans.find((plan) => plan.id === id)
  if (known && planIdIn(known.directory) !== id) catalog.planExported(known.id, aside)
}
