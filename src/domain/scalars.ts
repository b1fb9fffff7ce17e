import { z } from 'zod'
import { APP_ERROR_CODES } from '../primitives/appError'
import { PROVENANCES } from '../primitives/estimate'
import type { Said } from '../primitives/said'
import { issueWords } from './issueWords'

// Every schema of Stowage imports a scalar: none speaks in the words of the library.
z.config({ customError: issueWords })

/** Exact count of bytes, 0 to 2^53 - 1. */
export const bytesSchema = z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER)
export const countSchema = z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER)
/** Milliseconds since 1970 by the calendar, for records and labels. */
export const wallMsSchema = z.number()
export const durationMsSchema = z.number().nonnegative()
/** Catalog rows, jobs and volumes are named by these. */
export const idSchema = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[A-Za-z0-9_.-]+$/)
declare const isPath: unique symbol
/**
 * Marks paths for the compiler, so that a call's rule has to cover each of its parameters that is
 * one.
 */
export type PathSchema = z.ZodString & { readonly [isPath]: true }
/** An absolute path or a name in Stowage's lossless text form (PEP 383 `surrogateescape`). */
export const pathSchema = z.string().min(1).max(65_536) as PathSchema
/**
 * A medium's permanent name, such as `bd-r-25`, `bd-r-25:spare-none`, `custom:700MB`, `folder:4GB`.
 */
export const mediumIdSchema = z
  .string()
  .min(1)
  .max(80)
  .regex(/^[a-z0-9+-]+(:[A-Za-z0-9.+-]+)?$/)
/** Labels of volumes are this and a number, in the characters of ISO 9660. */
export const LABEL_PREFIX = /^[A-Z0-9_]{1,24}$/
export const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/)

export const estimateSchema = z.object({
  value: z.number(),
  low: z.number(),
  high: z.number(),
  confidence: z.number().min(0).max(1),
  provenance: z.enum(PROVENANCES),
  basis: z.string(),
})

/** A sentence as its message and values. */
export const saidSchema: z.ZodType<Said, Said> = z.object({
  message: z.string(),
  values: z.array(z.union([z.string(), z.number(), z.lazy(() => saidSchema)])),
})

export const wireErrorSchema = z.object({
  code: z.enum(APP_ERROR_CODES),
  message: z.string(),
  said: saidSchema.optional(),
  path: z.string().optional(),
  stack: z.string().optional(),
})
