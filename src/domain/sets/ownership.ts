import { z } from 'zod'

const accountSchema = z.number().int().min(0).max(0xffff_ffff)
/** Names of accounts and attributes are bytes, in lossless text form as paths are. */
const nameSchema = z.string().min(1).max(1024)

/** Whose a file is: numbers as its system had them, and names where that system had some. */
const ownerSchema = z.object({
  uid: accountSchema,
  gid: accountSchema,
  user: nameSchema.optional(),
  group: nameSchema.optional(),
})
export type Owner = z.infer<typeof ownerSchema>

/** An extended attribute, its value in hex. */
const attributeSchema = z.object({ name: nameSchema, value: z.string().regex(/^(?:[0-9a-f]{2})*$/) })
export type ExtendedAttribute = z.infer<typeof attributeSchema>

/**
 * The ownership that restoring puts back on a file, a folder or a link where the target can hold
 * it. Plans of older versions do not have it.
 */
export const ownershipShape = {
  owner: ownerSchema.optional(),
  /** None are left out. */
  attributes: z.array(attributeSchema).optional(),
} as const
const ownershipSchema = z.object(ownershipShape)
export type Ownership = z.infer<typeof ownershipSchema>
