import { loadAddon } from './loadAddon'
import type { RawDeflate } from './rawDeflate'

/**
 * One stream of bare deflate (RFC 1951) at level 9, by the zlib that is linked into the addon. Its
 * bytes depend on the content alone, not on how it is cut into pieces; Node's zlib makes others.
 */
export interface DeflateStream {
  /**
   * The next bytes of the stream, all of them once `isLast`; compressed on another thread. `bytes`
   * are copied before this returns. One piece at a time.
   */
  add(bytes: Uint8Array, isLast: boolean): Promise<Uint8Array>
  /** CRC-32 of the content added so far. */
  crc32(): number
}

/**
 * Takes 268 KB until it is no longer referred to.
 * @throws AppError `tool-missing` without the addon
 */
export function startDeflate(): DeflateStream {
  const raw: ReturnType<RawDeflate['startDeflate']> = loadAddon().startDeflate()
  return raw
}
