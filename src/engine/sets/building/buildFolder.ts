import { constants } from 'node:fs'
import { copyFile, lstat, mkdir, readdir } from 'node:fs/promises'
import type { PlanEntry, PlanVolume } from '../../../contract/dto/plan'
import { equalFiles } from '../../../domain/sets/packing/equalFiles'
import { storedEntries } from '../../../domain/sets/storedEntries'
import { type CopiedEntry, copyEntries } from '../../files/copy'
import { fileFailure, fsPath, joinPath } from '../../files/fileSystem'
import { replacePlace } from '../../files/place'
import { changedSince, checkSources } from '../../files/sourceCheck'
import { ensureFolder, folderOf } from '../../files/write'
import { flushTree } from '../../tools/flushTree'
import type { VolumeWork } from '../runs/runRecord'
import type { PlanFolder } from '../volume/planned/planFolder'
import { readPlannedVolume } from '../volume/planned/plannedLists'
import { volumePlaces } from '../volume/planned/plannedVolume'
import { type BuildOptions, withPartialPath } from './buildPlace'
import { requireOwn } from './requireOwn'

/**
 * Copies the files of one volume into a folder next to its place and renames it into it when all
 * are there. File systems that can clone share the blocks. A folder that is there already is kept
 * unless `force` is set.
 * @throws AppError `no-space`, `changed`, `cancelled`, …
 */
export async function buildFolder(
  folder: PlanFolder,
  volume: PlanVolume,
  options: BuildOptions,
): Promise<VolumeWork> {
  const places = volumePlaces(volume.index, folder.plan.volumes.length, folder.lists)
  const target = joinPath(folder.directory, places.folder)
  const isThere = await lstat(fsPath(target)).then(
    () => true,
    () => false,
  )
  if (isThere && !options.force) return { end: 'kept', sectors: await sectorsUsed(folder, target) }
  const { entries, payloadName } = await readPlannedVolume(folder, volume, options.signal)
  const before = await checkSources(entries, options.signal)
  if (before.failures.length > 0) return { end: before.failures, sectors: null }
  ensureFolder(folderOf(target))
  return withPartialPath(options.notes, target, async (partial) => {
    try {
      await mkdir(fsPath(partial))
      await copyEntries(
        folder.plan.equalFiles ? withLinks(storedEntries(entries)) : storedEntries(entries),
        partial,
        options,
      )
      await copyPayload(
        joinPath(folder.directory, places.payload, payloadName),
        joinPath(partial, payloadName),
      )
      const changed = await changedSince(entries, before.stamps, options.signal)
      if (changed.length > 0) return { end: changed, sectors: null }
      await flushTree(partial, options.signal)
      // Copying takes long: something may have been added to the old one meanwhile.
      await requireOwn(folder, volume, options.signal)
      await replacePlace(options.notes, partial, target)
      return { end: 'done', sectors: await sectorsUsed(folder, target) }
    } catch (thrown) {
      throw fileFailure(thrown, 'write', target)
    }
  })
}

/** Files that are to be further names of one with the same content. */
export function withLinks(entries: readonly PlanEntry[]): CopiedEntry[] {
  const equal = equalFiles(entries)
  return entries.map((entry) => (entry.kind === 'file' ? { ...entry, sameAs: equal.get(entry.path) } : entry))
}

export async function copyPayload(from: string, to: string): Promise<void> {
  await mkdir(fsPath(to))
  for (const name of await readdir(fsPath(from), 'utf8')) {
    await copyFile(fsPath(joinPath(from, name)), fsPath(joinPath(to, name)), constants.COPYFILE_FICLONE)
  }
}

/**
 * Allocated bytes of everything below a folder, in units of the plan's medium: what the copy really
 * takes here.
 */
async function sectorsUsed(folder: PlanFolder, path: string): Promise<number> {
  let allocated = 0
  const counted = new Set<number>()
  const add = async (at: Buffer): Promise<void> => {
    const stats = await lstat(at)
    // A file with several names takes its space once.
    if (!stats.isDirectory() && counted.has(stats.ino)) return
    counted.add(stats.ino)
    allocated += stats.blocks * 512
    if (!stats.isDirectory()) return
    for (const name of await readdir(at, { encoding: 'buffer' }))
      await add(Buffer.concat([at, Buffer.from('/'), name]))
  }
  await add(fsPath(path))
  return Math.ceil(allocated / folder.plan.medium.sectorBytes)
}
