import { z } from 'zod'
import { bandSweepPointSchema, sweepPointFactsSchema } from '../../domain/devices/bands/sweepDocument'
import { deviceFactsSchema } from '../../domain/devices/measurement'
import {
  bytesSchema,
  countSchema,
  idSchema,
  pathSchema,
  wallMsSchema,
  wireErrorSchema,
} from '../../domain/scalars'

export type { BandEncryption, BandKind } from '../../domain/devices/bandKind'
export * from '../../domain/devices/bands/sweepDocument'

/** What a sweep would do; known before anything is written. */
export const bandSweepPreviewSchema = z.object({
  directory: pathSchema,
  /** The raw file that all others are compared with is the first. */
  points: z.array(sweepPointFactsSchema),
  repeats: countSchema,
  passBytes: bytesSchema,
  /** The least budget for these points. */
  leastBudgetBytes: bytesSchema,
  writeBytes: bytesSchema,
  readBytes: bytesSchema,
  peakBytes: bytesSchema,
  freeBytes: bytesSchema.nullable(),
  keepFreeBytes: bytesSchema,
  shareOfCapacity: z.number().nonnegative().nullable(),
  /** Band sizes of which a pass covers fewer than two bands: timed, but not recommended. */
  tooLarge: z.array(bytesSchema),
  refusal: wireErrorSchema.nullable(),
  device: deviceFactsSchema,
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
