import type { Stepwise } from '../../../primitives/stepwise'
import { DISK, placeKey, type VolumeCopy } from './copy'
import {
  FEWEST_COPIES,
  type FewCopies,
  type SafeDocument,
  type UnsafeCode,
  type UnsafeReason,
} from './safeDocument'

/** A copy that counts. */
export type GoodCopy = Pick<VolumeCopy, 'place' | 'medium'> & {
  /**
   * Names of the disk that it is on: two copies with a name in common are on one. None where
   * nothing is known, as of a disc.
   */
  readonly disks: readonly string[]
}

/** The volumes that restoring a file needs, all of them, by their places in a list. */
export type Way = readonly number[]

export interface SourceFile {
  readonly path: string
  readonly bytes: number
  /** Each restores the file alone; null for a file without SHA-256, which is nowhere known. */
  readonly ways: readonly Way[] | null
}

/** How the source differs from its survey, and what the survey could not say. */
export interface SourceFlaw {
  readonly code: Exclude<UnsafeCode, 'few' | 'oneDisk' | 'onePlace' | 'noDigest'>
  readonly files: number
  readonly bytes: number
  readonly paths: readonly string[]
}

export interface SafeFacts {
  readonly wanted: number
  readonly files: Iterable<SourceFile>
  /** The good copies of each volume. */
  readonly volumes: readonly (readonly GoodCopy[])[]
  readonly flaws: readonly SourceFlaw[]
  /** The same of the source. */
  readonly sourceDisks: readonly string[]
  /** How many paths and rows are listed. */
  readonly limit: number
}

export type Verdict = Pick<
  SafeDocument,
  | 'safe'
  | 'reasons'
  | 'wanted'
  | 'files'
  | 'bytes'
  | 'keptFiles'
  | 'keptBytes'
  | 'few'
  | 'moreFew'
  | 'threeTwoOne'
>

/** A file without SHA-256. */
const UNKNOWN: Safety = { copies: 0, apart: 0, withSource: 1, isAtTwoPlaces: false, media: new Set() }
/** A source without files: nothing shows that it is the one that was meant. */
const EMPTY: UnsafeReason = { code: 'empty', files: 0, bytes: 0, paths: [] }
/** The flaws with which the source is no copy of what was surveyed. */
const UNLIKE: ReadonlySet<UnsafeCode> = new Set(['unread', 'changed', 'gone'])
const STEP = 512
const WHOLE_COPIES = 3
const KINDS_OF_MEDIA = 2

/**
 * The verdict: safe if and only if nothing is wrong with the source, it is not empty, and every
 * file is on as many good copies as wanted, never fewer than two, and can be restored without any
 * one place. All copies on one disk are one copy at one place, whatever they are called.
 */
export function* safeToDelete({
  wanted: asked,
  files,
  volumes,
  flaws,
  sourceDisks,
  limit,
}: SafeFacts): Stepwise<Verdict> {
  const wanted = Math.max(FEWEST_COPIES, asked)
  const located = new Disks(volumes, sourceDisks)
  const known = new Map<SourceFile['ways'], Safety>()
  const reasons = new Map<UnsafeCode, { code: UnsafeCode; files: number; bytes: number; paths: string[] }>()
  const sums = { files: 0, bytes: 0, keptFiles: 0, keptBytes: 0 }
  const few: FewCopies[] = []
  let fewest = Number.POSITIVE_INFINITY
  let fewestWithSource = Number.POSITIVE_INFINITY
  let media: string[] | null = null
  let isElsewhere = true
  let fewFiles = 0
  for (const { path, bytes, ways } of files) {
    if (++sums.files % STEP === 0) yield
    sums.bytes += bytes
    let safety = known.get(ways)
    if (safety === undefined) {
      safety = ways === null ? UNKNOWN : safetyOf(ways, located)
      known.set(ways, safety)
      const also = safety.media
      media = media === null ? [...also] : media.filter((kind) => also.has(kind))
      fewest = Math.min(fewest, safety.copies)
      fewestWithSource = Math.min(fewestWithSource, safety.withSource)
      isElsewhere &&= safety.isAtTwoPlaces
    }
    const { copies, apart, isAtTwoPlaces } = safety
    if (copies >= wanted && isAtTwoPlaces) {
      sums.keptFiles += 1
      sums.keptBytes += bytes
      continue
    }
    fewFiles += 1
    if (few.length < limit) few.push({ path, bytes, copies, isAtTwoPlaces })
    const isOneDisk = apart >= wanted && copies < wanted
    const code = ways === null ? 'noDigest' : isOneDisk ? 'oneDisk' : copies < wanted ? 'few' : 'onePlace'
    const reason = reasons.get(code) ?? { code, files: 0, bytes: 0, paths: [] }
    reason.files += 1
    reason.bytes += bytes
    if (reason.paths.length < limit) reason.paths.push(path)
    reasons.set(code, reason)
  }
  const all: UnsafeReason[] = [
    ...(sums.files === 0 && flaws.length === 0 ? [EMPTY] : []),
    ...flaws.map((flaw) => ({ ...flaw, paths: [...flaw.paths] })),
    ...reasons.values(),
  ]
  const isSourceThere = !flaws.some(({ code }) => UNLIKE.has(code))
  const copies = sums.files === 0 ? 0 : isSourceThere ? fewestWithSource : fewest
  const kinds = [...new Set([...(media ?? []), ...(isSourceThere ? [DISK] : [])])].toSorted()
  const elsewhere = sums.files > 0 && isElsewhere
  return {
    safe: all.length === 0,
    reasons: all,
    wanted,
    ...sums,
    few,
    moreFew: fewFiles - few.length,
    threeTwoOne: {
      copies,
      media: kinds,
      isElsewhere: elsewhere,
      isMet: copies >= WHOLE_COPIES && kinds.length >= KINDS_OF_MEDIA && elsewhere,
    },
  }
}

