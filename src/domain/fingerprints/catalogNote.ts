import { z } from 'zod'
import { countSchema, idSchema, pathSchema, wallMsSchema } from '../scalars'
import { FINGERPRINT_FORMAT, hexSchema, keyIdSchema, partSchema } from './completeNote'

/** The key of Parquet's own metadata under which each table of a catalog describes itself. */
export const CATALOG_FOOTER_KEY = 'stowage.catalog'

/** `_COMPLETE.json` of an exported catalog. */
export const catalogNoteSchema = z.object({
  schema: z.literal('stowage.catalogTables/1'),
  format: z.literal(FINGERPRINT_FORMAT),
  /** The ID of the catalog, whatever path it was opened by. */
  catalog: idSchema,
  createdWallMs: wallMsSchema,
  /** Digests of files are as in fingerprints of the same key. */
  key: keyIdSchema,
  /** The digest of a file without content: surveys do not compute it. */
  emptySha256: hexSchema(64),
  /** False: the tables have neither paths nor labels. */
  paths: z.boolean(),
  totals: z.object({
    /** Files on volumes, each as often as it is there. */
    files: countSchema,
    volumes: countSchema,
    copies: countSchema,
    /** Verified, not overdue, damaged or lost, and not found missing at their places. */
    goodCopies: countSchema,
    places: countSchema,
  }),
  parts: z.array(partSchema),
})
export type CatalogNote = z.infer<typeof catalogNoteSchema>

/** An export that was just made. */
export const catalogExportSchema = catalogNoteSchema.extend({
  schema: z.literal('stowage.catalogExport/1'),
  folder: pathSchema,
})
export type CatalogExport = z.infer<typeof catalogExportSchema>
