import { open, stat } from 'node:fs/promises'
import type { ParityKind } from '../../../domain/sets/protection/setParity'
import { AppError } from '../../../primitives/appError'
import { pathForDisplay } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import { attempt, cannot, fsPath } from '../../files/fileSystem'
import type { FilePart } from '../../native/protection'
import { openDamagedImage } from '../volume/image/damagedImage'
import { PARITY_LIST, type ParityRow } from '../volume/lists/parityTsv'
import { readmeFacts, readmeOf } from '../volume/open/givenVolumes'
import { openParity } from '../volume/open/openParity'
import { builtPath, isBuilt, openPlanFolder, volumesWithParity } from '../volume/planned/planFolder'

/** An image, or the parity on its disc, as it must be. */
interface SetPart extends FilePart {
  readonly label: string
  readonly sha256: string
}

/** The discs of a set with parity that are there. */
export interface GivenSet {
  /** The plan that its parity discs name; null where they do not. */
  readonly planId: string | null
  readonly rows: readonly ParityRow[]
  /** By their numbers. */
  readonly images: ReadonlyMap<number, SetPart>
  readonly parity: ReadonlyMap<ParityKind, SetPart>
}

/**
 * Opens the discs of a set by their labels and the list on its parity discs.
 * @param paths images, devices and plan folders
 * @throws AppError `not-found` without a parity disc, `refused` for a folder, for discs of several
 *   sets or one that is not of this one, `io`
 */
export async function givenSet(paths: readonly string[]): Promise<GivenSet> {
  const volumes = await Promise.all((await imagesAt(paths)).map((path) => openDamagedImage(path)))
  let rows: readonly ParityRow[] | null = null
  let planId: string | null = null
  const parity = new Map<ParityKind, SetPart>()
  const others: typeof volumes = []
  for (const volume of volumes) {
    const opened = await openParity(volume)
    if (!opened) {
      others.push(volume)
      continue
    }
    const { kind, rows: listed, own, place } = opened
    planId ??= readmeFacts(await readmeOf(volume, own)).planId
    if (rows && JSON.stringify(rows) !== JSON.stringify(listed))
      throw cannot('refused', 'use', volume.path, said`it is a parity disc of another set`)
    rows = listed
    const row = listed.find((each) => each.kind === kind)
    if (row) parity.set(kind, { path: place.file, offset: place.offset, bytes: place.bytes, ...partOf(row) })
  }
  if (!rows)
    throw new AppError(
      'not-found',
      said`no parity disc is among the volumes given (no ${PARITY_LIST}): without one nothing can be rebuilt`,
    )
  const images = new Map<number, SetPart>()
  for (const { label, path } of others) {
    const row = rows.find((each) => each.kind === 'image' && each.label === label)
    if (!row)
      throw cannot(
        'refused',
        'use',
        path,
        said`its label ${label ?? ''} is not in the list of the parity disc`,
      )
    await requireLength(path, row)
    images.set(row.number, { path, offset: 0, bytes: row.bytes, ...partOf(row) })
  }
  return { planId, rows, images, parity }
}

function partOf({ label, sha256 }: ParityRow): Pick<SetPart, 'label' | 'sha256'> {
  return { label, sha256 }
}

async function imagesAt(paths: readonly string[]): Promise<string[]> {
  const images: string[] = []
  for (const path of paths) {
    const stats = await attempt('read', path, stat(fsPath(path)))
    if (!stats.isDirectory()) images.push(path)
    else {
      const folder = await openPlanFolder(path).catch(() => null)
      if (!folder)
        throw cannot('refused', 'use', path, said`it is a folder; give the image, or the device of the disc`)
      for (const volume of volumesWithParity(folder.plan))
        if (isBuilt(folder, volume)) images.push(builtPath(folder, volume.index))
    }
  }
  return images
}

/** @throws AppError `verification-failed` where a file ends before its image does */
async function requireLength(path: string, { bytes, label }: ParityRow): Promise<void> {
  await using file = await attempt('read', path, open(fsPath(path)))
  const { bytesRead } = await attempt('read', path, file.read(new Uint8Array(1), 0, 1, bytes - 1))
  if (bytesRead > 0) return
  throw new AppError(
    'verification-failed',
    said`cannot use ${pathForDisplay(path)} (${label}): it is shorter than its image was; repair it first, or leave it out`,
    { path },
  )
}