interface Safety {
  /** On so many disks, or discs, that losing fewer of them cannot lose it. */
  readonly copies: number
  /** The copies, if each were on a disk of its own. */
  readonly apart: number
  /** The disks with that of the source. */
  readonly withSource: number
  readonly isAtTwoPlaces: boolean
  /** The kinds of media from each of which alone the file can be restored. */
  readonly media: ReadonlySet<string>
}

function safetyOf(ways: readonly Way[], located: Disks): Safety {
  const { volumes } = located
  const isRestorable = (from: (copy: LocatedCopy) => boolean): boolean =>
    ways.some((way) => way.every((volume) => volumes[volume]?.some(from)))
  const all = [...new Set(ways.flat())].flatMap((volume) => volumes[volume] ?? [])
  const places = new Set(all.flatMap(({ area }) => area ?? []))
  const kinds = new Set(all.flatMap(({ medium }) => medium ?? []))
  const copies = leastLoss(ways, (volume) => new Set(volumes[volume]?.map(({ disk }) => disk)))
  const isWithSource = all.some(({ disk }) => disk === located.source)
  return {
    copies,
    apart: leastLoss(ways, (volume) => new Set(volumes[volume]?.map(({ number }) => number))),
    withSource: copies + (isWithSource ? 0 : 1),
    isAtTwoPlaces:
      places.size > 0 &&
      [...places].every((lost) => isRestorable(({ area }) => area !== null && area !== lost)),
    media: new Set([...kinds].filter((kind) => isRestorable(({ medium }) => medium === kind))),
  }
}

/** More ways to lose a file than this are not tried one by one. */
const MOST_TRIED = 10_000

/**
 * The least number of disks whose loss loses a file: in each way one volume is lost with all its
 * disks. Where there are too many choices, a lower bound: what the best way alone needs.
 */
function leastLoss(ways: readonly Way[], disksOf: (volume: number) => ReadonlySet<number>): number {
  const choices = ways
    .map((way) => way.map(disksOf))
    .filter((way) => way.length > 0 && way.every(({ size }) => size > 0))
  if (choices.length === 0) return 0
  const tried = choices.reduce((product, { length }) => product * length, 1)
  if (tried > MOST_TRIED) return Math.max(...choices.map((way) => Math.min(...way.map(({ size }) => size))))
  let least = Number.POSITIVE_INFINITY
  const lose = (at: number, lost: ReadonlySet<number>): void => {
    if (lost.size >= least) return
    const way = choices[at]
    if (way === undefined) least = lost.size
    else for (const disks of way) lose(at + 1, new Set([...lost, ...disks]))
  }
  lose(0, new Set())
  return least
}

interface LocatedCopy {
  readonly number: number
  readonly medium: string | null
  readonly disk: number
  /** The places that are one, by their disks; null where none is known. */
  readonly area: number | null
}

/** The disks of copies and source: names that one copy has in common are of one disk. */
class Disks {
  readonly volumes: readonly (readonly LocatedCopy[])[]
  readonly source: number
  readonly #above: number[] = []
  readonly #named = new Map<string, number>()

  constructor(volumes: SafeFacts['volumes'], sourceDisks: readonly string[]) {
    const source = this.#node(sourceDisks)
    const disks = volumes.map((copies) => copies.map((copy) => this.#node(copy.disks)))
    const top = disks.map((own) => own.map((node) => this.#top(node)))
    this.source = this.#top(source)
    // Copies on one disk are at one place, so the names of their places are of one.
    const placed = new Set<number>()
    for (const [at, copies] of volumes.entries())
      for (const [number, { place }] of copies.entries()) {
        if (place === null) continue
        const node = this.#nodeOf(`at ${placeKey(place)}`)
        this.#join(top[at]?.[number] ?? node, node)
        placed.add(node)
      }
    const areas = new Set([...placed].map((node) => this.#top(node)))
    let number = 0
    this.volumes = volumes.map((copies, at) =>
      copies.map(({ medium }, index) => {
        const disk = top[at]?.[index] ?? 0
        const area = this.#top(disk)
        return { number: number++, medium, disk, area: areas.has(area) ? area : null }
      }),
    )
  }

  #node(names: readonly string[]): number {
    const node = this.#above.length
    this.#above.push(node)
    for (const name of names) this.#join(node, this.#nodeOf(`on ${name}`))
    return node
  }

  #nodeOf(name: string): number {
    const known = this.#named.get(name)
    if (known !== undefined) return known
    const node = this.#node([])
    this.#named.set(name, node)
    return node
  }

  #join(one: number, other: number): void {
    this.#above[this.#top(one)] = this.#top(other)
  }

  #top(node: number): number {
    let at = node
    while (this.#above[at] !== at) at = this.#above[at] ?? at
    return at
  }
}
