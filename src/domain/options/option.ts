import type { ComposedOption, OptionEstimates } from './compose'
import type { Access, Encryption, Reader, Risk } from './variant'

/** A variant on a medium, with its figures, before it is compared with others. */
export interface OptionRow {
  readonly id: string
  readonly variant: string
  readonly family: string
  readonly name: string
  readonly container: string
  readonly reduction: string
  readonly codec: string | null
  readonly recordBytes: number | null
  readonly dictionaryBytes: number | null
  readonly chunker: string | null
  readonly order: string | null
  readonly encryption: Encryption
  readonly protection: number
  readonly medium: string
  readonly mediumName: string
  readonly estimate: OptionEstimates
  readonly access: Access
  readonly readers: readonly Reader[]
  readonly portability: number
  readonly risks: readonly Risk[]
  readonly notes: readonly string[]
}

/** The same in one line, as documents have it. */
export function rowOf(composed: ComposedOption): OptionRow {
  const { variant, medium } = composed
  return {
    id: composed.id,
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
    encryption: composed.encryption,
    protection: composed.protection,
    medium: medium.id,
    mediumName: medium.name,
    estimate: composed.estimate,
    access: variant.access,
    readers: variant.readers,
    portability: composed.portability,
    risks: composed.risks,
    notes: composed.notes,
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
