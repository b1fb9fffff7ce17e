import { z } from 'zod'
import { bytesSchema } from '../scalars'
import {
  compatibilityHintSchema,
  ENCRYPTION_HINTS,
  IMAGE_KIND_ENTRIES,
  imageKindEntrySchema,
  imageKindSchema,
} from './kinds'

/**
 * How bands are chosen: `usual` is the format's own default, `fitted` keeps a full sparse bundle between 5,000 and 10,000 bands, or a
 * size in bytes.
 */
export const bandChoiceSchema = z.union([z.enum(['usual', 'fitted']), bytesSchema])
export type BandChoice = z.infer<typeof bandChoiceSchema>

export const keyBitsSchema = z.union([z.literal(128), z.literal(256)])

/** A purpose in plain words, with what it sets. */
const imagePresetSchema = z.object({
  /** Permanent: it is in scripts. */
  id: z.string(),
  name: z.string(),
  does: z.string(),
  kind: imageKindSchema,
  band: bandChoiceSchema,
  keyBits: keyBitsSchema.nullable(),
})
type ImagePreset = z.infer<typeof imagePresetSchema>

export const IMAGE_PRESETS: ImagePreset[] = [
  {
    id: 'growing',
    name: 'Grows with its content',
    does: 'A sparse bundle with bands fitted to its size: for a Mac, a network drive or a backup of it.',
    kind: 'UDSB',
    band: 'fitted',
    keyBits: null,
  },
  {
    id: 'vault',
    name: 'Vault',
    does: 'The same, encrypted with AES-256.',
    kind: 'UDSB',
    band: 'fitted',
    keyBits: 256,
  },
  {
    id: 'anywhere',
    name: 'Readable almost anywhere',
    does: 'A read-write image: the plain disk in one file, which every system has some program for.',
    kind: 'UDRW',
    band: 'usual',
    keyBits: null,
  },
]

/** What can be made and for what: one entry a kind, one a preset. */
export const imageCatalogueSchema = z.object({
  kinds: z.array(imageKindEntrySchema),
  presets: z.array(imagePresetSchema),
  /** Who can open it if it is encrypted, whatever its kind. */
  encryptedOpens: z.array(compatibilityHintSchema),
})
export type ImageCatalogue = z.infer<typeof imageCatalogueSchema>

export function imageChoices(): ImageCatalogue {
  return {
    kinds: Object.values(IMAGE_KIND_ENTRIES),
    presets: IMAGE_PRESETS,
    encryptedOpens: ENCRYPTION_HINTS,
  }
}
