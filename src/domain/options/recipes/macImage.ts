import type { Recipe } from './recipe'

/** The file names' endings of images whose file system only macOS writes. */
export const MAC_ENDINGS = {
  udrw: '.dmg',
  udsp: '.sparseimage',
  udsb: '.sparsebundle',
  asif: '.asif',
} as const

/** The kinds of image whose file system only macOS writes. */
export type MacImageKind = keyof typeof MAC_ENDINGS

/** The kind of disk image that a recipe needs a Mac for; null for all other recipes. */
export function macImageKind(recipe: Recipe): MacImageKind | null {
  return recipe.family === 'apple-image' && recipe.kind !== 'udzo' ? recipe.kind : null
}

/**
 * A disk image that bytes are written and read through: its kind, and its bands where it has some.
 */
export interface ImageVariant {
  readonly kind: MacImageKind
  readonly bandBytes: number | null
}
