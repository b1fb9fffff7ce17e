import type { PlanDocument, PlanVolume } from '../../../../src/contract/dto/plan'

/** Folders with a colour of their own; the window has as many share colours. */
export const TONES = 6

/** A folder of a plan with its colour, the same on all discs. */
export interface TonedFolder {
  readonly path: string
  /** From 1: the largest folder of the plan first. */
  readonly tone: number
  readonly bytes: number
}

/** The colours of a plan's gauges. */
export interface ShareTones {
  readonly toned: readonly TonedFolder[]
  /** The tone of a folder; undefined for those without one. */
  readonly toneOf: ReadonlyMap<string, number>
  /** Bytes of all folders without a colour; null where there is none. */
  readonly others: number | null
}

/**
 * The colours of the largest folders of a plan; folders of one size in the order of their paths.
 */
export function shareTones(volumes: readonly Pick<PlanVolume, 'shares'>[]): ShareTones {
  const sums = new Map<string, number>()
  for (const { path, bytes } of volumes.flatMap(({ shares }) => shares))
    sums.set(path, (sums.get(path) ?? 0) + bytes)
  const ranked = [...sums]
    .filter(([path]) => path !== '')
    .sort(([one, bytes], [other, than]) => than - bytes || (one < other ? -1 : 1))
  const toned = ranked.slice(0, TONES).map(([path, bytes], at) => ({ path, tone: at + 1, bytes }))
  const without = ranked.slice(TONES).map(([, bytes]) => bytes)
  const rest = sums.get('')
  return {
    toned,
    toneOf: new Map(toned.map(({ path, tone }) => [path, tone])),
    others:
      rest === undefined && without.length === 0 ? null : without.reduce((sum, one) => sum + one, rest ?? 0),
  }
}

/** The letter of a colour, so that it is never the colour alone: A to F. */
export function toneLetter(tone: number): string {
  return String.fromCodePoint(64 + tone)
}

/**
 * A part of a gauge: a folder, the rest of them (''), or what the image adds to files and the
 * recovery data (null).
 */
export interface GaugePart {
  readonly kind: 'files' | 'added' | 'recovery'
  readonly path: string | null
  readonly tone: number | null
  readonly bytes: number
  /** Its share of the capacity. */
  readonly height: number
}

/**
 * The parts of a disc's gauge from the bottom, true to the capacity: folders in the order of their
 * colours, then those without one by size, the rest together, what the image adds to its files, and
 * the recovery data.
 * The shares of a packed disc, whose files are smaller there, fill it in proportion.
 * @param leastShare folders without a colour that take less of the capacity belong to the rest
 */
export function gaugeParts(
  {
    shares,
    sectors,
    capacitySectors,
    protection,
  }: Pick<PlanVolume, 'shares' | 'sectors' | 'capacitySectors' | 'protection'>,
  { medium, packing }: Pick<PlanDocument, 'medium' | 'packing'>,
  { toneOf }: Pick<ShareTones, 'toneOf'>,
  leastShare = 0,
): GaugePart[] {
  const recovery = protection?.bytes ?? 0
  const image = sectors * medium.sectorBytes - recovery
  const bytes = shares.reduce((sum, share) => sum + share.bytes, 0)
  const held = packing || bytes > image ? image : bytes
  const capacity = Math.max(1, capacitySectors * medium.sectorBytes)
  const heightOf = (part: number): number => (bytes === 0 ? 0 : ((part / bytes) * held) / capacity)
  const toned = shares.flatMap((share) => {
    const tone = toneOf.get(share.path)
    return tone === undefined
      ? []
      : [{ ...share, kind: 'files' as const, tone, height: heightOf(share.bytes) }]
  })
  const named = shares
    .filter(
      ({ path, bytes: own }) => path !== '' && !toneOf.has(path) && own > 0 && heightOf(own) >= leastShare,
    )
    .sort((one, other) => other.bytes - one.bytes)
    .map(({ path, bytes: own }) => ({
      kind: 'files' as const,
      path,
      tone: null,
      bytes: own,
      height: heightOf(own),
    }))
  const others = bytes - [...toned, ...named].reduce((sum, part) => sum + part.bytes, 0)
  return [
    ...toned
      .sort((one, other) => one.tone - other.tone)
      .map(({ kind, path, tone, bytes: own, height }) => ({ kind, path, tone, bytes: own, height })),
    ...named,
    ...(others > 0
      ? [{ kind: 'files' as const, path: '', tone: null, bytes: others, height: heightOf(others) }]
      : []),
    ...(image > held
      ? [
          {
            kind: 'added' as const,
            path: null,
            tone: null,
            bytes: image - held,
            height: (image - held) / capacity,
          },
        ]
      : []),
    ...(recovery > 0
      ? [{ kind: 'recovery' as const, path: null, tone: null, bytes: recovery, height: recovery / capacity }]
      : []),
  ]
}

/** The folder whose folders the gauges show; empty for the root of the discs. */
export function branchOf({ volumes }: Pick<PlanDocument, 'volumes'>): string {
  const path = volumes.flatMap(({ shares }) => shares).find((share) => share.path !== '')?.path ?? ''
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}
