import type { Estimate } from '../../../primitives/estimate'
import { said } from '../../../primitives/said'
import type { MediumFacts, OptionFacts } from '../facts'
import { type OptionEstimate, SYSTEMS } from '../optionsDocument'
import type { Encryption, Reader, Risk, Variant } from '../recipes/variant'
import { timesOf } from './composeTimes'
import { bytesOnMedium, laidOut, volumesOf } from './composeVolumes'

/** The choices of the caller in addition to the variant and the medium. */
interface Preferences {
  readonly encryption: Encryption
  /** Redundancy as a share of what is stored. */
  readonly protection: number
}

/** One way to store a source on one medium. */
export interface ComposedOption {
  /** Permanent: variant and medium. */
  readonly id: string
  readonly variant: Variant
  readonly medium: MediumFacts
  /** The encryption of the container, which is not the requested one where it has no such kind. */
  readonly encryption: Encryption
  readonly protection: number
  readonly estimate: OptionEstimate
  /** False where a piece that cannot be cut is larger than a volume. */
  readonly fits: boolean
  /** Who can read it as it is encrypted. */
  readonly readers: readonly Reader[]
  readonly portability: number
  readonly risks: readonly Risk[]
  readonly notes: readonly string[]
}

/** Computes all figures of a variant on a medium. */
export function composeOption(
  facts: OptionFacts,
  variant: Variant,
  medium: MediumFacts,
  preferences: Preferences,
): ComposedOption {
  const encryption = encryptionOf(variant, preferences.encryption)
  const protection = Math.max(0, preferences.protection)
  const headerBytes = encryption === 'none' ? 0 : (variant.encryption?.headerBytes ?? 0)
  const laid = laidOut(facts.survey, variant, medium)
  const container = offset(laid.storedBytes, headerBytes)
  const bytes = bytesOnMedium(facts.survey, { variant: laid, container, medium, protection })
  const { volumes, fits } = volumesOf(laid, bytes, medium)
  const parts = { variant, medium, container, bytes, volumes, encryption, protection }
  const times = timesOf(facts, parts)
  const readers = variant.readers.filter(({ plainOnly }) => encryption === 'none' || !plainOnly)
  const unencrypted = preferences.encryption !== 'none' && encryption === 'none'
  return {
    id: `${variant.name}@${medium.id}`,
    variant,
    medium,
    encryption,
    protection,
    estimate: {
      ...times,
      bytes,
      volumes,
      ramBytes: variant.packRamBytes,
      useRamBytes: variant.useRamBytes,
      storedFiles: laid.storedFiles,
    },
    fits,
    readers,
    portability: portabilityOf(readers),
    risks: variant.risks,
    notes: [
      ...variant.notes,
      ...(encryption !== 'none' && variant.encryption?.note !== undefined ? [variant.encryption.note] : []),
      ...(unencrypted ? [said`It has no encryption: use another program to encrypt it.`] : []),
      ...(fits ? [] : [said`A part of it is larger than a volume and cannot be split.`]),
    ],
  }
}

/**
 * Share of systems that read it, 0 to 1: a system counts whole with its own means, half with a free
 * program, and a quarter where the program that made it is the only one that reads it.
 */
export function portabilityOf(readers: readonly Reader[]): number {
  const shares = SYSTEMS.map((system) => {
    const able = readers.filter((reader) => reader.systems.includes(system))
    if (able.length === 0) return 0
    if (able.some((reader) => reader.own)) return 1
    return able.every((reader) => reader.onlyOne) ? 0.25 : 0.5
  })
  return shares.reduce<number>((sum, share) => sum + share, 0) / SYSTEMS.length
}

function offset(estimate: Estimate, bytes: number): Estimate {
  const { value, low, high } = estimate
  return { ...estimate, value: value + bytes, low: low + bytes, high: high + bytes }
}

/**
 * The encryption of a container for a requested one: that, or a stronger one, or the one it always
 * has, or none.
 */
function encryptionOf(variant: Variant, requested: Encryption): Encryption {
  const kinds = variant.encryption?.kinds ?? ['none']
  if (kinds.includes(requested)) return requested
  if (requested === 'none') return kinds[0] ?? 'none'
  return kinds.findLast((kind) => kind !== 'none') ?? 'none'
}
