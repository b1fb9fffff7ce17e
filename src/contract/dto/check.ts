import { z } from 'zod'
import { idSchema, pathSchema } from '../../domain/scalars'
import { monthsSchema } from '../../domain/sets/checkDocument'
import { copyNumberSchema } from '../../domain/sets/copies/copy'
import { optionalPasswordSchema } from './password'

export * from '../../domain/sets/checkDocument'

export const checkRequestSchema = z.object({
  /**
   * Volumes of any sets: images, devices of discs, mounted or copied discs, folders of plans with
   * what was built of them.
   */
  volumes: z.array(pathSchema).min(1),
  /** Unpack archives too, and compare every file in them. */
  contents: z.boolean().default(false),
  /** Which copy of its volume each is; null where that is known, or there is one. */
  copy: copyNumberSchema.nullable().default(null),
  /** When to check these volumes again; null for as before, or the default. */
  everyMonths: monthsSchema.nullable().default(null),
  /** The password of an encrypted set. */
  password: optionalPasswordSchema,
})
export type CheckRequest = z.infer<typeof checkRequestSchema>

export const dueRequestSchema = z.object({
  /** In place of the interval that each volume has. */
  everyMonths: monthsSchema.optional(),
})

export const checkIntervalSchema = z.object({
  /** The ID of the set's plan, or the set's own where the plan is not known. */
  ofSet: idSchema,
  everyMonths: monthsSchema,
})
