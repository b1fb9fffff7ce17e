import type { OptionLimits } from '../optionsDocument'
import { easiestWay, isUsedInPlace } from '../recipes/readingWays'
import type { Encryption, System } from '../recipes/variant'
import type { Ability } from './here'
import type { OptionRow } from './option'

/**
 * Limits that no setting can change: this machine can neither make nor plan it, or a piece is
 * larger than a volume.
 */
export const HARD = ['system', 'medium'] as const
export type Break = keyof OptionLimits | 'encryption' | 'protection' | (typeof HARD)[number]

/** The facts, apart from its figures, that decide if an option is available. */
export interface Place {
  readonly makers: readonly System[]
  readonly system: System
  readonly fits: boolean
  readonly ability: Ability
}

/** The demands that options have to meet: an encryption of `none` forbids nothing. */
export interface Demands {
  readonly limits: OptionLimits
  readonly encryption: Encryption
  /** Redundancy as a share of what is stored. */
  readonly protection: number
}

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
  { makers, system, fits, ability }: Place,
  { limits, encryption, protection }: Demands,
): Break[] {
  const breaks: Break[] = []
  const isPlanned = ability.plan.form !== null
  if (!makers.includes(system) && !isPlanned) breaks.push('system')
  if (!fits) breaks.push('medium')
  for (const limit of NUMERIC_LIMITS) {
    const most = limits[limit]
    if (most !== null && limitedFigure(option, limit) > most) breaks.push(limit)
  }
  if (unreadableOn(option, limits.readableOn).length > 0) breaks.push('readableOn')
  if (packedOn(option, limits, system).length > 0) breaks.push('inPlace')
  if (limits.container !== null && option.container !== limits.container) breaks.push('container')
  const isRefused = !isPlanned && ability.withoutDemands
  const isEncrypted = option.encryption === encryption && (protection > 0 || !isRefused)
  if (encryption !== 'none' && !isEncrypted) breaks.push('encryption')
  if (protection > 0 && isRefused) breaks.push('protection')
  return breaks
}

/** The systems on which nothing that is free to get reads it. */
export function unreadableOn(option: Pick<OptionRow, 'ways'>, systems: readonly System[]): System[] {
  return systems.filter((system) => easiestWay(option.ways, system) === null)
}

/**
 * Where its files must be usable in place and are not: on the systems that it must be readable on,
 * or on this one.
 */
function packedOn(
  option: Pick<OptionRow, 'ways'>,
  { inPlace, readableOn }: OptionLimits,
  system: System,
): System[] {
  if (!inPlace) return []
  return (readableOn.length > 0 ? readableOn : [system]).filter((each) => !isUsedInPlace(option.ways, each))
}
