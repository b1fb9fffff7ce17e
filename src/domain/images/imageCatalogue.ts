import { z } from 'zod'
import { bytesSchema } from '../scalars'
import { IMAGE_KINDS } from './imageKind'

export const imageKindSchema = z.enum(IMAGE_KINDS)

/** One sentence on who can open an image, with where that is known from. */
export const compatibilityHintSchema = z.object({ text: z.string(), source: z.string() })
export type CompatibilityHint = z.infer<typeof compatibilityHintSchema>

const imageKindEntrySchema = z.object({
  kind: imageKindSchema,
  /** In words, as a person calls it. */
  name: z.string(),
  extension: z.string(),
  /** True for a folder of files instead of one file. */
  isFolder: z.boolean(),
  /** True when its content can be changed; if not, it is made only by converting. */
  isWritable: z.boolean(),
  bands: z
    .object({
      defaultBytes: bytesSchema,
      leastBytes: bytesSchema,
      mostBytes: bytesSchema,
      /** A band is a multiple of this. */
      stepBytes: bytesSchema,
    })
    .nullable(),
  does: z.string(),
  opens: z.array(compatibilityHintSchema),
})
export type ImageKindEntry = z.infer<typeof imageKindEntrySchema>

/**
 * How bands are chosen: `usual` is the format's own default, `fitted` keeps a full sparse bundle
 * between 5,000 and 10,000 bands, or a size in bytes.
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
export type ImagePreset = z.infer<typeof imagePresetSchema>

/** Over 100,000 bands `tooMany` (failures were seen), over 10,000 `many`, below 3,000 `few`. */
export const bandVerdictSchema = z.enum(['tooMany', 'many', 'good', 'few'])
export type BandVerdict = z.infer<typeof bandVerdictSchema>

/** The possible images and their purposes: one entry a kind, one a preset. */
export const imageCatalogueSchema = z.object({
  kinds: z.array(imageKindEntrySchema),
  presets: z.array(imagePresetSchema),
  /** Who can open it if it is encrypted, whatever its kind. */
  encryptedOpens: z.array(compatibilityHintSchema),
})
export type ImageCatalogue = z.infer<typeof imageCatalogueSchema>
