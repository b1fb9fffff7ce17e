import { z } from 'zod'
import { pathSchema } from '../../domain/scalars'

export * from '../../domain/sets/repairDocument'

export const repairRequestSchema = z.object({
  /** An image or the device of a disc. */
  volume: pathSchema,
  /** The image to make. */
  image: pathSchema,
  /** A parity disc of its set, whose list has the digest of the image. */
  parity: pathSchema.optional(),
  /** Replace what is there. */
  force: z.boolean().default(false),
})
export type RepairRequest = z.infer<typeof repairRequestSchema>
