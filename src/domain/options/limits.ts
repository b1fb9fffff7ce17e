import type { OptionRow } from './option'
import type { Encryption, System } from './variant'

/** What an option has to keep to; null where there is no limit. */
export interface Limits {
  readonly bytes: number | null
  readonly volumes: number | null
  /** Building and writing together. */
  readonly seconds: number | null
  readonly ramBytes: number | null
  readonly readableOn: readonly System[]
  readonly inPlace: boolean
  readonly container: string | null
}

/** What nobody's wish can change: the machine cannot make it, or a piece is larger than a volume. */
export const HARD = ['system', 'medium'] as const
export type Break = keyof Limits | 'encryption' | (typeof HARD)[number]

/** The figure that a numeric limit is held against: the upper end of its range. */
export function limitedFigure(
  option: OptionRow,
  limit: 'bytes' | 'volumes' | 'seconds' | 'ramBytes',
): number {
  const { bytes, volumes, buildSeconds, writeSeconds, ramBytes, useRamBytes } = option.estimate
  if (limit === 'bytes') return bytes.high
  if (limit === 'volumes') return volumes.high
  if (limit === 'seconds') return buildSeconds.high + writeSeconds.high
  return Math.max(ramBytes.high, useRamBytes.high)
}

export const NUMERIC_LIMITS = ['bytes', 'volumes', 'seconds', 'ramBytes'] as const

/** Everything that an option breaks. */
export function breaksOf(
  option: OptionRow,
  place: { readonly makers: readonly System[]; readonly system: System; readonly fits: boolean },
  { limits, encryption }: { readonly limits: Limits; readonly encryption: Encryption },
): Break[] {
  const breaks: Break[] = []
  if (!place.makers.includes(place.system)) breaks.push('system')
  if (!place.fits) breaks.push('medium')
  for (const limit of NUMERIC_LIMITS) {
    const most = limits[limit]
    if (most !== null && limitedFigure(option, limit) > most) breaks.push(limit)
  }
  if (unreadableOn(option, limits.readableOn).length > 0) breaks.push('readableOn')
  if (limits.inPlace && option.access === 'extract') breaks.push('inPlace')
  if (limits.container !== null && option.container !== limits.container) breaks.push('container')
  if (option.encryption !== encryption) breaks.push('encryption')
  return breaks
}

/** The systems on which nothing that is free to get reads it. */
export function unreadableOn(option: Pick<OptionRow, 'readers'>, systems: readonly System[]): System[] {
  return systems.filter((system) => !option.readers.some((reader) => reader.systems.includes(system)))
}
