import { z } from 'zod'
import { AppError } from '../../primitives/appError'
import { formatSize } from '../../primitives/quantity'
import { said } from '../../primitives/said'
import type { Medium } from '../media/medium'
import { bytesSchema, countSchema } from '../scalars'

/** Labels of volumes: what ISO 9660 takes. */
export const VOLUME_LABEL = /^[A-Z0-9_]{1,32}$/

/**
 * The orders in which volumes are filled. `size`: the fewest volumes, whatever lies on which.
 * `folders`: no folder that a volume could hold is divided. `name`: by path, so that the first
 * volume holds A and the last one Z. `date`: oldest first.
 */
export const FILL_BY = ['size', 'folders', 'name', 'date'] as const
export type FillBy = (typeof FILL_BY)[number]

/** The orders in which volumes may be filled where the person chose none. */
export const FILLED_BY = ['size', 'name', 'date'] as const
export type FilledBy = (typeof FILLED_BY)[number]

/** Volumes are labelled by their number, or by the years of what is on them. */
export const LABEL_BY = ['number', 'date'] as const
export type LabelBy = (typeof LABEL_BY)[number]

/** Entries of each list of a placement at most. */
const MOST_ENTRIES = 100_000
const MOST_VOLUMES = 9999

const volumeNumberSchema = countSchema.min(1).max(MOST_VOLUMES)

/**
 * A folder or file of the source: an absolute path as the survey has it, or the path on the
 * volumes; a plan records absolute ones. It is looked up in the survey, and nothing is opened by
 * it.
 */
const placedPathSchema = z.string().min(1).max(65_536)

/** A person's constraints on the volumes of a plan. */
export const placementSchema = z.object({
  /**
   * Everything in the folder, or the file, goes on this volume. A pin of something within a pinned
   * folder goes before that of the folder.
   */
  pins: z
    .array(z.object({ path: placedPathSchema, volume: volumeNumberSchema }))
    .max(MOST_ENTRIES)
    .optional(),
  /** Folders that are on one volume each, whichever it is. */
  keep: z.array(placedPathSchema).max(MOST_ENTRIES).optional(),
  /** When absent, `size`, or an order by name or date that takes no more volumes. */
  order: z.enum(FILL_BY).optional(),
  /** Labels of volumes that have one of their own; no two volumes of a plan have the same. */
  labels: z
    .array(z.object({ volume: volumeNumberSchema, label: z.string().regex(VOLUME_LABEL) }))
    .max(MOST_ENTRIES)
    .optional(),
  /** `number` when absent. */
  labelBy: z.enum(LABEL_BY).optional(),
  /** Further bytes that stay free on each volume. */
  reserveBytes: bytesSchema.optional(),
})
export type Placement = z.infer<typeof placementSchema>

/** True when it fixes on which volumes files are: those of packed plans cannot move then. */
export function fixesVolumes({ pins = [], keep = [], order = 'size' }: Placement = {}): boolean {
  return pins.length > 0 || keep.length > 0 || order !== 'size'
}

/**
 * The sectors of a volume that a plan may use: all but those of the reserve.
 * @throws AppError `cannot-fit` when nothing is left
 */
export function usableSectors(
  { capacitySectors, sectorBytes, capacityBytes }: Medium,
  { reserveBytes = 0 }: Placement = {},
): number {
  const sectors = capacitySectors - Math.ceil(reserveBytes / sectorBytes)
  if (sectors > 0) return sectors
  throw new AppError(
    'cannot-fit',
    said`cannot leave ${formatSize(reserveBytes)} free on each volume: it holds ${formatSize(capacityBytes)}`,
  )
}
