import { access, readFile } from 'node:fs/promises'
import type { PlanVolume } from '../../../contract/dto/plan'
import { makesImages } from '../../../domain/sets/ownImages'
import { AppError } from '../../../primitives/appError'
import { said } from '../../../primitives/said'
import { attempt, fsPath, joinPath } from '../../files/fileSystem'
import { withToolDirectory } from '../../files/scratch'
import type { FoundTool } from '../../tools/externalTool'
import { hasVolumeLists } from '../pack/streamedPlan'
import { recoveryPlaces } from '../recovery/recoveryPlaces'
import { openDamagedImage } from '../volume/image/damagedImage'
import { readableIndex } from '../volume/lists/setIndex'
import { openFolder } from '../volume/lists/volume'
import { asBuilt, type BuiltVolume } from '../volume/open/asBuilt'
import { contentsOf } from '../volume/open/expectedFiles'
import { buffered, readBackTree } from '../volume/open/readBack'
import { placedByIndex } from '../volume/open/volumeLists'
import { INDEX_NAME } from '../volume/planned/ownNames'
import type { PlanFolder } from '../volume/planned/planFolder'
import { readPlannedVolume } from '../volume/planned/plannedLists'
import type { OpenedVolume } from './judgedVolume'
import { heldOf } from './packedContents'
import { type BuiltReading, verifyImage } from './verifyImage'

/** A volume in the folder of its plan, which says all that must be on it and nothing else. */
export interface OpenedBuilt extends OpenedVolume<BuiltReading> {
  readonly built: BuiltVolume
}

/**
 * Opens a built volume of a plan: an image however damaged its folders are. Recovery data is looked
 * for in images alone.
 * @param tool 7-Zip where it reads the images; null where Stowage alone does
 * @throws AppError `not-found` where it is not built, and as `readPlannedVolume`
 */
export async function openBuilt(
  folder: PlanFolder,
  planned: PlanVolume,
  tool: FoundTool | null,
  signal: AbortSignal,
): Promise<OpenedBuilt> {
  const { directory, plan } = folder
  const { label, bytes } = planned
  if (!hasVolumeLists(folder, planned.index)) throw notBuilt(label)
  const given = await readPlannedVolume(folder, planned, signal)
  const isImage = plan.medium.kind === 'image'
  const name = isImage ? given.places.image : given.places.folder
  const place = joinPath(directory, name)
  if (!(await isThere(place))) throw notBuilt(label, name)
  const opened = isImage ? await openDamagedImage(place) : await openFolder(place)
  const built = await asBuilt(directory, given, isImage ? opened : null)
  const { volume, expected } = built
  const about = {
    label: volume.label,
    own: volume.payloadName,
    expected: contentsOf(expected),
    held: heldOf(volume.entries),
    bytes,
    built,
  }
  if (!isImage) {
    const { sectors } = volume
    const read: OpenedBuilt['read'] = async (watch) => {
      return { ...(await readBackTree(opened, expected, buffered, watch)), sectors }
    }
    return { ...about, volume: opened, recovery: null, read }
  }
  const listed = joinPath(directory, volume.places.payload, volume.payloadName, INDEX_NAME)
  const index = readableIndex(await attempt('read', listed, readFile(fsPath(listed))))
  const image = placedByIndex(opened, index, volume.index)
  const hasUdf = makesImages(plan)
  return {
    ...about,
    volume: image.files,
    recovery: await recoveryPlaces(opened, volume.payloadName, signal),
    read: (watch) =>
      withToolDirectory(directory, (cwd) =>
        verifyImage(volume, { ...image, hasUdf, reader: tool && { tool, cwd } }, expected, watch),
      ),
  }
}

function notBuilt(label: string, missing?: string): AppError {
  const what = missing === undefined ? '' : said` (no ${missing})`
  return new AppError('not-found', said`cannot verify ${label}: it is not built yet${what}`)
}

function isThere(path: string): Promise<boolean> {
  return access(fsPath(path)).then(
    () => true,
    (thrown: NodeJS.ErrnoException) => thrown.code !== 'ENOENT',
  )
}
