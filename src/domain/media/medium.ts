import type { Bytes } from '../../primitives/bytes'

export const MEDIUM_FAMILIES = ['cd', 'dvd', 'bd', 'bdxl', 'custom', 'folder'] as const
export type MediumFamily = (typeof MEDIUM_FAMILIES)[number]

/** `image`: every volume is an image of sectors. `folder`: every volume is a folder of plain files. */
export const MEDIUM_KINDS = ['image', 'folder'] as const
export type MediumKind = (typeof MEDIUM_KINDS)[number]

/** A capacity with the place it was taken from. */
export interface SourcedCapacity {
  readonly capacitySectors: number
  readonly source: string
  readonly note: string
}

/** One medium of the catalogue, as its file in `assets/media` describes it. */
export interface MediumDescription {
  readonly id: string
  readonly name: string
  readonly family: MediumFamily
  readonly kind: MediumKind
  readonly sectorBytes: number
  /** What the plain id stands for. */
  readonly default: SourcedCapacity
  /** What stands after a colon in the id: other ways to format the same blank. */
  readonly variants: readonly (SourcedCapacity & { readonly id: string; readonly name: string })[]
}

/** All known media, in the order in which a person should see them. */
export type MediaCatalogue = readonly MediumDescription[]

/** A medium that a plan can be made for: any number of volumes of `capacitySectors` sectors. */
export interface Medium {
  readonly id: string
  readonly name: string
  readonly family: MediumFamily
  readonly kind: MediumKind
  readonly sectorBytes: Bytes
  readonly capacitySectors: number
  /** `capacitySectors × sectorBytes`. */
  readonly capacityBytes: Bytes
  /** Where the capacity comes from. */
  readonly source: string
  readonly note: string
}
