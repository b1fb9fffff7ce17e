import type { Stepwise } from '../../../primitives/stepwise'
import { DISK, placeKey, type VolumeCopy } from './copy'
import {
  FEWEST_COPIES,
  type FewCopies,
  type SafeDocument,
  type UnsafeCode,
  type UnsafeReason,
} from './safeDocument'

type GoodCopy = Pick<VolumeCopy, 'place' | 'medium'>

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
  readonly code: Exclude<UnsafeCode, 'few' | 'onePlace' | 'noDigest'>
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
const UNKNOWN: Safety = { copies: 0, isAtTwoPlaces: false, media: new Set() }
/** The flaws with which the source is no copy of what was surveyed. */
const UNLIKE: ReadonlySet<UnsafeCode> = new Set(['unread', 'changed', 'gone'])
const STEP = 512
const WHOLE_COPIES = 3
const KINDS_OF_MEDIA = 2

/**
 * The verdict: safe if and only if nothing is wrong with the source and every file is on as many
 * good copies as wanted, never fewer than two, and can be restored without any one place.
 */
export function* safeToDelete({ wanted: asked, files, volumes, flaws, limit }: SafeFacts): Stepwise<Verdict> {
  const wanted = Math.max(FEWEST_COPIES, asked)
  const known = new Map<SourceFile['ways'], Safety>()
  const reasons = new Map<UnsafeCode, { code: UnsafeCode; files: number; bytes: number; paths: string[] }>()
  const sums = { files: 0, bytes: 0, keptFiles: 0, keptBytes: 0 }
  const few: FewCopies[] = []
  let fewest = Number.POSITIVE_INFINITY
  let media: string[] | null = null
  let isElsewhere = true
  let fewFiles = 0
  for (const { path, bytes, ways } of files) {
    if (++sums.files % STEP === 0) yield
    sums.bytes += bytes
    let safety = known.get(ways)
    if (safety === undefined) {
      safety = ways === null ? UNKNOWN : safetyOf(ways, volumes)
      known.set(ways, safety)
      const also = safety.media
      media = media === null ? [...also] : media.filter((kind) => also.has(kind))
      fewest = Math.min(fewest, safety.copies)
      isElsewhere &&= safety.isAtTwoPlaces
    }
    const { copies, isAtTwoPlaces } = safety
    if (copies >= wanted && isAtTwoPlaces) {
      sums.keptFiles += 1
      sums.keptBytes += bytes
      continue
    }
    fewFiles += 1
    if (few.length < limit) few.push({ path, bytes, copies, isAtTwoPlaces })
    const code = ways === null ? 'noDigest' : copies < wanted ? 'few' : 'onePlace'
    const reason = reasons.get(code) ?? { code, files: 0, bytes: 0, paths: [] }
    reason.files += 1
    reason.bytes += bytes
    if (reason.paths.length < limit) reason.paths.push(path)
    reasons.set(code, reason)
  }
  const all: UnsafeReason[] = [
    ...flaws.map((flaw) => ({ ...flaw, paths: [...flaw.paths] })),
    ...reasons.values(),
  ]
  const isSourceThere = !flaws.some(({ code }) => UNLIKE.has(code))
  const copies = (sums.files === 0 ? 0 : fewest) + (isSourceThere ? 1 : 0)
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
  readonly copies: number
  readonly isAtTwoPlaces: boolean
  /** The kinds of media from each of which alone the file can be restored. */
  readonly media: ReadonlySet<string>
}

/**
 * Counts the copies of a file: a way that needs several volumes is there as often as the rarest of
 * them, and no volume counts in two ways.
 */
function safetyOf(ways: readonly Way[], volumes: SafeFacts['volumes']): Safety {
  const counted = new Set<number>()
  let copies = 0
  for (const way of ways.toSorted((one, other) => one.length - other.length)) {
    if (way.some((volume) => counted.has(volume))) continue
    for (const volume of way) counted.add(volume)
    copies += Math.min(...way.map((volume) => volumes[volume]?.length ?? 0))
  }
  const isRestorable = (from: (copy: GoodCopy) => boolean): boolean =>
    ways.some((way) => way.every((volume) => volumes[volume]?.some(from)))
  const all = [...new Set(ways.flat())].flatMap((volume) => volumes[volume] ?? [])
  const places = new Set(all.flatMap(({ place }) => (place === null ? [] : [placeKey(place)])))
  const kinds = new Set(all.flatMap(({ medium }) => medium ?? []))
  return {
    copies,
    isAtTwoPlaces:
      places.size > 0 &&
      [...places].every((lost) => isRestorable(({ place }) => place !== null && placeKey(place) !== lost)),
    media: new Set([...kinds].filter((kind) => isRestorable(({ medium }) => medium === kind))),
  }
}
