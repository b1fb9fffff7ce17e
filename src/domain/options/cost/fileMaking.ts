import type { Estimate, Span } from '../../../primitives/estimate'
import { medianOf } from '../../statistics/quantiles'
import { estimateOf } from './estimateParts'

/** What a system needs where files are made and removed, apart from their bytes; in seconds. */
export interface FileMaking {
  /** A file that is made, written, named and given its permissions and times; a folder takes about as long. */
  readonly make: Estimate
  readonly remove: Estimate
  /** A folder whose names are brought to the device, one of several after the first; null where that is not known. */
  readonly flushFolder: Estimate | null
}

/**
 * Where nothing was timed. On Linux making a file took 30 µs on tmpfs, 60 µs on ext4 with a journal, and up to 450 µs on ext4 without
 * one, for minutes after thousands were removed; removing one 6 to 15 µs. Other systems are taken to lie between.
 */
export const ASSUMED_MAKING: FileMaking = {
  make: assumed({ value: 120e-6, low: 25e-6, high: 700e-6 }),
  remove: assumed({ value: 20e-6, low: 5e-6, high: 100e-6 }),
  flushFolder: null,
}

function assumed(span: Span): Estimate {
  return estimateOf(span, 'assumed', 'making files, which was not timed')
}

/** Files that were timed in one slice of a probe; seconds of all of them. */
export interface TimedFiles {
  readonly files: number
  readonly seconds: number
}

/**
 * A system is not as fast later as in a probe: a part that the range holds on top of what slices differ. Assumed; on ext4 without a
 * journal making a file got 1.3 times as slow while thousands were removed.
 */
const DRIFT = 0.3

/** What a file costs, from slices of a probe: their mean, and a range of their 10th to 90th percentile with `DRIFT`. Null without files. */
export function costOfFile(slices: readonly TimedFiles[], basis: string): Estimate | null {
  const files = slices.reduce((total, slice) => total + slice.files, 0)
  if (files === 0) return null
  const value = slices.reduce((total, slice) => total + slice.seconds, 0) / files
  const each = slices.map((slice) => slice.seconds / slice.files).toSorted((one, other) => one - other)
  const at = (share: number): number => each[Math.floor(share * (each.length - 1))] ?? value
  // The mean of many files varies less than that of a slice.
  const root = Math.sqrt(each.length)
  const [below, above] = [Math.max(0, value - at(0.1)) / root, Math.max(0, at(0.9) - value) / root]
  const range = {
    value,
    low: value - Math.hypot(below, value * (1 - 1 / (1 + DRIFT))),
    high: value + Math.hypot(above, value * DRIFT),
  }
  return estimateOf(range, 'measured', basis)
}

/** What waits for a disk differs by this factor from one time to the next; assumed. */
const FLUSHES_DIFFER = 3

/** What flushing a folder costs, from several in seconds: their median, as a busy disk makes some wait long. Null for none. */
export function costOfFlush(flushes: readonly number[], basis: string): Estimate | null {
  if (flushes.length === 0) return null
  const value = medianOf(flushes)
  return estimateOf({ value, low: value / FLUSHES_DIFFER, high: value * FLUSHES_DIFFER }, 'measured', basis)
}
