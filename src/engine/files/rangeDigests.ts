import { AppError } from '../../primitives/appError'
import { hashRanges } from '../native/addon'

/**
 * Digests in hex, in the order of the ranges.
 * @throws AppError the first range's failure
 */
export async function hashRangesHex(
  ranges: readonly { path: string; offset: number; length: number }[],
  signal: AbortSignal,
  onProgress: (bytesDone: number) => void,
): Promise<string[]> {
  const { sha256, errors } = await hashRanges(ranges, { signal, onProgress })
  const [first] = errors.values()
  if (first) throw new AppError(first.code, first.message)
  return ranges.map((_, at) => digestHex(sha256, at))
}

/** Returns the digest at a place of a row of SHA-256 digests, in hex. */
export function digestHex(digests: Uint8Array, at: number): string {
  return Buffer.from(digests.subarray(at * 32, at * 32 + 32)).toString('hex')
}
