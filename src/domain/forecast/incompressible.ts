/** Data that no codec makes smaller than this share of itself is taken for compressed already. */
const COMPRESSED_ALREADY = 0.97

/**
 * True when the best of the compressed sizes saves so little that compressing again wastes time.
 */
export function isCompressedAlready(bytes: number, compressedBytes: readonly number[]): boolean {
  return bytes > 0 && compressedBytes.length > 0 && Math.min(...compressedBytes) > COMPRESSED_ALREADY * bytes
}
