import { closeSync, openSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import type { ParityDisc, PlanDocument } from '../../../contract/dto/plan'
import { parityFactor } from '../../../domain/sets/protection/lostImage'
import { AppError } from '../../../primitives/appError'
import { pathForDisplay, pathToBytes } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import { attempt, attemptAtOnce, cannot, fsPath, lstatAt } from '../../files/fileSystem'
import { requireSpace } from '../../files/freeSpace'
import { ensureFolder, flushFile, flushFolder, folderOf, writeAllAtOnce } from '../../files/write'
import { combineFiles } from '../../native/combining'
import { writeDiscImage } from '../../native/discImage'
import type { FilePart } from '../../native/protection'
import { blankRows, parityLayout } from '../parity/parityImage'
import { WEIGHTS } from '../runs/buildWork'
import type { VolumeWork } from '../runs/volumeProgress'
import type { ParityRow } from '../volume/lists/parityTsv'
import { builtPath, isBuilt, type PlanFolder } from '../volume/planned/planFolder'
import { type BuildOptions, withPartialPath } from './buildPlace'
import { isImage, isOwnImage } from './requireOwn'

const SECTOR = 2048

/** The work on a parity disc; all are made together, in the turn of the first. */
export function parityWork(
  { volumes, parity = [] }: Pick<PlanDocument, 'volumes' | 'parity'>,
  isFirst: boolean,
): VolumeWork[] {
  if (!isFirst) return []
  const sum = (discs: readonly { readonly sectors: number }[]): number =>
    SECTOR * discs.reduce((all, { sectors }) => all + sectors, 0)
  return [
    { kind: 'reading', bytes: sum(volumes) },
    { kind: 'writing', bytes: sum(parity), weight: WEIGHTS.writing },
  ]
}

/**
 * True when all parity images are there, of the planned size and newer than those of the volumes.
 */
export function isParityBuilt(folder: PlanFolder): boolean {
  const { volumes, parity = [] } = folder.plan
  const made = (disc: { readonly index: number }): bigint =>
    lstatAt(builtPath(folder, disc.index))?.mtimeNs ?? 0n
  return parity.every(
    (disc) =>
      isBuilt(folder, disc) &&
      isImage(builtPath(folder, disc.index), disc) &&
      volumes.every((volume) => made(volume) <= made(disc)),
  )
}

/**
 * Makes the images of all parity discs of a plan from those of its volumes, which are read once,
 * and renames them to their places when they are whole.
 * @throws AppError `not-found` where an image is not built, `refused` for a foreign file at the
 *   place of one, `no-space`, `cancelled`, …
 */
export async function buildParity(
  folder: PlanFolder,
  options: Pick<BuildOptions, 'notes' | 'signal' | 'onBytes'>,
): Promise<void> {
  const { plan } = folder
  const { parity = [] } = plan
  const images = await imagesOf(folder)
  const bytes = parity.reduce((sum, { sectors }) => sum + sectors * SECTOR, 0)
  for (const disc of parity) {
    const path = builtPath(folder, disc.index)
    if (lstatAt(path) !== null && !(await isOwnImage(path, disc, plan)))
      throw cannot(
        'refused',
        'build',
        path,
        said`move it away first, as Stowage did not make it for this plan`,
      )
  }
  const [first] = parity
  if (!first) return
  const place = folderOf(builtPath(folder, first.index))
  ensureFolder(place)
  await requireSpace(place, bytes, 'build parity')
  await withPartials(folder, parity, options, async (partials) => {
    const rows = await writeParity(folder, parity, images, partials, options)
    let done = images.reduce((sum, image) => sum + image.bytes, 0)
    for (const [at, disc] of parity.entries()) {
      const before = done
      const onBytes = (written: number): void => options.onBytes(before + written)
      await writeAround(folder, disc, partials[at] as string, rows, { signal: options.signal, onBytes })
      done += disc.sectors * SECTOR
    }
    for (const [at, disc] of parity.entries()) {
      const path = builtPath(folder, disc.index)
      await attempt('write', path, async () => {
        await flushFile(partials[at] as string)
        await rename(fsPath(partials[at] as string), fsPath(path))
        await flushFolder(folderOf(path))
      })
    }
  })
}

/** @throws AppError `not-found` for one that is not built */
async function imagesOf(folder: PlanFolder): Promise<FilePart[]> {
  const parts: FilePart[] = []
  for (const volume of folder.plan.volumes) {
    const path = builtPath(folder, volume.index)
    if (lstatAt(path) === null || !(await isOwnImage(path, volume, folder.plan)))
      throw new AppError(
        'not-found',
        said`cannot make parity: the image of ${volume.label} is not built; build all volumes first`,
        { path },
      )
    parts.push({ path, offset: 0, bytes: volume.sectors * SECTOR })
  }
  return parts
}

async function withPartials(
  folder: PlanFolder,
  [disc, ...rest]: readonly ParityDisc[],
  options: Pick<BuildOptions, 'notes'>,
  work: (partials: readonly string[]) => Promise<void>,
): Promise<void> {
  if (!disc) return work([])
  await withPartialPath(options.notes, builtPath(folder, disc.index), (partial) =>
    withPartials(folder, rest, options, (others) => work([partial, ...others])),
  )
}

/** Writes the parity to its places in new images. @returns the list of the set, with all digests */
async function writeParity(
  { plan }: PlanFolder,
  parity: readonly ParityDisc[],
  images: readonly FilePart[],
  partials: readonly string[],
  { signal, onBytes }: Pick<BuildOptions, 'signal' | 'onBytes'>,
): Promise<ParityRow[]> {
  const blank = blankRows(plan.volumes, parity)
  const files: number[] = []
  try {
    for (const [at, disc] of parity.entries()) {
      const path = partials[at] as string
      const { layout, sector } = await parityLayout(plan, disc, blank)
      if (layout.sectors() !== disc.sectors)
        throw cannot('changed', 'build', disc.label, said`its image does not get the planned size`)
      const file = attemptAtOnce('write', path, () => openSync(fsPath(path), 'wx'))
      files.push(file)
      attemptAtOnce('write', path, () => writeAllAtOnce(file, new Uint8Array(sector * SECTOR), path))
    }
    const bytes = Math.max(...images.map((image) => image.bytes))
    const found = await combineFiles(
      images,
      parity.map(({ kind }, at) => ({
        output: { fd: files[at] as number, path: partials[at] as string },
        bytes,
        factors: plan.volumes.map(({ index }) => parityFactor(kind, index)),
      })),
      { signal, onBytes },
    )
    const digests = [...found.files, ...found.combinations]
    return blank.map(({ number, kind, label, bytes: length }, at) => {
      return { number, kind, label, bytes: length, sha256: digests[at] as string }
    })
  } finally {
    for (const file of files) closeSync(file)
  }
}

/** Writes the image of a parity disc, in which the parity lies in its place already. */
async function writeAround(
  { plan }: PlanFolder,
  disc: ParityDisc,
  partial: string,
  rows: readonly ParityRow[],
  watch: Pick<BuildOptions, 'signal' | 'onBytes'>,
): Promise<void> {
  const { layout, contents, sector, entry } = await parityLayout(plan, disc, rows)
  const sha256 = rows.find(({ kind }) => kind === disc.kind)?.sha256 ?? ''
  const parity = {
    entry,
    path: pathToBytes(partial),
    offset: sector * SECTOR,
    sha256: Buffer.from(sha256, 'hex'),
  }
  const file = attemptAtOnce('write', partial, () => openSync(fsPath(partial), 'r+'))
  try {
    const failure = await writeDiscImage(layout, file, [...contents.origins().sources, parity], watch)
    if (failure)
      throw new AppError(
        failure.code,
        said`cannot write the image of ${disc.label} to ${pathForDisplay(partial)}: ${failure.cause}`,
      )
  } finally {
    closeSync(file)
  }
}
