import type { ComposedOption } from './compose'
import type { Variant } from './variant'

/** A variant on a medium, with its figures, before it is compared with others. */
export interface OptionRow
  extends Omit<ComposedOption, 'variant' | 'medium' | 'fits'>,
    Pick<
      Variant,
      | 'family'
      | 'container'
      | 'reduction'
      | 'codec'
      | 'recordBytes'
      | 'dictionaryBytes'
      | 'chunker'
      | 'order'
      | 'access'
      | 'readers'
    > {
  /** The variant's permanent name, and in words. */
  readonly variant: string
  readonly name: string
  readonly medium: string
  readonly mediumName: string
}

/** The same in one line, as documents have it. */
export function rowOf(composed: ComposedOption): OptionRow {
  const { variant, medium, fits: _, ...rest } = composed
  return {
    ...rest,
    variant: variant.name,
    family: variant.family,
    name: variant.title,
    container: variant.container,
    reduction: variant.reduction,
    codec: variant.codec,
    recordBytes: variant.recordBytes,
    dictionaryBytes: variant.dictionaryBytes,
    chunker: variant.chunker,
    order: variant.order,
    medium: medium.id,
    mediumName: medium.name,
    access: variant.access,
    readers: variant.readers,
  }
}

/** What people weigh against each other. Building and writing count as one time, memory as the most of building and using. */
export const MERITS = [
  'bytes',
  'volumes',
  'buildSeconds',
  'restoreSeconds',
  'ramBytes',
  'portability',
] as const
export type Merit = (typeof MERITS)[number]

/** The merits of an option, each so that less is better and never below `least`. */
export type Merits = Readonly<Record<Merit, number>>

/** Below these nobody would feel a difference, but of sizes every byte counts. */
const LEAST: Readonly<Record<Merit, number>> = {
  bytes: 1,
  volumes: 1,
  buildSeconds: 0.1,
  restoreSeconds: 0.1,
  ramBytes: 1e6,
  portability: 0,
}

export function meritsOf({ estimate, portability }: Pick<OptionRow, 'estimate' | 'portability'>): Merits {
  const { bytes, volumes, buildSeconds, writeSeconds, restoreSeconds, ramBytes, useRamBytes } = estimate
  const values: Merits = {
    bytes: bytes.value,
    volumes: volumes.value,
    buildSeconds: buildSeconds.value + writeSeconds.value,
    restoreSeconds: restoreSeconds.value,
    ramBytes: Math.max(ramBytes.value, useRamBytes.value),
    portability: 1 - portability,
  }
  return Object.fromEntries(MERITS.map((merit) => [merit, Math.max(LEAST[merit], values[merit])])) as Merits
}
