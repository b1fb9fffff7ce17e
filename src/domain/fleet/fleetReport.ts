/**
 * The room `fleet` has the figures of many sources that are compared by their fingerprints.
 * How: `sampledBytes` makes a range of what was kept of a share; the report is one document.
 * Not here: asking the database (`src/engine/fleet`), checking fingerprints (`fingerprints`).
 */

import { z } from 'zod'
import { keyIdSchema, schemeSchema } from '../fingerprints/completeNote'
import { bytesSchema, countSchema, idSchema, pathSchema, wallMsSchema } from '../scalars'

export const FLEET_REPORT_SCHEMA = 'stowage.fleetReport/1'

/** The scheme by which whole files are compared. */
export const FILES_SCHEME = 'files'

/** Bytes with their 95 % range, and the contents that they were counted or estimated from. */
const figureSchema = z.object({
  bytes: bytesSchema,
  low: bytesSchema,
  high: bytesSchema,
  provenance: z.enum(['exact', 'measured']),
  /** How many contents were kept and counted. */
  kept: countSchema,
})
export type FleetFigure = z.infer<typeof figureSchema>

/** One source of a scheme. */
const shareSchema = z.object({
  /** The place of the source in `sources`. */
  source: countSchema,
  /** Its unique bytes by itself. */
  unique: figureSchema,
  /** Those that no source before it has. */
  adds: figureSchema,
  /** Those that no other source has. */
  onlyHere: figureSchema,
})

const pairSchema = z.object({ one: countSchema, other: countSchema, shared: figureSchema })

const fleetSchemeSchema = z.object({
  name: z.string(),
  table: z.enum([...schemeSchema.shape.table.options, 'contents']),
  nominalBytes: bytesSchema.nullable(),
  /** The share compared is 2^-shift: the smallest of those that the sources kept. */
  shift: countSchema,
  sharesDiffer: z.boolean(),
  /** The sources that were not cut this way, and are not in the figures. */
  missing: z.array(countSchema),
  /** The bytes of all files of the others. */
  totalBytes: bytesSchema,
  unique: figureSchema,
  sources: z.array(shareSchema),
  /** With `--table pairs`: those that share anything, the largest first. */
  pairs: z.array(pairSchema).optional(),
})
export type FleetScheme = z.infer<typeof fleetSchemeSchema>

export const fleetReportSchema = z.object({
  schema: z.literal(FLEET_REPORT_SCHEMA),
  /** In the order given. */
  sources: z.array(
    z.object({
      survey: idSchema,
      folder: pathSchema,
      createdWallMs: wallMsSchema,
      files: countSchema,
      bytes: bytesSchema,
      skipped: countSchema,
    }),
  ),
  key: keyIdSchema,
  /** Each way of cutting, and whole files last. */
  schemes: z.array(fleetSchemeSchema),
})
export type FleetReport = z.infer<typeof fleetReportSchema>
