import type { Estimate, Provenance, Span } from '../../../primitives/estimate'

/** From the surest to the least sure. */
const WEAKNESS: readonly Provenance[] = ['exact', 'measured', 'modelled', 'assumed']
/** Larger figures are not exact in a double; no source is that large. */
const MOST = Number.MAX_SAFE_INTEGER

/** The weakest provenance of some: what is made of them is no surer than that. */
export function weakest(provenances: readonly Provenance[]): Provenance {
  return WEAKNESS[Math.max(0, ...provenances.map((one) => WEAKNESS.indexOf(one)))] as Provenance
}

/** A figure of 95 % confidence from its ends, put in order and kept from 0 up. */
export function estimateOf(span: Span, provenance: Provenance, basis: string): Estimate {
  const value = kept(span.value)
  const low = Math.min(value, kept(span.low))
  const high = Math.max(value, kept(span.high))
  const isExact = provenance === 'exact'
  return {
    value,
    low: isExact ? value : low,
    high: isExact ? value : high,
    confidence: isExact ? 1 : 0.95,
    provenance,
    basis,
  }
}

/** A figure that may be off by a share of itself in either direction. */
export function within(value: number, share: number, provenance: Provenance, basis: string): Estimate {
  return estimateOf({ value, low: value * (1 - share), high: value * (1 + share) }, provenance, basis)
}

/** A sum of figures whose errors have nothing to do with each other: their squares add up. */
export function sum(parts: readonly Estimate[], basis: string): Estimate {
  const value = parts.reduce((total, part) => total + part.value, 0)
  return estimateOf(
    {
      value,
      low: value - Math.hypot(...parts.map((part) => part.value - part.low)),
      high: value + Math.hypot(...parts.map((part) => part.high - part.value)),
    },
    weakest(parts.map((part) => part.provenance)),
    basis,
  )
}

/**
 * A sum of figures that are wrong together, such as times by the same device: their ends add up.
 */
export function sumTogether(parts: readonly Estimate[], basis: string): Estimate {
  const total = (of: (part: Estimate) => number): number => parts.reduce((all, part) => all + of(part), 0)
  return estimateOf(
    { value: total((part) => part.value), low: total((part) => part.low), high: total((part) => part.high) },
    weakest(parts.map((part) => part.provenance)),
    basis,
  )
}

/** A figure times an exact one. */
export function scaled(estimate: Estimate, factor: number, basis = estimate.basis): Estimate {
  const { value, low, high, provenance } = estimate
  return estimateOf({ value: value * factor, low: low * factor, high: high * factor }, provenance, basis)
}

/** A product of figures with independent errors: the relative ones' squares add up. */
export function product(one: Estimate, other: Estimate, basis: string): Estimate {
  return ofTwo(
    one.value * other.value,
    [partOf(one.value - one.low, one.value), partOf(other.value - other.low, other.value)],
    [partOf(one.high - one.value, one.value), partOf(other.high - other.value, other.value)],
    weakest([one.provenance, other.provenance]),
    basis,
  )
}

/**
 * The time of an amount at a rate: the amount over the rate; nothing for no amount, whatever the
 * rate.
 */
export function quotient(amount: Estimate, rate: Estimate, basis: string): Estimate {
  return ofTwo(
    over(amount.value, rate.value),
    [partOf(amount.value - amount.low, amount.value), partOf(rate.high - rate.value, rate.high)],
    [partOf(amount.high - amount.value, amount.value), partOf(rate.value - rate.low, rate.low)],
    weakest([amount.provenance, rate.provenance]),
    basis,
  )
}

/** A figure with independent relative errors downwards and upwards. */
function ofTwo(
  value: number,
  below: readonly number[],
  above: readonly number[],
  provenance: Provenance,
  basis: string,
): Estimate {
  const span = { value, low: value * (1 - Math.hypot(...below)), high: value * (1 + Math.hypot(...above)) }
  return estimateOf(span, provenance, basis)
}

/** The largest of some figures: of what happens at the same time the slowest decides. */
export function largest(parts: readonly Estimate[], basis: string): Estimate {
  const of = (one: (part: Estimate) => number): number => Math.max(0, ...parts.map(one))
  const value = of((part) => part.value)
  // Where something cannot be the largest its provenance does not matter.
  const low = of((part) => part.low)
  const relevant = parts.filter((part) => part.high >= low)
  return estimateOf(
    { value, low, high: of((part) => part.high) },
    weakest((relevant.length > 0 ? relevant : parts).map((part) => part.provenance)),
    basis,
  )
}

function kept(value: number): number {
  return Number.isNaN(value) ? 0 : Math.min(MOST, Math.max(0, value))
}

function partOf(part: number, whole: number): number {
  return whole > 0 ? part / whole : 0
}

function over(amount: number, rate: number): number {
  if (amount <= 0) return 0
  return rate > 0 ? amount / rate : MOST
}
