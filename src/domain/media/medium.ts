/**
 * The room `media` has what is known of media: capacities, variants, speeds and prices.
 * How: a medium is found by its permanent name, also one of any size; times follow a curve of speed
 * over the disc.
 * Not here: the catalogue's files (`assets/media`), drives at hand (`src/engine/sets/write`).
 */

import { z } from 'zod'
import type { Span } from '../../primitives/estimate'
import { bytesSchema, countSchema, mediumIdSchema } from '../scalars'

export const MEDIUM_FAMILIES = ['cd', 'dvd', 'bd', 'bdxl', 'custom', 'folder'] as const

type MediumFamily = (typeof MEDIUM_FAMILIES)[number]

/**
 * `image`: every volume is an image of sectors. `folder`: every volume is a folder of plain files.
 */
export const MEDIUM_KINDS = ['image', 'folder'] as const

export type MediumKind = (typeof MEDIUM_KINDS)[number]

/** A capacity with the place it was taken from. */
export interface SourcedCapacity {
  readonly capacitySectors: number
  readonly source: string
  readonly note: string
}

/**
 * How the rate goes over a disc. `clv`: the same everywhere. `cav`: rising with the radius, the
 * labelled speed at the rim. `zclv`: in steps up to it.
 */
export const SPEED_PROFILES = ['clv', 'cav', 'zclv'] as const

export type SpeedProfile = (typeof SPEED_PROFILES)[number]

/** A labelled speed such as 16x, and between which ones usual drives and blanks lie. */
export interface DriveSpeed {
  readonly speed: number
  readonly profile: SpeedProfile
  readonly lowSpeed: number
  readonly highSpeed: number
}

/** The rates of a usual drive with a medium: assumed, as nobody measured the drive at hand. */
export interface MediumDrive {
  /** The rate of 1x, in bytes of user data per second. */
  readonly oneSpeedBytesPerSecond: number
  readonly write: DriveSpeed
  readonly read: DriveSpeed
  /** The time of each volume apart from its bytes: lead-in, closing, changing it. */
  readonly volumeSeconds: Span
  readonly source: string
}

/** One medium of the catalogue, as its file in `assets/media` describes it. */
export interface MediumDescription {
  readonly id: string
  readonly name: string
  readonly family: MediumFamily
  readonly kind: MediumKind
  readonly sectorBytes: number
  /** Absent for one. */
  readonly layers?: number | undefined
  readonly drive: MediumDrive
  /** The capacity that the plain ID means. */
  readonly default: SourcedCapacity
  /** The part after a colon in the ID: another way to format the same blank. */
  readonly variants: readonly (SourcedCapacity & {
    readonly id: string
    readonly name: string
    /** Written at half speed, since the drive checks what it writes. */
    readonly halfSpeed?: true | undefined
  })[]
}

/** All known media, in the order in which a person should see them. */
export type MediaCatalogue = readonly MediumDescription[]

/** A medium that a plan can be made for: any number of volumes of `capacitySectors` sectors. */
export const mediumSchema = z.object({
  id: mediumIdSchema,
  name: z.string(),
  family: z.enum(MEDIUM_FAMILIES),
  kind: z.enum(MEDIUM_KINDS),
  sectorBytes: bytesSchema,
  capacitySectors: countSchema,
  /** `capacitySectors × sectorBytes`. */
  capacityBytes: bytesSchema,
  /** Where the capacity comes from. */
  source: z.string(),
  note: z.string(),
})
export type Medium = z.infer<typeof mediumSchema>
