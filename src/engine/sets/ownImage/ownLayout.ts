import { createHash } from 'node:crypto'
import type { PlanDocument } from '../../../contract/dto/plan'
import { APP_VERSION } from '../../../contract/version'
import {
  type ImageContents,
  imageContents,
  type OtherSources,
  type OwnFile,
} from '../../discImages/imageEntries'
import { layOutImage, type RawImageLayout } from '../../native/discImage'
import type { PlannedVolume } from '../volume/plannedVolume'
import { keptPlaces } from './keptPlaces'
import { withRecovery } from './recoveryFiles'

/** The facts of a plan that its images follow from. */
type ImagedPlan = Pick<PlanDocument, 'id' | 'equalFiles'> & {
  readonly mastering: Pick<PlanDocument['mastering'], 'volumeDateWallMs'>
}

/** The layout of one of Stowage's own images, and what it is of. */
export interface OwnLayout {
  readonly layout: RawImageLayout
  readonly contents: ImageContents
}

/** The differences of an image from its plan. */
interface Changes {
  /** The layout by the plan, whose places and length stay; absent where nothing is left out. */
  readonly planned?: OwnLayout
  readonly otherSources?: OtherSources
}

/**
 * The layout of the image of a volume.
 * @param own Stowage's own files on it
 * @throws AppError `cannot-fit` for an image that is larger than any can be
 */
export async function ownLayout(
  plan: ImagedPlan,
  volume: PlannedVolume,
  own: readonly OwnFile[],
  { planned, otherSources }: Changes = {},
): Promise<OwnLayout> {
  const dateWallMs = plan.mastering.volumeDateWallMs
  const equalOnce = plan.equalFiles === 'once'
  const contents = imageContents(volume, { own, dateWallMs, equalOnce, otherSources })
  const names = {
    label: volume.label,
    uniqueId: uniqueId(plan.id, volume.index),
    application: `STOWAGE ${APP_VERSION}`,
    madeSeconds: Math.floor(dateWallMs / 1000),
  }
  const places = planned && keptPlaces(planned, contents, volume.label)
  return { layout: await layOutImage(contents.entries, names, places), contents }
}

/**
 * The first sector of every file with content on the image of a volume, by its path. It does not
 * depend on how long Stowage's own lists are, only on their names.
 * @throws AppError `cannot-fit`
 */
export async function firstSectors(
  plan: ImagedPlan,
  volume: PlannedVolume,
  ownNames: readonly string[],
): Promise<(path: string) => number | undefined> {
  const own = ownNames.map((name) => ({ name, bytes: 1, source: null }))
  const { layout, contents } = await ownLayout(plan, volume, withRecovery(own, volume.protection))
  const sectors = layout.firstSectors()
  return (path) => sectors[contents.numbers.get(path) ?? 0] || undefined
}

/** Sixteen hexadecimal digits that tell the images of all plans apart. */
function uniqueId(planId: string, index: number): string {
  return createHash('sha256').update(`${planId}/${index}`).digest('hex').slice(0, 16)
}
