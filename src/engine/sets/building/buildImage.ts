import { rename, stat } from 'node:fs/promises'
import type { PlanVolume } from '../../../contract/dto/plan'
import { canSkipChanged } from '../../../domain/sets/ownImages'
import type { AppError } from '../../../primitives/appError'
import { said } from '../../../primitives/said'
import { attempt, cannot, fileFailure, fsPath, joinPath } from '../../files/fileSystem'
import { requireSpace } from '../../files/freeSpace'
import { changedSince, checkSources } from '../../files/sourceCheck'
import { ensureFolder, flushFile, flushFolder, folderOf } from '../../files/write'
import { type ChangedSources, writeImage } from '../mastering/writeImage'
import type { VolumeWork } from '../runs/runRecord'
import { restOf } from '../volume/lists/withoutSkipped'
import type { PlanFolder } from '../volume/planned/planFolder'
import { readPlannedVolume } from '../volume/planned/plannedLists'
import { type SizedVolume, volumePlaces } from '../volume/planned/plannedVolume'
import { type BuildOptions, withPartialPath } from './buildPlace'
import { requireOwn } from './requireOwn'
import { VolumeSources } from './volumeSources'

const SECTOR = 2048

/**
 * Builds the image of one volume next to its place and renames it into it when it has the planned
 * size, every file in it has the planned digest, and no source changed meanwhile; or without the
 * files that changed, where `choice` has it so. An image of the planned size that is there already
 * is kept unless `force` is set.
 * @returns what became of it and its sectors, or what is wrong with its sources
 * @throws AppError `exists`, `refused`, `no-space`, `changed`, `cancelled`, `tool-failed`
 */
export async function buildImage(
  folder: PlanFolder,
  volume: PlanVolume,
  options: BuildOptions,
): Promise<VolumeWork> {
  const places = volumePlaces(volume.index, folder.plan.volumes.length, folder.lists)
  const image = joinPath(folder.directory, places.image)
  const planned = volume.sectors * SECTOR
  const there = await sizeOf(image)
  if (there !== null && !options.force) {
    if (there === planned) return { end: 'kept', sectors: volume.sectors }
    throw cannot('exists', 'build', image, said`it already exists with ${there} bytes instead of ${planned}`)
  }
  const opened = await readPlannedVolume(folder, volume, options.signal)
  const write: WriteImage = async (changes, isWhole) => {
    ensureFolder(folderOf(image))
    await requireSpace(folderOf(image), planned, `build ${places.image}`)
    return withPartialPath(options.notes, image, async (partial) => {
      const wrong = await writeImage(folder, opened, partial, options, changes)
      if (wrong.length > 0) return wrong
      const changed = await isWhole()
      if (changed.length > 0) return changed
      const written = (await sizeOf(partial)) ?? 0
      if (written !== planned) {
        throw cannot('changed', 'build', image, said`its size is ${written} bytes instead of ${planned}`)
      }
      await requireOwn(folder, volume, options.signal)
      await keep(partial, image)
      return []
    })
  }
  return options.choice.mayLeaveOut && canSkipChanged(folder.plan)
    ? withoutChanged(opened, write, options)
    : fromPlanned(opened, write, options)
}

/** Makes the image and gives it its name. @returns what is wrong with the sources */
type WriteImage = (
  changes: ChangedSources | undefined,
  isWhole: () => Promise<AppError[]>,
) => Promise<AppError[]>

/** Makes an image of sources that are all as planned, before and after. */
async function fromPlanned(
  { entries, sectors }: SizedVolume,
  write: WriteImage,
  { signal }: BuildOptions,
): Promise<VolumeWork> {
  const { failures, stamps } = await checkSources(entries, signal)
  if (failures.length > 0) return { end: failures, sectors: null }
  const wrong = await write(undefined, () => changedSince(entries, stamps, signal))
  return wrong.length > 0 ? { end: wrong, sectors: null } : { end: 'done', sectors }
}

/**
 * Makes an image, and begins it again without the files whose planned content is gone, where that
 * is wanted. What is on the image is proved by its digests, so that nothing is looked at after it.
 */
async function withoutChanged(
  opened: SizedVolume,
  write: WriteImage,
  { choice, signal }: BuildOptions,
): Promise<VolumeWork> {
  const sources = new VolumeSources(opened, signal)
  for (let failures = await sources.look(); ; ) {
    const nothing = sources.nothingLeft
    if (nothing) return { end: [nothing], sectors: null }
    if (!(await choice.leavesOut(opened, failures))) return { end: failures, sectors: null }
    const { changes } = sources
    const wrong = await write(changes, async () => [])
    if (wrong.length === 0) {
      const volume = restOf(opened, changes.skipped)
      return { end: 'done', sectors: opened.sectors, volume, ...sources.outcome }
    }
    const noted = await sources.noteFailures(wrong)
    if (noted === null) return { end: wrong, sectors: null }
    // Another one may have changed by now: the image is begun once for all of them.
    failures = [...noted, ...(await sources.look())]
  }
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
