import type { Estimate } from '../../../primitives/estimate'
import type { MachineFacts } from '../facts'
import { product, within } from './estimateParts'

/**
 * Cores of computers of the last ten years are from half to twice as fast as the one that times
 * were measured on.
 */
const UNKNOWN_PACE_LOW = 0.5
/** The error that remains when the pace is known: programs differ in their bottlenecks. */
const KNOWN_PACE_ERROR = 0.12

/** A time that was measured on one machine, on this one. */
export function atPace(work: Estimate, machine: MachineFacts): Estimate {
  const { pace } = machine
  if (pace === undefined || pace <= 0) {
    return { ...work, low: work.low * UNKNOWN_PACE_LOW, high: work.high / UNKNOWN_PACE_LOW }
  }
  const basis = `${work.basis}, scaled to the speed of this machine`
  return product(work, within(1 / pace, KNOWN_PACE_ERROR, 'measured', basis), basis)
}
