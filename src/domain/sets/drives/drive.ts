import { z } from 'zod'
import { countSchema } from '../../scalars'

/** The disc in a drive, as the drive reports it. */
const driveMediumSchema = z.object({
  /** `file` is a file that stands in for a disc. */
  kind: z.enum([
    'cd-rom',
    'cd-r',
    'cd-rw',
    'dvd-rom',
    'dvd-r',
    'dvd-r-dl',
    'dvd-rw',
    'dvd-ram',
    'dvd+r',
    'dvd+r-dl',
    'dvd+rw',
    'dvd+rw-dl',
    'bd-rom',
    'bd-r',
    'bd-re',
    'file',
    'unknown',
  ]),
  /** The drive's own words: `BD-R sequential recording`. */
  name: z.string(),
  /** Nothing is on it: all of it can be written. */
  blank: z.boolean(),
  /** It can be written many times. */
  rewritable: z.boolean(),
  /**
   * Sectors of 2,048 bytes that can be written to it now; null when the drive does not report them.
   */
  capacitySectors: countSchema.nullable(),
  /** Sectors that are on it; null when the drive does not report them. */
  usedSectors: countSchema.nullable(),
  /** Writing speeds that the drive offers for it, as multiples of 1x, the slowest first. */
  speeds: z.array(z.number().positive()),
})
export type DriveMedium = z.infer<typeof driveMediumSchema>
export type DiscKind = DriveMedium['kind']

/** An optical drive and what is in it. */
export const driveSchema = z.object({
  device: z.string(),
  vendor: z.string().nullable(),
  model: z.string().nullable(),
  /** Null without a disc, or when it could not be asked. */
  medium: driveMediumSchema.nullable(),
  /** Why the drive could not be asked, in one line. */
  problem: z.string().nullable(),
})
export type Drive = z.infer<typeof driveSchema>
