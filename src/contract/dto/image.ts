import { z } from 'zod'
import {
  bandChoiceSchema,
  bandVerdictSchema,
  compatibilityHintSchema,
  imageKindSchema,
  keyBitsSchema,
} from '../../domain/images/imageCatalogue'
import { IMAGE_KINDS } from '../../domain/images/imageKind'
import {
  bytesSchema,
  countSchema,
  durationMsSchema,
  idSchema,
  pathSchema,
  sha256Schema,
} from '../../domain/scalars'
import { optionalPasswordSchema, passwordSchema } from './password'

export type { CompatibilityHint } from '../../domain/images/imageCatalogue'
export {
  type BandChoice,
  type ImageCatalogue,
  imageCatalogueSchema,
} from '../../domain/images/imageCatalogue'
export type { ImageKind } from '../../domain/images/imageKind'
export * from '../../domain/images/imagePlan'

export const IMAGE_SCHEMA = 'stowage.image/1'
export const IMAGE_VERIFY_SCHEMA = 'stowage.imageVerify/1'

/**
 * An image as it is. Of an encrypted one without its password only `encryption` is known: `locked`.
 */
export const imageDocumentSchema = z.object({
  schema: z.literal(IMAGE_SCHEMA),
  path: pathSchema,
  locked: z.boolean(),
  /** UDIF: a read-only image whose chunks are not (only) compressed by zlib. */
  kind: z.enum([...IMAGE_KINDS, 'UDIF']).nullable(),
  /** The size of the disk in it. */
  bytes: bytesSchema.nullable(),
  /** The bytes that the image occupies on its medium. */
  allocatedBytes: bytesSchema.nullable(),
  bandBytes: bytesSchema.nullable(),
  bandsStored: countSchema.nullable(),
  bandsAtFullSize: countSchema.nullable(),
  bandVerdict: bandVerdictSchema.nullable(),
  /** True when Stowage can change its size. */
  writable: z.boolean(),
  /**
   * The partition table or file system on a read-write image, such as `ISO 9660`; absent where none
   * is known.
   */
  content: z.string().optional(),
  /** The file system is that of an optical disc, which is written once as a whole. */
  isDisc: z.literal(true).optional(),
  encryption: z
    .object({ keyBits: countSchema, blockBytes: countSchema, rounds: countSchema, current: z.boolean() })
    .nullable(),
  /** The compression methods of a read-only image's chunks. */
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
  /** The digest of the disk in it, all of its bytes; null unless asked for. */
  sha256: sha256Schema.nullable(),
  elapsedMs: durationMsSchema,
})
export type ImageVerify = z.infer<typeof imageVerifySchema>

/** The result of a job on an image: the image as it is now, and the result of a verification. */
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
  /** The level of zlib for UDZO; macOS uses 1. */
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
