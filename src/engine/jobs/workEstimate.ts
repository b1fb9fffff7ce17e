/** Work of one kind that a job does, such as reading, in units that take about the same time each. */
export interface Work {
  readonly kind: string
  /** Milliseconds where the time itself is planned, as by a budget. */
  readonly unit: 'bytes' | 'ms'
  readonly done: number
  readonly total: number
  /** The expected time of a unit relative to the other kinds with this unit; 1 without. */
  readonly weight?: number
}

interface WorkEstimate {
  /** Takes how much of each kind is done, and for how long the job has worked, pauses left out. */
  add(work: readonly Work[], workedMs: number): void
  /** Milliseconds for what is left of all kinds; null below 5 % of the expected time and in the first half second. */
  leftMs(work: readonly Work[]): number | null
}

/** Milliseconds of a unit before anything was measured: 250 MB/s, and a budget that is kept. */
const ASSUMED = { bytes: 4e-6, ms: 1 } as const
/** A kind is taken at its declared weight until it has done about so much of its total. */
const PRIOR_SHARE = 0.05
const MIN_SHARE = 0.05
const MIN_WORKED_MS = 500

/**
 * Forecasts the rest of a job that does several kinds of work. The time that passes is given to the kinds that proceeded. A
 * kind costs what was measured of it; as long as that is little, its weight times what units of its sort have cost here.
 */
export function workEstimate(): WorkEstimate {
  const spent = new Map<string, number>()
  const first = new Map<string, number>()
  const before = new Map<string, number>()
  let givenMs: number | null = null
  let workedMs = 0

  const moved = ({ kind, done }: Work): number => Math.max(0, done - (first.get(kind) ?? 0))

  /** Milliseconds of a unit with weight 1. */
  const scale = (unit: Work['unit'], work: readonly Work[]): number => {
    const seen = work.filter((each) => each.unit === unit && (spent.get(each.kind) ?? 0) > 0)
    const weighted = seen.reduce((sum, each) => sum + moved(each) * (each.weight ?? 1), 0)
    const time = seen.reduce((sum, { kind }) => sum + (spent.get(kind) ?? 0), 0)
    return weighted > 0 ? time / weighted : ASSUMED[unit]
  }

  const costOf = (each: Work, work: readonly Work[]): number => {
    const assumed = scale(each.unit, work) * (each.weight ?? 1)
    const prior = Math.max(PRIOR_SHARE * each.total, Number.MIN_VALUE)
    return ((spent.get(each.kind) ?? 0) + prior * assumed) / (moved(each) + prior)
  }

  return {
    add(work, atMs) {
      workedMs = atMs
      for (const { kind, done } of work) {
        if (first.has(kind)) continue
        first.set(kind, done)
        before.set(kind, done)
      }
      givenMs ??= atMs
      const steps = work.map((each) => ({
        kind: each.kind,
        ms: Math.max(0, each.done - (before.get(each.kind) ?? 0)) * costOf(each, work),
      }))
      const sum = steps.reduce((total, { ms }) => total + ms, 0)
      // Time in which nothing proceeds is part of what proceeds next.
      if (!(sum > 0)) return
      for (const { kind, ms } of steps)
        spent.set(kind, (spent.get(kind) ?? 0) + ((atMs - givenMs) * ms) / sum)
      for (const { kind, done } of work) before.set(kind, Math.max(done, before.get(kind) ?? 0))
      givenMs = atMs
    },
    leftMs(work) {
      if (workedMs < MIN_WORKED_MS) return null
      const left = work.reduce(
        (sum, each) => sum + Math.max(0, each.total - each.done) * costOf(each, work),
        0,
      )
      return workedMs < MIN_SHARE * (workedMs + left) ? null : left
    },
  }
}
