import { createHash } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import { APP_VERSION } from '../../../contract/version'
import { OWN_IMAGES } from '../../../domain/sets/imageBuilder'
import { AppError } from '../../../primitives/appError'
import { pathForDisplay } from '../../../primitives/pathText'
import { attemptAtOnce, cannot, fsPath } from '../../files/fileSystem'
import { contentChanged } from '../../files/sourceCheck'
import { layOutImage, type RawImageLayout, writeDiscImage } from '../../native/discImage'
import type { PlanBeforeSizing } from '../export/planBeforeSizing'
import type { PlanFolder } from '../volume/planFolder'
import type { PlannedVolume, SizedVolume } from '../volume/plannedVolume'
import { type ImageContents, imageContents } from './imageEntries'
import type { ImageMaker } from './imageMaker'

/**
 * Stowage's own images: ISO 9660 with Rock Ridge, and UDF 1.02 over the same bytes. The layout is
 * the forecast; every source is read once, and hashed as it is written.
 */
export const ownMaker: ImageMaker = {
  tool: OWN_IMAGES,
  version: APP_VERSION,
  options: () => [],
  async sectors(plan, volume, directory) {
    const { layout } = await laidOut(plan, volume, directory)
    return layout.sectors()
  },
  async write(folder, volume, partial, watch) {
    const output = attemptAtOnce('write', partial, () => openSync(fsPath(partial), 'wx'))
    try {
      return await writeTo(folder, volume, output, watch)
    } finally {
      closeSync(output)
    }
  },
  async stream(folder, volume, file, { signal }) {
    const [wrong] = await writeTo(folder, volume, file, { signal })
    if (wrong) throw wrong
  },
}

async function writeTo(
  folder: PlanFolder,
  volume: SizedVolume,
  output: number,
  watch: Parameters<typeof writeDiscImage>[3],
): Promise<AppError[]> {
  const { layout, contents } = await laidOut(folder.plan, volume, folder.directory)
  if (layout.sectors() !== volume.sectors)
    throw cannot('changed', 'build', volume.label, 'its files do not make an image of the planned size')
  const failure = await writeDiscImage(layout, output, contents.sources, watch)
  if (failure === null) return []
  if (failure.entry === null)
    throw new AppError(failure.code, `cannot write the image of ${volume.label}: ${failure.cause}`)
  const source = contents.sourceOf.get(failure.entry)
  if (source === undefined)
    throw new AppError(failure.code, `cannot read a list of ${volume.label}: ${failure.cause}`)
  if (failure.code === 'changed') return [contentChanged(source)]
  return [
    new AppError(failure.code, `cannot read ${pathForDisplay(source)}: ${failure.cause}`, { path: source }),
  ]
}

async function laidOut(
  plan: PlanBeforeSizing,
  volume: PlannedVolume,
  directory: string,
): Promise<{ readonly layout: RawImageLayout; readonly contents: ImageContents }> {
  const dateWallMs = plan.mastering.volumeDateWallMs
  const equalOnce = plan.equalFiles === 'once'
  const contents = await imageContents(volume, { directory, dateWallMs, equalOnce })
  const layout = await layOutImage(contents.entries, {
    label: volume.label,
    uniqueId: uniqueId(plan.id, volume.index),
    application: `STOWAGE ${APP_VERSION}`,
    madeSeconds: Math.floor(dateWallMs / 1000),
  })
  return { layout, contents }
}

/** Sixteen hexadecimal digits that tell the images of all plans apart. */
function uniqueId(planId: string, index: number): string {
  return createHash('sha256').update(`${planId}/${index}`).digest('hex').slice(0, 16)
}
