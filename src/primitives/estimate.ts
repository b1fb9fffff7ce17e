export const PROVENANCES = ['measured', 'modelled', 'assumed', 'exact'] as const
/** Where a figure comes from. `exact` figures are counted, and their range is the value itself. */
export type Provenance = (typeof PROVENANCES)[number]

/** A value with its range, of 95 % unless stated otherwise, without its source. */
export interface Span {
  readonly value: number
  readonly low: number
  readonly high: number
}

/**
 * A figure with its 95 % range and its source: `basis` says in one sentence how it was obtained.
 */
export interface Estimate extends Span {
  readonly confidence: number
  readonly provenance: Provenance
  readonly basis: string
}

export function exact(value: number, basis: string): Estimate {
  return { value, low: value, high: value, confidence: 1, provenance: 'exact', basis }
}
