import { FILE_WORTH_BYTES, type TimeLeft, timeLeft } from './timeLeft'

/**
 * Work of one kind that a job does, such as reading, in units that take about the same time each.
 */
export interface Work {
  readonly kind: string
  /** Milliseconds where the time itself is planned, as by a budget. */
  readonly unit: 'bytes' | 'ms'
  readonly done: number
  /** Null while it is unknown. */
  readonly total: number | null
  /** Files that the bytes are in, where each costs time as well; what a file costs is measured. */
  readonly files?: { readonly done: number; readonly total: number | null } | undefined
  /** The expected time of a unit relative to the other kinds with this unit; 1 without. */
  readonly weight?: number
  /**
   * True when it proceeds at the same time as others, without stopping in between: then its own
   * pace counts as well.
   */
  readonly isAlongside?: boolean
  /**
   * True when it ends by the clock, such as a probe: it takes its time whatever the pace of the
   * others, and theirs does not follow from it.
   */
  readonly isTimed?: boolean
}

interface WorkEstimate {
  /** Takes how much of each kind is done, and for how long the job has worked, pauses left out. */
  add(work: readonly Work[], workedMs: number): void
  /**
   * Milliseconds for what is left of all kinds; null while the total of a kind is unknown, and,
   * where not all of it is planned in milliseconds, before anything proceeded, below 5 % of the
   * expected time and in the first half second. What has not proceeded for longer than all of the
   * rest was to take is expected to take as long again.
   * @param workedMs the time by now
   */
  leftMs(work: readonly Work[], workedMs: number): number | null
}

/** Milliseconds of a unit before anything was measured: 250 MB/s, and a budget that is kept. */
const ASSUMED = { bytes: 4e-6, ms: 1 } as const
/**
 * A kind is taken at its declared weight until it has done about so much of its total. Times that
 * are planned were measured once: they are believed for longer than weights of bytes.
 */
const PRIOR_SHARE = { bytes: 0.05, ms: 0.05 } as const
/** The same of how much slower than planned all that is planned in milliseconds is here. */
const SCALE_PRIOR_SHARE = 0.0001
/** Kinds that proceed at the same time have about half of the processor each. */
const SHARED_PACE = 0.65
const MIN_SHARE = 0.05
/** From this share on a kind's own pace is believed. */
const ALONGSIDE_SHARE = 0.2
const MIN_WORKED_MS = 500

/**
 * Forecasts the rest of a job that does several kinds of work. The time that passes is given to the
 * kinds that proceeded. A kind costs what was measured of it; as long as that is little, its weight
 * times what units of its sort have cost here. Kinds that proceed at the same time end no sooner
 * than the slowest of them.
 */
