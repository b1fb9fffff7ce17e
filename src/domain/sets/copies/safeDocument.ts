import { z } from 'zod'
import { bytesSchema, countSchema, idSchema, pathSchema, wallMsSchema } from '../../scalars'
import { COPY_STATES, volumeCopySchema } from './copy'

export const SAFE_SCHEMA = 'stowage.safe/1'

/** Never fewer, whatever is wanted. */
export const FEWEST_COPIES = 2

/**
 * Why a source is not safe to delete. `changed`, `added`, `gone`, `excluded`: the source is not as
 * surveyed, the last as rules leave out now what they did not then. `empty`: there is no file in
 * it. `few`: on fewer good copies than wanted. `oneDisk`: on enough, but some are on one disk.
 * `onePlace`: on enough, but the loss of one place would lose them. `skipped`: could not be
 * surveyed. `noDigest`: without SHA-256. `partial`: the survey was stopped. `unread`: the source
 * could not be listed now.
 */
const UNSAFE_CODES = [
  'unread',
  'partial',
  'changed',
  'added',
  'gone',
  'excluded',
  'empty',
  'few',
  'oneDisk',
  'onePlace',
  'noDigest',
  'skipped',
] as const
export type UnsafeCode = (typeof UNSAFE_CODES)[number]

const unsafeReasonSchema = z.object({
  code: z.enum(UNSAFE_CODES),
  files: countSchema,
  bytes: bytesSchema,
  /** The first of them. */
  paths: z.array(pathSchema),
})
export type UnsafeReason = z.infer<typeof unsafeReasonSchema>

const fewCopiesSchema = z.object({
  path: pathSchema,
  bytes: bytesSchema,
  /** On so many good copies. */
  copies: countSchema,
  isAtTwoPlaces: z.boolean(),
})
export type FewCopies = z.infer<typeof fewCopiesSchema>

/** The copies at one place, or of no place. */
const placeRowSchema = z.object({
  place: z.string().nullable(),
  copies: countSchema,
  states: z.record(z.enum(COPY_STATES), countSchema),
  media: z.array(z.string()),
})
export type PlaceRow = z.infer<typeof placeRowSchema>

/** The verdict on one source. */
export const safeDocumentSchema = z.object({
  schema: z.literal(SAFE_SCHEMA),
  surveyId: idSchema,
  roots: z.array(pathSchema),
  surveyedWallMs: wallMsSchema,
  atWallMs: wallMsSchema,
  safe: z.boolean(),
  /** Empty where it is safe. */
  reasons: z.array(unsafeReasonSchema),
  /** The good copies that each file must be on. */
  wanted: countSchema,
  files: countSchema,
  bytes: bytesSchema,
  /** On as many good copies as wanted, and at two places. */
  keptFiles: countSchema,
  keptBytes: bytesSchema,
  /** Left out of the survey by rules: on purpose, and not kept. */
  leftOut: z.object({ files: countSchema, bytes: bytesSchema, folders: countSchema }).nullable(),
  /** Stowage's own folders in it, which the survey leaves out: not kept either. */
  ownFolders: z.array(pathSchema),
  /** The first files on fewer copies than wanted, or at one place alone. */
  few: z.array(fewCopiesSchema),
  moreFew: countSchema,
  /** Three copies, with the source while it is as surveyed; two kinds of media; two places. */
  threeTwoOne: z.object({
    copies: countSchema,
    media: z.array(z.string()),
    isElsewhere: z.boolean(),
    isMet: z.boolean(),
  }),
  places: z.array(placeRowSchema),
  /** The good copies of its files by what looking at them found. */
  looked: z
    .object({
      /** The good copies that there are of them. */
      copies: countSchema,
      there: countSchema,
      /** Gone, cut or something else: they do not count. */
      wrong: countSchema,
      /** When the first of those that were not looked at was verified; null where all were. */
      verifiedWallMs: wallMsSchema.nullable(),
    })
    .optional(),
  /** Every copy of the volumes that hold files of the source. */
  copies: z.array(volumeCopySchema),
})
export type SafeDocument = z.infer<typeof safeDocumentSchema>
