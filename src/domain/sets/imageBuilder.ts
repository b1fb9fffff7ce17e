import type { PlanDocument } from './planDocument'

/**
 * The builders of disc images, by the names that people choose them with: Stowage's own, and
 * xorriso.
 */
export const IMAGE_BUILDERS = ['own', 'xorriso'] as const
export type ImageBuilder = (typeof IMAGE_BUILDERS)[number]

/** The builder where none is chosen. */
export const USUAL_BUILDER: ImageBuilder = 'own'

/** The tool that plans name for Stowage's own images. */
export const OWN_IMAGES = 'stowage'

/**
 * True where a volume can be made without a file that changed since it was planned: the places of
 * all others must stay, which the index names.
 */
export function canSkipChanged({
  medium,
  mastering,
  packing,
}: Pick<PlanDocument, 'medium' | 'mastering' | 'packing'>): boolean {
  return medium.kind === 'image' && builderOf(mastering.tool) === 'own' && packing === undefined
}

/** The builder of a plan's images, by the tool that it names. */
export function builderOf(tool: string): ImageBuilder {
  return tool === OWN_IMAGES ? 'own' : 'xorriso'
}
