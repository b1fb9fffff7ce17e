/**
 * The room `images` plans disk images: kind, size, bands, and who can open them.
 * How: kinds and presets are entries of a catalogue with their sources; a request gives a plan
 * before anything is written.
 * Not here: writing images (`src/engine/images`).
 */

import { z } from 'zod'
import { formatBlockSize } from '../../primitives/quantity'
import { said } from '../../primitives/said'
import { bytesSchema, countSchema } from '../scalars'
import {
  bandChoiceSchema,
  bandVerdictSchema,
  type CompatibilityHint,
  compatibilityHintSchema,
  imageKindSchema,
  keyBitsSchema,
} from './imageCatalogue'
import type { ImageKind } from './imageKind'
import { bandsAtFullSize, bandVerdict, ENCRYPTION_HINTS, IMAGE_KIND_ENTRIES, MANY_BANDS } from './kinds'

const SECTOR_BYTES = 512
const MIB = 1024 * 1024
/** Larger sizes are not exact as numbers for the addon. */
const MOST_BYTES = Math.floor(Number.MAX_SAFE_INTEGER / SECTOR_BYTES) * SECTOR_BYTES

export const imageSettingsSchema = z.object({
  kind: imageKindSchema,
  /** The size of the disk; rounded up to whole sectors of 512 bytes. */
  bytes: bytesSchema,
  band: bandChoiceSchema.default('usual'),
  keyBits: keyBitsSchema.nullable().default(null),
})
export type ImageSettings = z.infer<typeof imageSettingsSchema>

/** The image that a request describes, before anything is written. */
export const imagePlanSchema = z.object({
  kind: imageKindSchema,
  /** The requested size, rounded up to whole sectors of 512 bytes. */
  bytes: bytesSchema,
  bandBytes: bytesSchema.nullable(),
  bandsAtFullSize: countSchema.nullable(),
  /** Only for sparse bundles. */
  bandVerdict: bandVerdictSchema.nullable(),
  opens: z.array(compatibilityHintSchema),
  /** Why it cannot be made, in a few words; null when it can. */
  refusal: z.string().nullable(),
})
export type ImagePlan = z.infer<typeof imagePlanSchema>

/**
 * The smallest band, a power of two from 1 MiB, with which a full disk has at most 10,000: so above
 * 1 MiB more than 5,000.
 */
export function fittedBand(bytes: number): number {
  let band = MIB
  while (bandsAtFullSize(bytes, band) > MANY_BANDS) band *= 2
  return band
}

/**
 * Plans an image from a request. Only sparse bundles are judged by their bands: in one file their
 * number costs nothing.
 */
export function planImage(settings: ImageSettings): ImagePlan {
  const entry = IMAGE_KIND_ENTRIES[settings.kind]
  const bytes = Math.ceil(settings.bytes / SECTOR_BYTES) * SECTOR_BYTES
  const bandBytes = chosenBand(settings, bytes)
  const count = bandBytes === null || bandBytes <= 0 ? null : bandsAtFullSize(bytes, bandBytes)
  return {
    kind: settings.kind,
    bytes,
    bandBytes,
    bandsAtFullSize: count,
    bandVerdict: count !== null && entry.isFolder ? bandVerdict(count) : null,
    opens: opensOf(settings.kind, settings.keyBits !== null),
    refusal: refusalOf(settings, bytes, bandBytes),
  }
}

/**
 * Who can open an image of this kind. What decrypts it decides alone, where there is encryption.
 */
export function opensOf(kind: ImageKind, isEncrypted: boolean): CompatibilityHint[] {
  return isEncrypted ? ENCRYPTION_HINTS : IMAGE_KIND_ENTRIES[kind].opens
}

function chosenBand({ kind, band }: ImageSettings, bytes: number): number | null {
  const { bands, isFolder } = IMAGE_KIND_ENTRIES[kind]
  if (bands === null) return null
  if (typeof band === 'number') return band
  return band === 'fitted' && isFolder ? fittedBand(bytes) : bands.defaultBytes
}

function refusalOf({ kind, band }: ImageSettings, bytes: number, bandBytes: number | null): string | null {
  const { bands, name } = IMAGE_KIND_ENTRIES[kind]
  if (bytes <= 0) return said`a disk has at least 512 bytes`
  if (bytes > MOST_BYTES) return said`the disk is too large`
  if (bands === null) return typeof band === 'number' ? `a ${name} has no bands` : null
  const { leastBytes, mostBytes, stepBytes } = bands
  if (bandBytes === null || bandBytes < leastBytes || bandBytes > mostBytes || bandBytes % stepBytes !== 0)
    return said`a ${name}'s band is a multiple of ${stepBytes} bytes from ${formatBlockSize(leastBytes)} to ${formatBlockSize(mostBytes)}`
  return null
}
