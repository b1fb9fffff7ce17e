/**
 * True when a part of `whole` from `start` to `end` has exactly these bytes. Compares from the
 * last on, since neighbouring paths differ at their ends; made for millions of calls.
 */
export function sameBytes(bytes: Uint8Array, whole: Uint8Array, start: number, end: number): boolean {
  if (bytes.length !== end - start) return false
  for (let at = bytes.length - 1; at >= 0; at--) if (bytes[at] !== whole[start + at]) return false
  return true
}
