import type { Stepwise } from '../../../primitives/stepwise'
import { DISK } from './copy'
import {
  FEWEST_COPIES,
  type FewCopies,
  type SafeDocument,
  type UnsafeCode,
  type UnsafeReason,
} from './safeDocument'
import { type GoodCopy, Safeties, type Safety, type Way } from './safety'

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
const UNKNOWN: Safety = {
  copies: 0,
  apart: 0,
  places: 0,
  withSource: 1,
  isAtTwoPlaces: false,
  media: new Set(),
}
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
  const safeties = new Safeties(volumes, sourceDisks)
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
      safety = ways === null ? UNKNOWN : safeties.of(ways)
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
