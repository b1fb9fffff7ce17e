import { z } from 'zod'
import { mediumSchema } from '../media/medium'
import { bytesSchema, countSchema, idSchema } from '../scalars'
import { FILL_BY, placementSchema } from './placement'

export const PLAN_COMPARISON_SCHEMA = 'stowage.planComparison/1'

/** One order of filling the volumes, and what it would make of a source. */
const packingAlternativeSchema = z.object({
  order: z.enum(FILL_BY),
  volumes: countSchema,
  /** Folders on several volumes that one could hold. */
  brokenFolders: countSchema,
  splitFiles: countSchema,
  /** Bytes of all volumes that stay free. */
  freeBytes: bytesSchema,
  /** Sectors of each volume, lists included, in the order of the volumes. */
  sectors: z.array(countSchema),
  /**
   * For each year (UTC) in which files were last written to, the volumes that hold at least 1 % of
   * its bytes.
   */
  years: z.array(z.object({ year: z.number().int(), volumes: countSchema })),
})
export type PackingAlternative = z.infer<typeof packingAlternativeSchema>

/** The plans of one source on one medium that differ by the order of filling the volumes. */
export const planComparisonSchema = z.object({
  schema: z.literal(PLAN_COMPARISON_SCHEMA),
  surveyId: idSchema,
  medium: mediumSchema,
  /** The constraints that hold for all of them; absent without any. */
  placement: placementSchema.omit({ order: true, labels: true }).optional(),
  lowerBoundVolumes: countSchema,
  alternatives: z.array(packingAlternativeSchema),
  /** The orders that the constraints make impossible, with the reason. */
  refused: z.array(z.object({ order: z.enum(FILL_BY), message: z.string() })),
})
export type PlanComparison = z.infer<typeof planComparisonSchema>

/** The year that lies on the most volumes, the latest of several; null without files. */
export function mostSpread({
  years,
}: Pick<PackingAlternative, 'years'>): PackingAlternative['years'][number] | null {
  return years.reduce<PackingAlternative['years'][number] | null>(
    (most, one) => (most === null || one.volumes >= most.volumes ? one : most),
    null,
  )
}
