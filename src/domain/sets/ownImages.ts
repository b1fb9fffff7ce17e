import type { PlanDocument } from './planDocument'

/** The tool that plans name for their disc images. */
export const OWN_IMAGES = 'stowage'

/**
 * True where images of a plan that are not built yet can be built. Plans of older versions may name
 * xorriso: the images that it made are read like others, but no further ones are made for them.
 */
export function makesImages({ medium, mastering }: Pick<PlanDocument, 'medium' | 'mastering'>): boolean {
  return medium.kind === 'image' && mastering.tool === OWN_IMAGES
}

/**
 * True where a volume can be made without a file that changed since it was planned: the places of
 * all others must stay, which the index names.
 */
export function canSkipChanged({
  packing,
  ...images
}: Pick<PlanDocument, 'medium' | 'mastering' | 'packing'>): boolean {
  return makesImages(images) && packing === undefined
}