export function workEstimate(): WorkEstimate {
  const spent = new Map<string, number>()
  const first = new Map<string, number>()
  const before = new Map<string, number>()
  /** From its beginning to its end, what it shared with others in part. */
  const ownMs = new Map<string, number>()
  const byFiles = new Map<string, TimeLeft>()
  let givenMs: number | null = null

  const hasBegun = (kind: string): boolean => (spent.get(kind) ?? 0) > 0

  const moved = (each: Work): number => Math.max(0, doneOf(each) - (first.get(each.kind) ?? 0))

  /** Milliseconds of a unit with weight 1. */
  const scale = (unit: Work['unit'], work: readonly Work[]): number => {
    const planned = work.filter((each) => each.unit === unit && !each.isTimed)
    const seen = planned.filter(({ kind }) => hasBegun(kind))
    const weighted = seen.reduce((sum, each) => sum + moved(each) * (each.weight ?? 1), 0)
    const time = seen.reduce((sum, { kind }) => sum + (spent.get(kind) ?? 0), 0)
    if (unit === 'bytes') return weighted > 0 ? time / weighted : ASSUMED.bytes
    const prior = Math.max(
      SCALE_PRIOR_SHARE * planned.reduce((sum, each) => sum + totalOf(each) * (each.weight ?? 1), 0),
      Number.MIN_VALUE,
    )
    return (time + prior * ASSUMED.ms) / (weighted + prior)
  }

  const costOf = (each: Work, work: readonly Work[]): number => {
    if (each.isTimed) return each.weight ?? 1
    const assumed = scale(each.unit, work) * (each.weight ?? 1)
    const prior = Math.max(PRIOR_SHARE[each.unit] * totalOf(each), Number.MIN_VALUE)
    return ((spent.get(each.kind) ?? 0) + prior * assumed) / (moved(each) + prior)
  }

  /** Milliseconds for what is left of one kind. */
  const leftOf = (each: Work, work: readonly Work[]): number => {
    const left = Math.max(0, totalOf(each) - doneOf(each))
    if (left === 0) return 0
    const fitted = byFiles.get(each.kind)?.etaMs({ files: each.files?.total ?? null, bytes: each.total })
    return fitted ?? left * costOf(each, work)
  }

  /**
   * By its own pace since it began, as if nothing else proceeded; 0 for a kind of which too little
   * is done.
   */
  const alongsideMs = (each: Work): number => {
    const done = moved(each)
    if (!each.isAlongside || done === 0 || done < ALONGSIDE_SHARE * totalOf(each)) return 0
    return (Math.max(0, totalOf(each) - doneOf(each)) / done) * (ownMs.get(each.kind) ?? 0)
  }

  return {
    add(work, atMs) {
      for (const each of work) {
        if (first.has(each.kind)) continue
        first.set(each.kind, doneOf(each))
        before.set(each.kind, doneOf(each))
      }
      givenMs ??= atMs
      const steps = work.map((each) => ({
        each,
        ms: Math.max(0, doneOf(each) - (before.get(each.kind) ?? 0)) * costOf(each, work),
      }))
      const sum = steps.reduce((total, { ms }) => total + ms, 0)
      const isOpen = (each: Work, ms: number): boolean =>
        ms > 0 || (ownMs.has(each.kind) && doneOf(each) < totalOf(each))
      const pace = steps.filter(({ each, ms }) => isOpen(each, ms)).length > 1 ? SHARED_PACE : 1
      for (const { each, ms } of steps) {
        const { kind, done, files } = each
        if (sum > 0 && isOpen(each, ms)) ownMs.set(kind, (ownMs.get(kind) ?? 0) + (atMs - givenMs) * pace)
        // Time in which nothing proceeds is part of what proceeds next.
        if (sum > 0) spent.set(kind, (spent.get(kind) ?? 0) + ((atMs - givenMs) * ms) / sum)
        before.set(kind, Math.max(doneOf(each), before.get(kind) ?? 0))
        if (!files) continue
        const fit = byFiles.get(kind) ?? timeLeft()
        byFiles.set(kind, fit)
        fit.add(files.done, done, spent.get(kind) ?? 0)
      }
      // The time before anything proceeds is that of opening: later work has no such time.
      if (sum > 0 || spent.size === 0) givenMs = atMs
    },
    leftMs(work, nowMs) {
      if (work.some(isUnknown)) return null
      const inTurn = work.reduce((sum, each) => sum + leftOf(each, work), 0)
      const atLast = Math.max(inTurn, ...work.map(alongsideMs))
      const stillMs = Math.max(0, nowMs - (givenMs ?? nowMs))
      const left = Math.max(atLast - stillMs, stillMs)
      if (work.every(({ unit }) => unit === 'ms')) return left
      if (!work.some(({ kind }) => hasBegun(kind))) return null
      return nowMs < Math.max(MIN_WORKED_MS, MIN_SHARE * (nowMs + left)) ? null : left
    },
  }
}

function doneOf({ done, files }: Work): number {
  return done + (files ? files.done * FILE_WORTH_BYTES : 0)
}

function totalOf({ total, files }: Work): number {
  return (total ?? 0) + (files?.total ?? 0) * FILE_WORTH_BYTES
}

function isUnknown({ total, files }: Work): boolean {
  return total === null && (files?.total ?? null) === null
}
