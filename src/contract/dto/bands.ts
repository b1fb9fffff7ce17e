import { z } from 'zod'
import { bandSweepPointSchema, sweepPointFactsSchema } from '../../domain/devices/bands/sweepDocument'
import { bytesSchema, countSchema, idSchema, pathSchema, wallMsSchema } from '../../domain/scalars'
import { devicePreviewSchema } from './measure'

export type { BandEncryption, BandKind } from '../../domain/devices/bandKind'
export * from '../../domain/devices/bands/sweepDocument'

/** The effects of a sweep; known before anything is written. */
export const bandSweepPreviewSchema = devicePreviewSchema.extend({
  /** The raw file that all others are compared with is the first. */
  points: z.array(sweepPointFactsSchema),
  repeats: countSchema,
  passBytes: bytesSchema,
  /** The least budget for these points. */
  leastBudgetBytes: bytesSchema,
  /** Band sizes of which a pass covers fewer than two bands: timed, but not recommended. */
  tooLarge: z.array(bytesSchema),
})
export type BandSweepPreview = z.infer<typeof bandSweepPreviewSchema>

/** Sent while a sweep runs, at most twice a second. */
export const bandSweepLiveSchema = z.object({
  jobId: idSchema,
  /** The reference first. */
  points: z.array(bandSweepPointSchema),
  roundsDone: countSchema,
  rounds: countSchema,
})
export type BandSweepLive = z.infer<typeof bandSweepLiveSchema>

export const bandSweepListItemSchema = z.object({
  id: idSchema,
  createdWallMs: wallMsSchema,
  directory: pathSchema,
  deviceKey: z.string(),
  deviceName: z.string(),
  fullBytes: bytesSchema,
  bandSize: bytesSchema.nullable(),
  isNoise: z.boolean(),
  plausible: z.boolean(),
  partial: z.boolean(),
  points: countSchema,
  repeats: countSchema,
})
export type BandSweepListItem = z.infer<typeof bandSweepListItemSchema>
