import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import type { PlanVolume } from '../../contract/dto/plan'
import { AppError } from '../../primitives/appError'
import { pathForDisplay } from '../../primitives/pathText'
import { fileFailure, fsPath, joinPath } from '../exporters/fileSystem'
import type { FoundTool } from '../tools/externalTool'
import { writeImage } from '../tools/xorriso'
import { type PlanFolder, placesOf, readEntries } from './planFolder'
import type { VolumeWork } from './runRecord'
import { changedSince, checkSources } from './sourceCheck'
import { withToolDirectory } from './toolDirectory'

const SECTOR = 2048

/**
 * Builds the image of one volume beside its place and renames it into it when it has the planned size and no source
 * changed meanwhile. An image of the planned size that is there already is kept unless `force` is set.
 * @returns what became of it and its sectors, or what is wrong with its sources
 * @throws AppError `exists`, `no-space`, `changed`, `cancelled`, `tool-failed`
 */
export async function buildImage(
  folder: PlanFolder,
  volume: PlanVolume,
  tool: FoundTool,
  options: { force: boolean; signal: AbortSignal; onBytes: (done: number) => void },
): Promise<VolumeWork> {
  const places = placesOf(folder, volume.index)
  const image = joinPath(folder.directory, places.image)
  const planned = volume.sectors * SECTOR
  const there = await sizeOf(image)
  if (there !== null && !options.force) {
    if (there === planned) return { end: 'kept', sectors: volume.sectors }
    const message = `cannot build ${pathForDisplay(image)}: it is there already with ${there} bytes instead of ${planned}`
    throw new AppError('exists', message, { path: image })
  }
  const entries = await readEntries(folder, volume.index)
  const before = await checkSources(entries, options.signal)
  if (before.failures.length > 0) return { end: before.failures, sectors: null }
  const partial = `${image}.partial`
  await prepare(folder, partial)
  try {
    await withToolDirectory(folder.directory, (directory) =>
      writeImage(
        {
          tool,
          startOptions: folder.plan.mastering.options,
          directory,
          list: places.list,
          signal: options.signal,
        },
        `${places.image}.partial`,
        (sectors) => options.onBytes(Math.min(sectors * SECTOR, planned)),
      ),
    )
    const changed = await changedSince(entries, before.stamps, options.signal)
    if (changed.length > 0) return { end: changed, sectors: null }
    const written = (await sizeOf(partial)) ?? 0
    if (written !== planned) {
      const message = `cannot build ${pathForDisplay(image)}: it came to ${written} bytes instead of ${planned}`
      throw new AppError('changed', message, { path: image })
    }
    await keep(partial, image)
    return { end: 'done', sectors: written / SECTOR }
  } finally {
    await rm(fsPath(partial), { force: true })
  }
}

async function prepare(folder: PlanFolder, partial: string): Promise<void> {
  const images = joinPath(folder.directory, 'images')
  try {
    await mkdir(fsPath(images), { recursive: true })
    // What a killed build left behind.
    await rm(fsPath(partial), { force: true })
  } catch (thrown) {
    throw fileFailure(thrown, 'write to', images)
  }
}

async function keep(partial: string, image: string): Promise<void> {
  try {
    const file = await open(fsPath(partial), 'r+')
    try {
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(fsPath(partial), fsPath(image))
  } catch (thrown) {
    throw fileFailure(thrown, 'write', image)
  }
}

async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(fsPath(path))).size
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw fileFailure(thrown, 'read', path)
  }
}
