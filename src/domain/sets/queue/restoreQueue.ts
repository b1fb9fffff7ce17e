import type { Estimate } from '../../../primitives/estimate'
import { scaled, sumTogether } from '../../options/cost/estimateParts'
import { placeKey } from '../copies/copy'
import type { LostFile, OfferState, QueuedVolume, RestoreQueue } from './queueDocument'
import { lightestCover, type Way } from './volumeCover'

/** A wanted file. Each way restores it alone, by the places of volumes in a list. */
export interface WantedFile {
  readonly path: string
  readonly bytes: number
  readonly ways: readonly Way[]
}

/** A copy of a volume that may be fetched. */
export interface CopyOffer {
  readonly copy: number | null
  readonly place: string | null
  readonly state: OfferState
  /** The image or folder, where it is there now. */
  readonly path: string | null
}

export interface OfferedVolume {
  readonly planId: string | null
  readonly index: number
  readonly label: string
  /** All of them, lost ones too. */
  readonly copies: readonly CopyOffer[]
  /** The bytes of all files on it, and the time that restoring them takes, where that is known. */
  readonly wholeBytes: number
  readonly seconds: Estimate | null
  /** It was given already: what it has is restored, and it is not asked for again. */
  readonly isGiven?: boolean
}

export type Queue = Omit<RestoreQueue, 'schema' | 'atWallMs'>

/** Volumes count first; of as few, those that were verified: there are never so many volumes. */
const VOLUME = 2 ** 20
const NOT_VERIFIED = 1
/** Places count first; of as few, that of the last volume. */
const PLACE = 2 ** 20
const ELSEWHERE = 1

/** Copies from the best to the worst. Those that are there now are tried before any journey. */
const RANKS = { atHand: 0, verified: 1, read: 2, damaged: 3 } as const
const STATES: readonly OfferState[] = ['good', 'overdue', 'unverified', 'unknown', 'damaged', 'lost']

/**
 * The fewest volumes that have all the files, which copy of each, and the order in which to give
 * them. A damaged copy serves only files that no other has. Of as few volumes those are taken that
 * were verified; of the copies of one volume those that are there now, then verified ones, from the
 * fewest places. The order is by place, then by plan and number.
 * @param limit how many files are listed that cannot be restored
 * @param near the place that the last volume came from: of as few places it is one
 */
export function restoreQueue(
  files: readonly WantedFile[],
  volumes: readonly OfferedVolume[],
  limit: number,
  near: string | null = null,
): Queue {
  const ranks = volumes.map(({ copies, isGiven }) => (isGiven ? RANKS.atHand : rankOf(copies)))
  const isSound = (at: number): boolean => (ranks[at] ?? RANKS.damaged) < RANKS.damaged
  const { demands, lost } = demandsOf(files, { isThere: (at) => ranks[at] !== null, isSound, limit })
  const weightOf = (at: number): number => VOLUME + ((ranks[at] ?? 0) > RANKS.verified ? NOT_VERIFIED : 0)
  const base = new Set(volumes.flatMap(({ isGiven }, at) => (isGiven ? [at] : [])))
  const cover = lightestCover({ demands: demands.map(waysOf), weightOf, base })
  const chosen = copiesOf(
    [...cover.chosen].filter((at) => !base.has(at)),
    volumes,
    near === null ? '' : placeKey(near),
  )
  const places = new Map<string, number>()
  for (const { offer } of chosen.values())
    if (offer.path === null) places.set(keyOf(offer), (places.get(keyOf(offer)) ?? 0) + 1)
  const order = [...chosen.keys()].toSorted((one, other) => inOrder(one, other, volumes, chosen, places))
  const shares = sharesOf(demands, [...base, ...order])
  const queued = order.flatMap((at) => {
    const share = shares.get(at)
    const volume = volumes[at]
    const copies = chosen.get(at)
    return share && volume && copies ? [queuedVolume(volume, copies, share)] : []
  })
  const seconds = queued.map((volume) => volume.seconds)
  const known = seconds.filter((each) => each !== null)
  const fewest = Math.floor(cover.least / VOLUME)
  return {
    files: demands.reduce((sum, demand) => sum + demand.files, 0),
    bytes: demands.reduce((sum, demand) => sum + demand.bytes, 0),
    volumes: queued,
    places: new Set(queued.flatMap((volume) => (volume.path === null ? [keyOf(volume)] : []))).size,
    fewest,
    isFewest: queued.length <= fewest,
    seconds:
      known.length < seconds.length || known.length === 0 ? null : sumTogether(known, known[0]?.basis ?? ''),
    lostFiles: lost.files,
    lostBytes: lost.bytes,
    lost: lost.first.map((file) => lostFile(file, volumes)),
  }
}

/** The rank of the best copy; null where all are lost. */
function rankOf(copies: readonly CopyOffer[]): number | null {
  const ranks = copies.flatMap((copy) => (copy.state === 'lost' ? [] : [rank(copy)]))
  return ranks.length === 0 ? null : Math.min(...ranks)
}

function rank({ state, path }: CopyOffer): number {
  if (state === 'damaged') return RANKS.damaged
  if (path !== null) return RANKS.atHand
  return state === 'good' || state === 'overdue' ? RANKS.verified : RANKS.read
}

/** Files that can be restored from the same volumes. */
interface Demand {
  readonly all: readonly Way[]
  /** The ways that need no damaged copy. */
  readonly sound: readonly Way[]
  files: number
  bytes: number
}

/** A damaged copy serves only what no other has. */
function waysOf({ all, sound }: Pick<Demand, 'all' | 'sound'>): readonly Way[] {
  return sound.length > 0 ? sound : all
}

