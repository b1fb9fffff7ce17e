import { z } from 'zod'
import {
  type OptionEstimate,
  optionEncryptionSchema,
  shareSchema,
} from '../../domain/options/optionsDocument'
import { idSchema, pathSchema } from '../../domain/scalars'
import { optionalPasswordSchema } from './password'

export * from '../../domain/options/optionsDocument'
export { folderLines, folderRecipe } from '../../domain/options/recipes/byFolder'
export { packsTiny } from '../../domain/options/recipes/packsTiny'
export { canBeMixed } from '../../domain/options/recipes/recipe'

export type OptionFigure = keyof OptionEstimate

export const optionBuildRequestSchema = z.object({
  surveyId: idSchema,
  /** An option's id or a variant's name. */
  optionId: z.string().min(1).max(1160),
  /** A file, or a folder for repositories and sets of archives: made by the build. */
  path: pathSchema,
  /** Requirements besides the files; a builder that cannot meet them refuses. */
  encryption: optionEncryptionSchema.default('none'),
  protection: shareSchema.default(0),
  /** Needed with encryption and refused without it. */
  password: optionalPasswordSchema,
  force: z.boolean().default(false),
  /** Remove it again when it has been measured: only the figures are kept. */
  discard: z.boolean().default(false),
})
export type OptionBuildRequest = z.infer<typeof optionBuildRequestSchema>
