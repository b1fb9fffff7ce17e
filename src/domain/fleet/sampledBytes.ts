import type { Provenance } from '../../primitives/estimate'

/** Sums over the kept contents of one kind. */
export interface Sums {
  readonly contents: bigint
  readonly bytes: bigint
  /** The sum of the squares of their bytes. */
  readonly squares: bigint
}

/** Bytes with their 95 % range, and how many contents were kept and counted for them. */
interface SampledBytes {
  readonly bytes: number
  readonly low: number
  readonly high: number
  readonly provenance: Extract<Provenance, 'exact' | 'measured'>
  readonly kept: number
}

/** No contents. */
export const NO_SUMS: Sums = { contents: 0n, bytes: 0n, squares: 0n }

export function added(one: Sums, other: Sums): Sums {
  return {
    contents: one.contents + other.contents,
    bytes: one.bytes + other.bytes,
    squares: one.squares + other.squares,
  }
}

/**
 * Standard deviations to each end of a range: more than the 1.96 of 95 %, since a report shows many
 * ranges at once, and contents of one size stand for all.
 */
const Z = 2.5

/**
 * The bytes of all contents, of which each was kept with the chance 2^-shift, by its hash. The
 * range is that of a Poisson count of contents of one size that have the same variance. The bytes
 * that were kept are certain, and no more than `most` can be there.
 * @param typicalBytes the size of a content, for the upper bound where none was kept
 * @param most the bytes of all files that the contents are of
 */
export function sampledBytes(
  { contents, bytes, squares }: Sums,
  shift: number,
  { typicalBytes, most }: { readonly typicalBytes: number; readonly most: number },
): SampledBytes {
  const kept = Number(contents)
  const found = Number(bytes)
  if (shift === 0) return { bytes: found, low: found, high: found, provenance: 'exact', kept }
  const scale = 2 ** shift
  // Contents of one size that would vary as much, and that size.
  const count = kept === 0 ? 0 : found ** 2 / Number(squares)
  const size = kept === 0 ? typicalBytes : Number(squares) / found
  // A count of a share p of what is there varies less than Poisson's by √(1 − p).
  const spread = Math.sqrt(1 - 1 / scale)
  const within = (value: number): number => Math.round(Math.min(Math.max(value, found), most))
  const value = within(found * scale)
  return {
    bytes: value,
    low: Math.min(value, within((found - spread * (found - size * gammaQuantile(count, -Z))) * scale)),
    high: Math.max(value, within((found + spread * (size * gammaQuantile(count + 1, Z) - found)) * scale)),
    provenance: 'measured',
    kept,
  }
}

/**
 * The quantile of a gamma distribution of this shape by Wilson and Hilferty: the bounds of a
 * Poisson count n are those of shapes n and n + 1.
 */
function gammaQuantile(shape: number, z: number): number {
  if (shape <= 0) return 0
  const root = 1 - 1 / (9 * shape) + z / (3 * Math.sqrt(shape))
  return shape * Math.max(0, root) ** 3
}
