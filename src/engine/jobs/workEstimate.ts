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
   * True when the processor limits it, such as a calculation: the pace of reading and writing does
   * not follow from it, nor its own from theirs.
   */
  readonly isCalculated?: boolean
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
   * The share of all work that is done, from 0 to 1: the share of the units, weighted by the cost
   * of a unit of each kind. Each step moves it by its cost relative to the cost of what is left,
   * both as known then: so it neither falls nor stops while work goes on, even where costs turn
   * out to be others than expected. Null while the total of a kind is unknown.
   */
  share(): number | null
  /**
   * Milliseconds for what is left of all kinds, less the time since anything proceeded; null while
   * the total of a kind is unknown, and, where not all of it is planned in milliseconds, before
   * anything proceeded, below 5 % of the expected time and in the first half second.
   * @param workedMs the time by now
   */
  leftMs(work: readonly Work[], workedMs: number): number | null
  /** Milliseconds since anything proceeded, where that is unusually long; null otherwise. */
  stillMs(workedMs: number): number | null
}

/** Milliseconds of a unit before anything was measured: 250 MB/s, and a budget that is kept. */
export const ASSUMED = { bytes: 4e-6, ms: 1 } as const
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
 * The cost of a kind is the mean of its overall and its recent cost. In the recent one earlier work
 * counts for e⁻¹ after this share of the time worked, and after this time at least.
 */
const RECENT_SHARE = 0.1
const RECENT_MS = 10_000
/** The recent cost is drawn towards the overall one as by so much time at that. */
const RECENT_PRIOR_MS = 2000
/** A standstill is unusual after this time, and after twice the longest one before. */
const UNUSUAL_MS = 20_000

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
  let shareDone: number | null = null
  /** The work of each kind and its time, the older the lighter. */
  const recent = new Map<string, { readonly units: number; readonly ms: number }>()
  let longestStillMs = 0

  const hasBegun = (kind: string): boolean => (spent.get(kind) ?? 0) > 0

  const moved = (each: Work): number => Math.max(0, doneOf(each) - (first.get(each.kind) ?? 0))

  /** Milliseconds of a unit with weight 1. */
  const scale = ({ unit, isCalculated = false }: Work, work: readonly Work[]): number => {
    const planned = work.filter(
      (each) => each.unit === unit && !each.isTimed && (each.isCalculated ?? false) === isCalculated,
    )
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
    const assumed = scale(each, work) * (each.weight ?? 1)
    const prior = Math.max(PRIOR_SHARE[each.unit] * totalOf(each), Number.MIN_VALUE)
    const overall = ((spent.get(each.kind) ?? 0) + prior * assumed) / (moved(each) + prior)
    if (each.unit === 'ms') return overall
    const { units, ms } = recent.get(each.kind) ?? { units: 0, ms: 0 }
    const lately = (ms + RECENT_PRIOR_MS) / (units + RECENT_PRIOR_MS / Math.max(overall, Number.MIN_VALUE))
    return (overall + lately) / 2
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

  const inTurnMs = (work: readonly Work[]): number => work.reduce((sum, each) => sum + leftOf(each, work), 0)

  const proceed = (work: readonly Work[], units: ReadonlyMap<string, number>): void => {
    if (work.some(isUnknown)) return
    const sumOf = (of: (each: Work) => number): number =>
      work.reduce((sum, each) => sum + of(each) * costOf(each, work), 0)
    const leftMs = sumOf((each) => Math.max(0, totalOf(each) - doneOf(each)))
    const stepMs = sumOf(({ kind }) => units.get(kind) ?? 0)
    if (shareDone === null) {
      const spentMs = [...spent.values()].reduce((sum, ms) => sum + ms, 0)
      shareDone = spentMs > 0 ? spentMs / (spentMs + leftMs) : 0
    } else if (stepMs > 0) {
      shareDone += ((1 - shareDone) * stepMs) / (stepMs + leftMs)
    }
  }

  const noteRecent = (kind: string, units: number, tookMs: number, atMs: number): void => {
    const earlier = recent.get(kind) ?? { units: 0, ms: 0 }
    const keep = Math.exp(-tookMs / Math.max(RECENT_MS, RECENT_SHARE * atMs))
    recent.set(kind, { units: earlier.units * keep + units, ms: earlier.ms * keep + tookMs })
  }

  return {
    add(work, atMs) {
      for (const each of work) {
        if (first.has(each.kind)) continue
        first.set(each.kind, doneOf(each))
        before.set(each.kind, doneOf(each))
      }
      givenMs ??= atMs
      const units = new Map(
        work.map((each) => [each.kind, Math.max(0, doneOf(each) - (before.get(each.kind) ?? 0))]),
      )
      const steps = work.map((each) => ({ each, ms: (units.get(each.kind) ?? 0) * costOf(each, work) }))
      const sum = steps.reduce((total, { ms }) => total + ms, 0)
      const isOpen = (each: Work, ms: number): boolean =>
        ms > 0 || (ownMs.has(each.kind) && doneOf(each) < totalOf(each))
      const pace = steps.filter(({ each, ms }) => isOpen(each, ms)).length > 1 ? SHARED_PACE : 1
      for (const { each, ms } of steps) {
        const { kind, done, files } = each
        if (sum > 0 && isOpen(each, ms)) ownMs.set(kind, (ownMs.get(kind) ?? 0) + (atMs - givenMs) * pace)
        // Time in which nothing proceeds is part of what proceeds next.
        const tookMs = sum > 0 ? ((atMs - givenMs) * ms) / sum : 0
        if (sum > 0) spent.set(kind, (spent.get(kind) ?? 0) + tookMs)
        if (ms > 0) noteRecent(kind, units.get(kind) ?? 0, tookMs, atMs)
        before.set(kind, Math.max(doneOf(each), before.get(kind) ?? 0))
        if (!files) continue
        const fit = byFiles.get(kind) ?? timeLeft()
        byFiles.set(kind, fit)
        fit.add(files.done, done, spent.get(kind) ?? 0)
      }
      if (sum > 0) longestStillMs = Math.max(longestStillMs, atMs - givenMs)
      proceed(work, units)
      // The time before anything proceeds is that of opening: later work has no such time.
      if (sum > 0 || spent.size === 0) givenMs = atMs
    },
    share: () => shareDone,
    stillMs(nowMs) {
      const still = nowMs - (givenMs ?? nowMs)
      return still > Math.max(UNUSUAL_MS, 2 * longestStillMs) ? still : null
    },
    leftMs(work, nowMs) {
      if (work.some(isUnknown)) return null
      const atLast = Math.max(inTurnMs(work), ...work.map(alongsideMs))
      const left = Math.max(0, atLast - Math.max(0, nowMs - (givenMs ?? nowMs)))
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
