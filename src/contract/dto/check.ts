import { z } from 'zod'
import type { CheckDocument, CheckedVolume, DamagedFile } from '../../domain/sets/checkDocument'
import type { VolumeCheck, VolumeDue } from '../../domain/sets/volumeChecks'
import { exactly } from '../exactly'
import { optionalPasswordSchema } from './password'
import {
  bytesSchema,
  countSchema,
  durationMsSchema,
  idSchema,
  pathSchema,
  wallMsSchema,
  wireErrorSchema,
} from './scalars'

export type * from '../../domain/sets/checkDocument'
export type { VolumeCheck, VolumeDue } from '../../domain/sets/volumeChecks'

export const CHECK_SCHEMA = 'stowage.check/1'

/** At most a century. */
const monthsSchema = countSchema.min(1).max(1200)

export const checkRequestSchema = z.object({
  /** Volumes of any sets: images, devices of discs, mounted or copied discs, folders of plans with what was built of them. */
  volumes: z.array(pathSchema).min(1),
  /** Unpack archives too, and compare every file in them. */
  contents: z.boolean().default(false),
  /** When to check these volumes again; null for as before, or the default. */
  everyMonths: monthsSchema.nullable().default(null),
  /** Of an encrypted set. */
  password: optionalPasswordSchema,
})
export type CheckRequest = z.infer<typeof checkRequestSchema>

const readingWaySchema = z.enum(['uncached', 'dropped', 'cached'])

const damagedFileSchema = exactly<DamagedFile>()(
  z.object({
    path: pathSchema,
    kind: z.enum(['unreadable', 'cut', 'differs', 'missing']),
    because: z.string(),
    unreadable: z.array(z.object({ offset: bytesSchema, bytes: bytesSchema })),
    sectors: z.array(z.object({ first: countSchema, count: countSchema })).nullable(),
  }),
)

const checkedVolumeSchema = exactly<CheckedVolume>()(
  z.object({
    path: pathSchema,
    setId: z.string().nullable(),
    planId: idSchema.nullable(),
    index: countSchema.nullable(),
    label: z.string(),
    state: z.enum(['good', 'damaged', 'unchecked', 'cancelled']),
    reading: z.object({ way: readingWaySchema, because: z.string() }).nullable(),
    files: countSchema,
    bytes: bytesSchema,
    contents: countSchema,
    elapsedMs: durationMsSchema,
    damaged: z.array(damagedFileSchema),
    error: wireErrorSchema.nullable(),
    checkByWallMs: wallMsSchema.nullable(),
    notes: z.array(z.string()),
  }),
)

export const checkDocumentSchema = exactly<CheckDocument>()(
  z.object({
    schema: z.literal(CHECK_SCHEMA),
    id: idSchema,
    startedWallMs: wallMsSchema,
    elapsedMs: durationMsSchema,
    outcome: z.enum(['done', 'failed', 'cancelled']),
    volumes: z.array(checkedVolumeSchema),
    notGiven: z.array(z.object({ setId: z.string(), index: countSchema, label: z.string() })),
  }),
)

const volumeCheckSchema = exactly<VolumeCheck>()(
  z.object({
    id: idSchema,
    setId: z.string().nullable(),
    planId: idSchema.nullable(),
    volume: countSchema,
    label: z.string(),
    checkedWallMs: wallMsSchema,
    result: z.enum(['good', 'damaged']),
    by: z.enum(['plan', 'volume']),
    reading: readingWaySchema.nullable(),
    files: countSchema,
    damaged: countSchema,
    everyMonths: monthsSchema,
  }),
)

export const volumeDueSchema = exactly<VolumeDue>()(
  z.object({
    setId: z.string().nullable(),
    planId: idSchema.nullable(),
    volume: countSchema,
    label: z.string(),
    madeWallMs: wallMsSchema.nullable(),
    last: volumeCheckSchema.nullable(),
    checkByWallMs: wallMsSchema,
  }),
)

export const dueRequestSchema = z.object({
  /** In place of the interval that each volume has. */
  everyMonths: monthsSchema.optional(),
})
