import type { PlanDocument, PlanVolume } from '../../../../src/contract/dto/plan'

/** Folders with a colour of their own: each has a letter. */
export const MOST_TONED = 24
/** Hues that people with any colour vision tell apart; the window has as many share colours. */
export const HUES = 6
/** The largest step between two years, as a part of the ramp: a few years keep to its pale end. */
const LARGEST_STEP = 0.1
/** `2003`, and `2007 Karelia`. */
const YEAR = /^(?:19|20)\d\d(?![\p{L}\d])/u

/** The colour of a folder: one of the hues, or the place of a year on the ramp. */
export interface Tone {
  /** From 1: its place in gauges and lists, which its letter shows. */
  readonly rank: number
  /** From 1 to `HUES`; null for a year. */
  readonly hue: number | null
  /** From 0, the oldest, to at most 1; null for a hue. */
  readonly onRamp: number | null
}

/** A folder of a plan with its colour, the same on all discs. */
export interface TonedFolder {
  readonly path: string
  readonly tone: Tone
  readonly bytes: number
}

/** The colours of a plan's gauges. */
export interface ShareTones {
  /** By rank. */
  readonly toned: readonly TonedFolder[]
  /** The tone of a folder; undefined for those without one. */
  readonly toneOf: ReadonlyMap<string, Tone>
  /** Bytes of all folders without a colour; null where there is none. */
  readonly others: number | null
}

/**
 * The colours of the largest folders of a plan; folders of one size in the order of their paths.
 * Two or more folders whose names begin with a year come first, from old to new on a ramp of one
 * hue; the largest others take the hues. At most `MOST_TONED` folders have a colour.
 */
export function shareTones(volumes: readonly Pick<PlanVolume, 'shares'>[]): ShareTones {
  const sums = new Map<string, number>()
  for (const { path, bytes } of volumes.flatMap(({ shares }) => shares))
    sums.set(path, (sums.get(path) ?? 0) + bytes)
  const ranked = [...sums]
    .filter(([path]) => path !== '')
    .sort(([one, bytes], [other, than]) => than - bytes || (one < other ? -1 : 1))
  const dated = ranked.filter(([path]) => YEAR.test(lastOf(path)))
  const years = (dated.length < 2 ? [] : dated.slice(0, MOST_TONED)).sort(([one], [other]) =>
    one < other ? -1 : 1,
  )
  const isYear = new Set(years.map(([path]) => path))
  const hues = ranked
    .filter(([path]) => !isYear.has(path) && !(years.length > 0 && YEAR.test(lastOf(path))))
    .slice(0, Math.min(HUES, MOST_TONED - years.length))
  const step = Math.min(LARGEST_STEP, 1 / Math.max(1, years.length - 1))
  const toned = [
    ...years.map(([path, bytes], at) => ({
      path,
      bytes,
      tone: { rank: at + 1, hue: null, onRamp: at * step },
    })),
    ...hues.map(([path, bytes], at) => ({
      path,
      bytes,
      tone: { rank: years.length + at + 1, hue: at + 1, onRamp: null },
    })),
  ]
  const toneOf = new Map(toned.map(({ path, tone }) => [path, tone]))
  const without = ranked.filter(([path]) => !toneOf.has(path)).map(([, bytes]) => bytes)
  const rest = sums.get('')
  return {
    toned,
    toneOf,
    others:
      rest === undefined && without.length === 0 ? null : without.reduce((sum, one) => sum + one, rest ?? 0),
  }
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** The letter of a colour, so that it is never the colour alone: A to X. */
export function toneLetter({ rank }: Pick<Tone, 'rank'>): string {
  return String.fromCodePoint(64 + rank)
}

/** The class and style of what has a colour; those of the other folders for null. */
export function toneFill(tone: Tone | null): {
  readonly className: string
  readonly style: Readonly<Record<string, string>>
} {
  return tone !== null && tone.onRamp !== null
    ? { className: 'share-year', style: { '--on-ramp': `${(tone.onRamp * 100).toFixed(1)}%` } }
    : { className: '', style: { background: `var(--share-${tone?.hue ?? 'rest'})` } }
}

/**
 * A part of a gauge: a folder, the rest of them (''), or what the image adds to files and the
 * recovery data (null).
 */
export interface GaugePart {
  readonly kind: 'files' | 'added' | 'recovery'
  readonly path: string | null
  readonly tone: Tone | null
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
      .sort((one, other) => one.tone.rank - other.tone.rank)
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
