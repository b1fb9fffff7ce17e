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
