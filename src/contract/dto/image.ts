import { z } from 'zod'
import type { ImageSettings } from '../../domain/images/imagePlan'
import type { CompatibilityHint, ImageKind } from '../../domain/images/kinds'
import type { BandChoice } from '../../domain/images/presets'
import { exactly } from '../exactly'
import { optionalPasswordSchema, passwordSchema } from './password'
import { bytesSchema, countSchema, durationMsSchema, idSchema, pathSchema, sha256Schema } from './scalars'

export type { BandChoice, CompatibilityHint, ImageKind, ImageSettings }

export const IMAGE_SCHEMA = 'stowage.image/1'
export const IMAGE_VERIFY_SCHEMA = 'stowage.imageVerify/1'

/** Kinds that can be made, by Apple's names. */
export const WRITTEN_KINDS = ['UDRW', 'UDSP', 'UDSB', 'UDZO'] as const
const imageKindSchema = exactly<ImageKind>()(z.enum(WRITTEN_KINDS))

const keyBitsSchema = z.union([z.literal(128), z.literal(256)])

/** `usual` is the format's own default, `fitted` keeps a full sparse bundle between 5,000 and 10,000 bands. */
const bandChoiceSchema = exactly<BandChoice>()(z.union([z.enum(['usual', 'fitted']), bytesSchema]))

const compatibilityHintSchema = exactly<CompatibilityHint>()(
  z.object({ text: z.string(), source: z.string() }),
)

const bandLimitsSchema = z.object({
  defaultBytes: bytesSchema,
  leastBytes: bytesSchema,
  mostBytes: bytesSchema,
  stepBytes: bytesSchema,
})

/** What can be made and for what: one entry a kind, one a preset. */
export const imageCatalogueSchema = z.object({
  kinds: z
    .array(
      z.object({
        kind: imageKindSchema,
        name: z.string(),
        extension: z.string(),
        isFolder: z.boolean(),
        isWritable: z.boolean(),
        bands: bandLimitsSchema.nullable(),
        does: z.string(),
        opens: z.array(compatibilityHintSchema).readonly(),
      }),
    )
    .readonly(),
  presets: z
    .array(
      z.object({
        id: z.string(),
        name: z.string(),
        does: z.string(),
        kind: imageKindSchema,
        band: bandChoiceSchema,
        keyBits: keyBitsSchema.nullable(),
      }),
    )
    .readonly(),
  /** Who can open it if it is encrypted, whatever its kind. */
  encryptedOpens: z.array(compatibilityHintSchema).readonly(),
})
export type ImageCatalogue = z.infer<typeof imageCatalogueSchema>

export const imageSettingsSchema = exactly<ImageSettings>()(
  z.object({
    kind: imageKindSchema,
    bytes: bytesSchema,
    band: bandChoiceSchema.default('usual'),
    keyBits: keyBitsSchema.nullable().default(null),
  }),
)

export const imagePlanSchema = z.object({
  kind: imageKindSchema,
  bytes: bytesSchema,
  bandBytes: bytesSchema.nullable(),
  bandsAtFullSize: countSchema.nullable(),
  /** Over 100,000 bands `tooMany` (failures were seen), over 10,000 `many`, below 3,000 `few`. Sparse bundles only. */
  bandVerdict: z.enum(['tooMany', 'many', 'good', 'few']).nullable(),
  opens: z.array(compatibilityHintSchema),
  refusal: z.string().nullable(),
})
export type ImagePlan = z.infer<typeof imagePlanSchema>

/** An image as it is. Of an encrypted one without its password only `encryption` is known: `locked`. */
export const imageDocumentSchema = z.object({
  schema: z.literal(IMAGE_SCHEMA),
  path: pathSchema,
  locked: z.boolean(),
  /** UDIF: a read-only image whose chunks are not (only) compressed by zlib. */
  kind: z.enum([...WRITTEN_KINDS, 'UDIF']).nullable(),
  /** Of the disk in it. */
  bytes: bytesSchema.nullable(),
  /** What the image takes on its medium. */
  allocatedBytes: bytesSchema.nullable(),
  bandBytes: bytesSchema.nullable(),
  bandsStored: countSchema.nullable(),
  bandsAtFullSize: countSchema.nullable(),
  bandVerdict: imagePlanSchema.shape.bandVerdict,
  writable: z.boolean(),
  encryption: z
    .object({ keyBits: countSchema, blockBytes: countSchema, rounds: countSchema, current: z.boolean() })
    .nullable(),
  /** Of a read-only image: how its chunks are stored. */
  methods: z.array(z.string()),
  opens: z.array(compatibilityHintSchema),
})
export type ImageDocument = z.infer<typeof imageDocumentSchema>

export const imageVerifySchema = z.object({
  schema: z.literal(IMAGE_VERIFY_SCHEMA),
  path: pathSchema,
  bytesRead: bytesSchema,
  /** One plain line each; none means that all is well. */
  problems: z.array(z.string()),
  /** Of the disk in it, all of its bytes; null unless asked for. */
  sha256: sha256Schema.nullable(),
  elapsedMs: durationMsSchema,
})
export type ImageVerify = z.infer<typeof imageVerifySchema>

/** What a job on an image left: the image as it is now, and what a verification found. */
export const imageResultSchema = z.object({
  image: imageDocumentSchema,
  verify: imageVerifySchema.nullable(),
})
export type ImageResult = z.infer<typeof imageResultSchema>

const opened = { path: pathSchema, password: optionalPasswordSchema }
const newEncryptionSchema = z.object({ keyBits: keyBitsSchema, password: passwordSchema })

export const imageInfoRequestSchema = z.object(opened)
export type ImageInfoRequest = z.infer<typeof imageInfoRequestSchema>

export const imageCreateRequestSchema = z.object({
  path: pathSchema,
  kind: imageKindSchema,
  bytes: bytesSchema,
  band: bandChoiceSchema.default('usual'),
  encryption: newEncryptionSchema.nullable().default(null),
  /** Replace an image that is there. */
  force: z.boolean().default(false),
})
export type ImageCreateRequest = z.infer<typeof imageCreateRequestSchema>

export const imageConvertRequestSchema = z.object({
  ...opened,
  target: pathSchema,
  kind: imageKindSchema,
  band: bandChoiceSchema.default('usual'),
  /** Of zlib for UDZO; 1 is what macOS takes. */
  level: z.number().int().min(1).max(9).default(1),
  /** `same`: encrypted like the source and with its password, or plain like it; null: plain. */
  encryption: z
    .union([z.literal('same'), newEncryptionSchema])
    .nullable()
    .default('same'),
  force: z.boolean().default(false),
})
export type ImageConvertRequest = z.infer<typeof imageConvertRequestSchema>

export const imageResizeRequestSchema = z.object({ ...opened, bytes: bytesSchema })
export type ImageResizeRequest = z.infer<typeof imageResizeRequestSchema>

export const imageRebandRequestSchema = z.object({ ...opened, band: bandChoiceSchema })
export type ImageRebandRequest = z.infer<typeof imageRebandRequestSchema>

export const imageVerifyRequestSchema = z.object({ ...opened, sha256: z.boolean().default(false) })
export type ImageVerifyRequest = z.infer<typeof imageVerifyRequestSchema>

export const imagePasswordRequestSchema = z.object({
  path: pathSchema,
  password: passwordSchema,
  newPassword: passwordSchema,
})
export type ImagePasswordRequest = z.infer<typeof imagePasswordRequestSchema>

export const imageResultRequestSchema = z.object({ resultId: idSchema })