function demandsOf(
  files: readonly WantedFile[],
  {
    isThere,
    isSound,
    limit,
  }: {
    readonly isThere: (at: number) => boolean
    readonly isSound: (at: number) => boolean
    readonly limit: number
  },
): {
  readonly demands: readonly Demand[]
  readonly lost: { files: number; bytes: number; readonly first: WantedFile[] }
} {
  const demands = new Map<string, Demand>()
  const known = new Map<readonly Way[], Demand | null>()
  const lost = { files: 0, bytes: 0, first: [] as WantedFile[] }
  for (const file of files) {
    let demand = known.get(file.ways)
    if (demand === undefined) {
      const all = file.ways.filter((way) => way.every(isThere))
      const key = all.map((way) => way.join()).join(';')
      demand =
        all.length === 0
          ? null
          : (demands.get(key) ?? { all, sound: all.filter((way) => way.every(isSound)), files: 0, bytes: 0 })
      if (demand) demands.set(key, demand)
      known.set(file.ways, demand)
    }
    if (demand === null && lost.first.length < limit) lost.first.push(file)
    const sums = demand ?? lost
    sums.files += 1
    sums.bytes += file.bytes
  }
  return { demands: [...demands.values()], lost }
}

interface ChosenCopy {
  readonly offer: CopyOffer
  readonly others: readonly CopyOffer[]
}

/** A copy of each volume: the best, of equal ones at the fewest places, that of `near` first. */
function copiesOf(
  chosen: readonly number[],
  volumes: readonly OfferedVolume[],
  near: string,
): Map<number, ChosenCopy> {
  const best = new Map(
    chosen.map((at) => {
      const copies = volumes[at]?.copies ?? []
      const least = rankOf(copies)
      return [at, copies.filter((copy) => copy.state !== 'lost' && rank(copy) === least)] as const
    }),
  )
  const away = [...best.values()].filter((copies) => copies.every(({ path }) => path === null))
  const keys = [...new Set(away.flat().map(keyOf))]
  const { chosen: visited } = lightestCover({
    demands: away.map((copies) => [...new Set(copies.map(keyOf))].map((key) => [keys.indexOf(key)])),
    weightOf: (at) => PLACE + (keys[at] === near ? 0 : ELSEWHERE),
  })
  return new Map(
    [...best].flatMap(([at, copies]) => {
      const usable = copies.filter((copy) => copy.path !== null || visited.has(keys.indexOf(keyOf(copy))))
      const [offer] = usable.toSorted(byState)
      if (offer === undefined) return []
      const others = (volumes[at]?.copies ?? []).filter((copy) => copy !== offer && copy.state !== 'lost')
      return [[at, { offer, others: others.toSorted(byState) }] as const]
    }),
  )
}

function byState(one: CopyOffer, other: CopyOffer): number {
  return STATES.indexOf(one.state) - STATES.indexOf(other.state) || (one.copy ?? 0) - (other.copy ?? 0)
}

function keyOf({ place }: Pick<CopyOffer, 'place'>): string {
  return place === null ? '' : placeKey(place)
}

/**
 * First what is there now; then place by place, the one with most volumes first, and those of no
 * place last.
 */
function inOrder(
  one: number,
  other: number,
  volumes: readonly OfferedVolume[],
  chosen: ReadonlyMap<number, ChosenCopy>,
  places: ReadonlyMap<string, number>,
): number {
  const of = (at: number): { key: string; away: number; many: number } => {
    const offer = chosen.get(at)?.offer
    if (offer === undefined || offer.path !== null) return { key: '', away: 0, many: 0 }
    const key = keyOf(offer)
    return { key, away: key === '' ? 2 : 1, many: places.get(key) ?? 0 }
  }
  const [a, b] = [of(one), of(other)]
  const [first, second] = [volumes[one], volumes[other]]
  return (
    a.away - b.away ||
    b.many - a.many ||
    compared(a.key, b.key) ||
    compared(first?.planId ?? '', second?.planId ?? '') ||
    (first?.index ?? 0) - (second?.index ?? 0)
  )
}

function compared(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}

/**
 * The files and bytes that each volume gives: a file comes from the first of the queue that have
 * it, from damaged ones if need be.
 */
function sharesOf(
  demands: readonly Demand[],
  order: readonly number[],
): Map<number, { files: number; bytes: number }> {
  const position = new Map(order.map((at, index) => [at, index]))
  const last = (way: Way): number =>
    Math.max(...way.map((at) => position.get(at) ?? Number.POSITIVE_INFINITY))
  const shares = new Map<number, { files: number; bytes: number }>()
  for (const { all, sound, files, bytes } of demands) {
    const way = waysOf({ all, sound }).reduce((best, each) => (last(each) < last(best) ? each : best))
    for (const at of way) {
      const share = shares.get(at) ?? { files: 0, bytes: 0 }
      shares.set(at, { files: share.files + files, bytes: share.bytes + bytes / way.length })
    }
  }
  return shares
}

function queuedVolume(
  { planId, index, label, wholeBytes, seconds }: OfferedVolume,
  { offer, others }: ChosenCopy,
  { files, bytes }: { readonly files: number; readonly bytes: number },
): QueuedVolume {
  return {
    planId,
    index,
    label,
    ...offer,
    others: others.flatMap(({ copy, place, state }) => (copy === null ? [] : [{ copy, place, state }])),
    files,
    bytes: Math.round(bytes),
    seconds: seconds && scaled(seconds, Math.min(1, wholeBytes === 0 ? 1 : bytes / wholeBytes)),
  }
}

function lostFile({ path, bytes, ways }: WantedFile, volumes: readonly OfferedVolume[]): LostFile {
  const labels = [...new Set(ways.flat())].map((at) => volumes[at]?.label ?? '')
  return { path, bytes, labels }
}
