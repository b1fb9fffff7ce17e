import { rename, stat } from 'node:fs/promises'
import type { PlanVolume } from '../../../contract/dto/plan'
import { attempt, cannot, fileFailure, fsPath, joinPath } from '../../files/fileSystem'
import { requireSpace } from '../../files/freeSpace'
import { changedSince, checkSources } from '../../files/sourceCheck'
import { ensureFolder, flushFile, flushFolder, folderOf } from '../../files/write'
import type { ImageMaker } from '../mastering/imageMaker'
import type { VolumeWork } from '../runs/runRecord'
import type { PlanFolder } from '../volume/planFolder'
import { readPlannedVolume } from '../volume/plannedLists'
import { volumePlaces } from '../volume/plannedVolume'
import { type BuildOptions, withPartialPath } from './buildPlace'
import { requireOwn } from './requireOwn'

const SECTOR = 2048

/**
 * Builds the image of one volume next to its place and renames it into it when it has the planned
 * size, every file in it has the planned digest, and no source changed meanwhile. An image of the
 * planned size that is there already is kept unless `force` is set.
 * @returns what became of it and its sectors, or what is wrong with its sources
 * @throws AppError `exists`, `refused`, `no-space`, `changed`, `cancelled`, `tool-failed`
 */
export async function buildImage(
  folder: PlanFolder,
  volume: PlanVolume,
  maker: ImageMaker,
  options: BuildOptions,
): Promise<VolumeWork> {
  const places = volumePlaces(volume.index, folder.plan.volumes.length, folder.lists)
  const image = joinPath(folder.directory, places.image)
  const planned = volume.sectors * SECTOR
  const there = await sizeOf(image)
  if (there !== null && !options.force) {
    if (there === planned) return { end: 'kept', sectors: volume.sectors }
    throw cannot('exists', 'build', image, `it already exists with ${there} bytes instead of ${planned}`)
  }
  const opened = await readPlannedVolume(folder, volume, options.signal)
  const { entries } = opened
  const before = await checkSources(entries, options.signal)
  if (before.failures.length > 0) return { end: before.failures, sectors: null }
  ensureFolder(folderOf(image))
  await requireSpace(folderOf(image), planned, `build ${places.image}`)
  return withPartialPath(options.notes, image, async (partial) => {
    const wrong = await maker.write(folder, opened, partial, options)
    if (wrong.length > 0) return { end: wrong, sectors: null }
    const changed = await changedSince(entries, before.stamps, options.signal)
    if (changed.length > 0) return { end: changed, sectors: null }
    const written = (await sizeOf(partial)) ?? 0
    if (written !== planned) {
      throw cannot('changed', 'build', image, `its size is ${written} bytes instead of ${planned}`)
    }
    await requireOwn(folder, volume, options.signal)
    await keep(partial, image)
    return { end: 'done', sectors: written / SECTOR }
  })
}

async function keep(partial: string, image: string): Promise<void> {
  await attempt('write', image, async () => {
    await flushFile(partial)
    await rename(fsPath(partial), fsPath(image))
    await flushFolder(folderOf(image))
  })
}

async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(fsPath(path))).size
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw fileFailure(thrown, 'read', path)
  }
}
