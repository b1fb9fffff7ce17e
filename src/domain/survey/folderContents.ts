import { z } from 'zod'
import { bytesSchema } from '../scalars'
import { FILE_CLASSES } from './fileClass'

/** A part of a folder's bytes: files of one class, or last changed in one year. */
const classBytesSchema = z.object({ fileClass: z.enum(FILE_CLASSES), bytes: bytesSchema })
const yearBytesSchema = z.object({ year: z.int(), bytes: bytesSchema })
export type YearBytes = z.infer<typeof yearBytesSchema>

/**
 * The contents of a folder, of what is kept and has bytes: classes by the files' names, years by
 * their modification times in local time.
 */
export const contentsSchema = z.object({
  /** The largest first. */
  classes: z.array(classBytesSchema),
  /** The oldest first. */
  years: z.array(yearBytesSchema),
})
export type Contents = z.infer<typeof contentsSchema>

/** The same in a few figures, however much a folder holds. */
export const contentsSumSchema = z.object({
  /** The classes with the most bytes, at most three, the largest first. */
  classes: z.array(classBytesSchema),
  /** Null where nothing with bytes is kept. `middle`: half of the bytes are of it or of earlier. */
  years: z.object({ first: z.int(), last: z.int(), middle: z.int() }).nullable(),
})
export type ContentsSum = z.infer<typeof contentsSumSchema>
