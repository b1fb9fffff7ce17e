import { z } from 'zod'
import { countSchema, idSchema, pathSchema, wallMsSchema } from '../../scalars'
import { duePlaceSchema } from './duePlace'

export const COPIES_SCHEMA = 'stowage.copies/1'

/** The number of the image or folder in the plan's folder; copies that are written start at 1. */
export const BUILT_COPY = 0

/** The highest number of a copy. */
export const MOST_COPIES = 99

/** The number of a copy that a person may give. */
export const copyNumberSchema = countSchema.min(1).max(MOST_COPIES)

/** Words of a person on one line, such as `parents' house`. */
const wordsSchema = z
  .string()
  .max(200)
  .regex(/^[^\p{Cc}]*\S[^\p{Cc}]*$/u)

/** Where a copy is. */
export const copyPlaceSchema = wordsSchema
/** The kind of medium of a copy. */
export const copyMediumSchema = wordsSchema

/** The kinds of media that Stowage itself writes to. */
export const OPTICAL_DISC = 'optical disc'
export const DISK = 'disk'

/** A person's note on a copy. */
const copyNoteSchema = z.object({
  /** The ID of its plan, or of its set where the plan is not known. */
  ofSet: z.string(),
  volume: countSchema,
  copy: countSchema,
  label: z.string(),
  notedWallMs: wallMsSchema,
  kind: z.enum(['place', 'lost', 'found']),
  /** Given for `place` alone. */
  place: z.string().nullable(),
  medium: z.string().nullable(),
})
export type CopyNote = z.infer<typeof copyNoteSchema>

/**
 * `unverified`: not read since it was written. `overdue`: its interval has passed since then.
 */
export const COPY_STATES = ['good', 'overdue', 'unverified', 'damaged', 'lost'] as const

/**
 * The finding of a look at a copy. `there`: by its lists it is that volume of that set, with its
 * length or its names and sizes; its contents were not read. `gone`: its file system is there,
 * without it. `other`: something else is at its place, or it is cut. `unreachable`: its file system
 * is not mounted, or the disc in no drive, or it did not answer in time.
 */
const copyLookSchema = z.object({
  found: z.enum(['there', 'gone', 'other', 'unreachable']),
  /** One line; null for `there`. */
  because: z.string().nullable(),
})
export type CopyLook = z.infer<typeof copyLookSchema>

/** One copy of one volume, by what runs, checks and persons said of it. */
export const volumeCopySchema = z.object({
  planId: idSchema.nullable(),
  setId: z.string().nullable(),
  volume: countSchema,
  label: z.string(),
  /** 0: the image or folder in the plan's folder. */
  copy: countSchema,
  place: z.string().nullable(),
  medium: z.string().nullable(),
  /** The image or folder that was made, where that is a file or folder on a disk. */
  path: pathSchema.nullable(),
  writtenWallMs: wallMsSchema.nullable(),
  verifiedWallMs: wallMsSchema.nullable(),
  damagedWallMs: wallMsSchema.nullable(),
  lostWallMs: wallMsSchema.nullable(),
  /** When it should be verified again; null where it was not found good. */
  verifyByWallMs: wallMsSchema.nullable(),
  state: z.enum(COPY_STATES),
  /** Absent where nobody looked at it. */
  look: copyLookSchema.optional(),
})
export type VolumeCopy = z.infer<typeof volumeCopySchema>

export const copiesDocumentSchema = z.object({
  schema: z.literal(COPIES_SCHEMA),
  atWallMs: wallMsSchema,
  copies: z.array(volumeCopySchema),
  /** When copies fall due for verification; only in what `catalog status` prints. */
  calendar: z.array(duePlaceSchema).optional(),
})
export type CopiesDocument = z.infer<typeof copiesDocumentSchema>

/**
 * The same place for `Parents' house` and `parents’  HOUSE`: compatible characters are one (NFKC),
 * so are cases (as far as upper and lower case go: Unicode's full case folding, and the Turkish
 * i's) and quotes; characters that only format are none.
 */
export function placeKey(place: string): string {
  const folded = place
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .toUpperCase()
    .toLowerCase()
  return folded
    .replaceAll('i\u0307', 'i')
    .replaceAll('\u0131', 'i')
    .replaceAll('\u03c2', '\u03c3')
    .replaceAll(/[\u2018\u2019\u201a\u201b\u2032\u02bc`\u00b4]/g, "'")
    .replaceAll(/["\u201c-\u201f\u2033\u00ab\u00bb]/g, '"')
    .normalize('NFKC')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
