import { z } from 'zod'
import { bytesSchema, countSchema, durationMsSchema, idSchema, pathSchema } from '../scalars'
import { contentsSchema, contentsSumSchema } from './folderContents'
import { PRESET_NAMES } from './rules/presets'
import { excludedSchema, rulesDocumentSchema } from './rules/rules'
import { skippedSchema } from './surveyDocument'

const WALK_SCHEMA = 'stowage.walk/1'

/**
 * A preset in one walk. One that is used: what it left out. Another one: what it alone would leave
 * out of what is kept now. Every name of a file counts, as in `excluded`.
 */
const presetCountSchema = z.object({
  preset: z.enum(PRESET_NAMES),
  files: countSchema,
  bytes: bytesSchema,
})
export type PresetCount = z.infer<typeof presetCountSchema>

/**
 * The content of a source by name and size, and what rules leave out of it, as
 * `stowage survey --dry-run --json` prints it. No file was opened.
 */
export const walkDocumentSchema = z.object({
  schema: z.literal(WALK_SCHEMA),
  id: idSchema,
  roots: z.array(pathSchema),
  rules: rulesDocumentSchema,
  /** The files that a survey would read, each once however many names it has. */
  totals: z.object({
    files: countSchema,
    folders: countSchema,
    bytes: bytesSchema,
    symlinks: countSchema,
    hardLinks: countSchema,
    special: countSchema,
    skipped: countSchema,
  }),
  /** Null where rules left nothing out and none is wrong. */
  excluded: excludedSchema.nullable(),
  /** Every preset, used or not, in the order of `PRESETS`. */
  presets: z.array(presetCountSchema),
  /** At most the first 1,000; `totals.skipped` counts all. */
  skipped: z.array(skippedSchema),
  elapsedMs: durationMsSchema,
})
export type WalkDocument = z.infer<typeof walkDocumentSchema>

/** A folder with all that is in it, or one file. */
const sourceRowSchema = contentsSumSchema.extend({
  path: pathSchema,
  /** Its name in its folder; of a source, its path. */
  name: z.string(),
  isFolder: z.boolean(),
  /** Files that are kept, and those that rules leave out; a file is one or the other. */
  files: countSchema,
  bytes: bytesSchema,
  excludedFiles: countSchema,
  excludedBytes: bytesSchema,
  /** The rule that leaves it out as a whole, by its place in `excluded.rules`; null for none. */
  rule: countSchema.nullable(),
})
export type SourceRow = z.infer<typeof sourceRowSchema>

/** The content of one folder of a walk, or, without a folder, the sources. */
export const sourceFolderSchema = contentsSchema.extend({
  /**
   * At most 1,000 folders and files, by what they hold with what was left out, largest first; of
   * files only the largest.
   */
  rows: z.array(sourceRowSchema),
  /** Files that are too small for a row, and those in folders that are. */
  others: contentsSumSchema.extend({
    files: countSchema,
    bytes: bytesSchema,
    excludedFiles: countSchema,
    excludedBytes: bytesSchema,
  }),
})
export type SourceFolder = z.infer<typeof sourceFolderSchema>
