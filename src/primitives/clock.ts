declare const performance: { now(): number }

/** Milliseconds, as a duration or as a monotonic reading. */
export type Milliseconds = number & { readonly __unit: 'ms' }

/**
 * The only reader of time. `wallMs` is the calendar (for labels and records, may jump);
 * `monotonicMs` only ever rises (for durations). Everything that needs time takes a Clock, so tests
 * can inject one.
 */
export interface Clock {
  wallMs(): Milliseconds
  monotonicMs(): Milliseconds
}

export const systemClock: Clock = {
  wallMs: () => Date.now() as Milliseconds,
  monotonicMs: () => performance.now() as Milliseconds,
}

/**
 * When something ended that began at a calendar time and was timed by the steady clock, in whole
 * milliseconds: rounded down as the calendar is, so that it is not later than what the calendar
 * says next.
 */
export function endedWallMs({
  startedWallMs,
  elapsedMs,
}: {
  readonly startedWallMs: number
  readonly elapsedMs: number
}): number {
  return Math.floor(startedWallMs + elapsedMs)
}
