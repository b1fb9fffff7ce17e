/**
 * A file's time as entries keep it: nanoseconds in 64 bits, exact from 1677 to 2262, modulo 2^64
 * for the times beyond that file systems also hold. A file that did not change always has the same.
 */
export function entryTime(ns: bigint): bigint {
  return BigInt.asIntN(64, ns)
}
