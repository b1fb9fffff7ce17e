/**
 * The builders of disc images, by the names that people choose them with: Stowage's own, and
 * xorriso.
 */
export const IMAGE_BUILDERS = ['own', 'xorriso'] as const
export type ImageBuilder = (typeof IMAGE_BUILDERS)[number]

/** The tool that plans name for Stowage's own images. */
export const OWN_IMAGES = 'stowage'

/** The builder of a plan's images, by the tool that it names. */
export function builderOf(tool: string): ImageBuilder {
  return tool === OWN_IMAGES ? 'own' : 'xorriso'
}
