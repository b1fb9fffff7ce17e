import { z } from 'zod'
import { bytesSchema, countSchema, durationMsSchema, idSchema, pathSchema, wallMsSchema } from '../scalars'
import { ROM_LAYOUTS } from '../survey/romLayout'
import { excludedSchema, rulesDocumentSchema } from '../survey/rules/rules'
import { skippedSchema } from '../survey/surveyDocument'
import { DAT_FORMATS } from './dat'
import { WRITTEN_KINDS } from './writtenKinds'

const ROMS_SCHEMA = 'stowage.roms/1'

/** All contents of a ROM set were found, some or none, under any name. */
const romSetStateSchema = z.enum(['complete', 'partial', 'missing'])
export type RomSetState = z.infer<typeof romSetStateSchema>

/**
 * `not-opened`: an archive that is of no kind that is opened, is in another one, or cannot be read.
 */
export const ROM_FILE_STATES = [
  'right',
  'renamed',
  'bad-dump',
  'duplicate',
  'unneeded',
  'not-opened',
] as const
export type RomFileState = (typeof ROM_FILE_STATES)[number]

const datNoteSchema = z.object({ text: z.string(), count: countSchema })

/** A DAT that was compared. */
const datSummarySchema = z.object({
  path: pathSchema,
  /** Its name inside of an archive; null for a file. */
  member: z.string().nullable(),
  format: z.enum(DAT_FORMATS),
  encoding: z.string(),
  name: z.string(),
  description: z.string(),
  version: z.string(),
  date: z.string(),
  author: z.string(),
  layout: z.enum(ROM_LAYOUTS),
  /** Detectors of copier headers that were used for it. */
  detectors: z.array(z.string()),
  games: countSchema,
  files: countSchema,
  notes: z.array(datNoteSchema),
})

const missingFileSchema = z.object({
  name: z.string(),
  bytes: bytesSchema.nullable(),
  /** Known to exist, but nobody is known to have it. */
  mia: z.boolean(),
})

const judgedSetSchema = z.object({
  /** The place of its DAT in `dats`. */
  dat: countSchema,
  name: z.string(),
  /** The parent; null where it has none. */
  cloneOf: z.string().nullable(),
  state: romSetStateSchema,
  files: countSchema,
  present: countSchema,
  right: countSchema,
  undumped: countSchema,
  missing: z.array(missingFileSchema),
})
export type JudgedSet = z.infer<typeof judgedSetSchema>

const judgedFileSchema = z.object({
  path: pathSchema,
  /** Its name inside of an archive; null for a file. */
  member: z.string().nullable(),
  bytes: bytesSchema,
  state: z.enum(ROM_FILE_STATES),
  dat: countSchema.nullable(),
  /** The ROM set and the name in it that its content has, or that it is a bad dump of. */
  set: z.string().nullable(),
  name: z.string().nullable(),
  /** How a bad dump is tied to its game. */
  by: z.enum(['name', 'size']).nullable(),
  /** Checksums were computed from the content, or are those that its archive or CHD states. */
  known: z.enum(['content', 'header']).nullable(),
})
export type JudgedFile = z.infer<typeof judgedFileSchema>

/** A DAT that was written. */
const writtenDatSchema = z.object({
  kind: z.enum(WRITTEN_KINDS),
  path: pathSchema,
  games: countSchema,
  files: countSchema,
  /** Texts with characters that XML cannot hold: they are written as U+FFFD. */
  replaced: countSchema,
})

/** Files compared with DATs, as `stowage roms --json` prints it. */
export const romsDocumentSchema = z.object({
  schema: z.literal(ROMS_SCHEMA),
  id: idSchema,
  createdWallMs: wallMsSchema,
  roots: z.array(pathSchema),
  /** The rules for leaving out. Absent in documents of earlier versions. */
  rules: rulesDocumentSchema.optional(),
  /** Absent where rules left nothing out and none is wrong. */
  excluded: excludedSchema.optional(),
  dats: z.array(datSummarySchema),
  totals: z.object({
    /** `undumped`: nothing that they need has been dumped; they are not among `sets`. */
    sets: z.object({
      complete: countSchema,
      partial: countSchema,
      missing: countSchema,
      undumped: countSchema,
    }),
    /** Files that all ROM sets need, and those whose content was found. */
    needed: countSchema,
    present: countSchema,
    files: z.record(z.enum(ROM_FILE_STATES), countSchema),
    bytes: bytesSchema,
    /** Read to compute checksums. */
    hashedBytes: bytesSchema,
  }),
  sets: z.array(judgedSetSchema),
  files: z.array(judgedFileSchema),
  skipped: z.array(skippedSchema),
  /** Absent where no DAT was asked for. */
  written: z.array(writtenDatSchema).optional(),
  timing: z.object({ datMs: durationMsSchema, listMs: durationMsSchema, judgeMs: durationMsSchema }),
})
export type RomsDocument = z.infer<typeof romsDocumentSchema>
