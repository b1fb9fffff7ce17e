import { BUILT_COPY, placeKey, type VolumeCopy } from './copy'

/**
 * The state of a set's copies, the most pressing first. `gone`: a volume has no copy left that is
 * neither lost nor damaged. `unmade`: a volume was never built or written. `unverified`: a copy was
 * not read since it was written. `overdue`: its interval has passed since then. `onePlace`: the
 * loss of one place may take a volume. `good`: none of these, so every copy was verified in time,
 * and each volume is at two places or more.
 */
export const HEALTH_KINDS = [
  'gone',
  'damaged',
  'lost',
  'unmade',
  'unverified',
  'overdue',
  'onePlace',
  'good',
] as const

/** How well the copies of a set keep it, by what the catalog noted of them. */
export interface CopyHealth {
  readonly kind: (typeof HEALTH_KINDS)[number]
  /** The labels of the volumes that it is about, each once; empty for `unmade` and `good`. */
  readonly labels: readonly string[]
  /** How many copies it is about; none for `unmade`. */
  readonly count: number
  /** The number and place that these copies share; null where they differ or none is noted. */
  readonly copy: number | null
  readonly place: string | null
  /** All volumes of the set, as far as they are known. */
  readonly volumes: number
  /** Those that were never built or written. */
  readonly unmade: number
  /** The fewest copies that any volume has, apart from lost and damaged ones. */
  readonly copies: number
  /** The fewest places that these copies of any volume are at. */
  readonly places: number
  /** When the one of them was verified that was verified longest ago; null where one never was. */
  readonly verifiedWallMs: number | null
}

/** True for a copy from which its volume can be restored, as far as is known. */
export function isLeft({ state }: VolumeCopy): boolean {
  return state !== 'lost' && state !== 'damaged'
}

/** The volume that a copy is of, among those of all sets. */
export function volumeKey({
  planId,
  setId,
  volume,
}: Pick<VolumeCopy, 'planId' | 'setId' | 'volume'>): string {
  return `${planId ?? setId} ${volume}`
}

/**
 * The copies that keep a set: what is in the plan's folder is deleted sooner or later, so it counts
 * where no other copy of its volume is left.
 */
export function keepingCopies(copies: readonly VolumeCopy[]): VolumeCopy[] {
  const isWritten = (copy: VolumeCopy): boolean => copy.copy !== BUILT_COPY && isLeft(copy)
  const written = new Set(copies.filter(isWritten).map(volumeKey))
  return copies.filter((copy) => copy.copy !== BUILT_COPY || !written.has(volumeKey(copy)))
}

/**
 * The health of one complete set of volumes.
 * @param copies those of the set alone
 * @param planned how many volumes its plans have; null where no plan is known
 */
export function copyHealth(copies: readonly VolumeCopy[], planned: number | null): CopyHealth {
  const volumes = new Map<string, VolumeCopy[]>()
  for (const copy of copies) {
    const own = volumes.get(volumeKey(copy))
    if (own) own.push(copy)
    else volumes.set(volumeKey(copy), [copy])
  }
  const all = [...volumes.values()]
  const left = copies.filter(isLeft)
  const unmade = Math.max(0, (planned ?? 0) - all.length)
  const figures = {
    volumes: Math.max(planned ?? 0, all.length),
    unmade,
    copies: unmade > 0 ? 0 : fewest(all, (own) => own.filter(isLeft).length),
    places: unmade > 0 ? 0 : fewest(all, (own) => placesOf(own.filter(isLeft))),
    verifiedWallMs: oldest(left),
  }
  const about = (kind: CopyHealth['kind'], own: readonly VolumeCopy[]): CopyHealth => ({
    kind,
    ...sharedBy(own),
    ...figures,
  })
  const gone = all.filter((own) => !own.some(isLeft)).flat()
  if (gone.length > 0) return about('gone', gone)
  for (const state of ['damaged', 'lost'] as const) {
    const own = copies.filter((copy) => copy.state === state)
    if (own.length > 0) return about(state, own)
  }
  if (unmade > 0 || all.length === 0) return about('unmade', [])
  for (const state of ['unverified', 'overdue'] as const) {
    const own = copies.filter((copy) => copy.state === state)
    if (own.length > 0) return about(state, own)
  }
  const atOne = all.filter((own) => placesOf(own.filter(isLeft)) < 2).flat()
  return atOne.length > 0 ? about('onePlace', atOne.filter(isLeft)) : about('good', [])
}

function fewest(all: readonly (readonly VolumeCopy[])[], countOf: (own: readonly VolumeCopy[]) => number) {
  return all.length === 0 ? 0 : Math.min(...all.map(countOf))
}

/** How many places have one of these copies; a copy without a place is at none. */
function placesOf(copies: readonly VolumeCopy[]): number {
  return new Set(copies.flatMap(({ place }) => (place === null ? [] : placeKey(place)))).size
}

function oldest(copies: readonly VolumeCopy[]): number | null {
  const times = copies.map(({ verifiedWallMs }) => verifiedWallMs)
  if (times.length === 0 || times.includes(null)) return null
  return Math.min(...times.map((wallMs) => wallMs ?? 0))
}

function sharedBy(copies: readonly VolumeCopy[]): Pick<CopyHealth, 'labels' | 'count' | 'copy' | 'place'> {
  const [first] = copies
  const key = (place: string | null): string | null => (place === null ? null : placeKey(place))
  const isShared = copies.every(({ copy }) => copy === first?.copy)
  const isAtOne = copies.every(({ place }) => key(place) === key(first?.place ?? null))
  return {
    labels: [...new Set(copies.map(({ label }) => label))],
    count: copies.length,
    copy: isShared ? (first?.copy ?? null) : null,
    place: isAtOne ? (first?.place ?? null) : null,
  }
}
