import { readFile, rename, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { PlanVolume } from '../../../contract/dto/plan'
import { AppError } from '../../../primitives/appError'
import { pathForDisplay } from '../../../primitives/pathText'
import { attempt, cannot, fileFailure, fsPath, joinPath, textBytes } from '../../files/fileSystem'
import { withToolDirectory } from '../../files/scratch'
import { changedSince, checkSources } from '../../files/sourceCheck'
import { ensureFolder, flushFile, flushFolder, folderOf } from '../../files/write'
import type { FoundTool } from '../../tools/externalTool'
import { writeImage, xorrisoStartOptions } from '../../tools/xorriso'
import { lastNamesFirst, withParents } from '../../tools/xorrisoList'
import { listOfVolume } from '../export/writeVolumes'
import type { VolumeWork } from '../runs/runRecord'
import type { PlanFolder } from '../volume/planFolder'
import { readPlannedVolume } from '../volume/plannedLists'
import { type PlannedVolume, volumePlaces } from '../volume/plannedVolume'
import { type BuildOptions, withPartialPath } from './buildPlace'
import { changedContents } from './imageContents'
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
  tool: FoundTool,
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
  await checkCommands(folder, opened)
  const before = await checkSources(entries, options.signal)
  if (before.failures.length > 0) return { end: before.failures, sectors: null }
  ensureFolder(folderOf(image))
  return withPartialPath(options.notes, image, async (partial) => {
    await withToolDirectory(folder.directory, (directory) =>
      writeImage(
        {
          tool,
          startOptions: folder.plan.mastering.options,
          directory,
          list: places.list,
          signal: options.signal,
        },
        `${folderOf(places.image)}/${basename(partial)}`,
        (sectors) => options.onBytes(Math.floor(Math.min(sectors * SECTOR, planned) / 2)),
      ),
    )
    const changed = await changedSince(entries, before.stamps, options.signal)
    if (changed.length > 0) return { end: changed, sectors: null }
    const written = (await sizeOf(partial)) ?? 0
    if (written !== planned) {
      throw cannot('changed', 'build', image, `its size is ${written} bytes instead of ${planned}`)
    }
    // Writing and reading back are half of the work each.
    const wrong = await changedContents(partial, entries, {
      signal: options.signal,
      onBytes: (done) => options.onBytes(Math.floor((planned + Math.min(done, planned)) / 2)),
    })
    if (wrong.length > 0) return { end: wrong, sectors: null }
    await requireOwn(folder, volume, options.signal)
    await keep(partial, image)
    return { end: 'done', sectors: written / SECTOR }
  })
}

/**
 * xorriso's commands can write anywhere, and a plan's folder may come from anyone: only what this
 * program makes of the plan itself is carried out.
 * @throws AppError `bad-input`
 */
export async function checkCommands({ plan, directory }: PlanFolder, volume: PlannedVolume): Promise<void> {
  const path = joinPath(directory, volume.places.list)
  const found = await attempt('read', path, readFile(fsPath(path)))
  const options = xorrisoStartOptions(plan.mastering.volumeDateWallMs)
  // Older versions exported the entries in another order.
  const lists = [lastNamesFirst, withParents].map((order) => listOfVolume(plan, volume, order))
  if (isDeepStrictEqual(plan.mastering.options, options) && lists.some((list) => isText(found, list))) return
  const shown = pathForDisplay(path)
  const message = `cannot use ${shown}: its commands do not match this plan; export it again`
  throw new AppError('bad-input', message, { path })
}

function isText(found: Buffer, lines: Iterable<string>): boolean {
  let position = 0
  for (const line of lines) {
    const bytes = textBytes(line)
    if (!found.subarray(position, position + bytes.length).equals(bytes)) return false
    position += bytes.length
  }
  return position === found.length
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
