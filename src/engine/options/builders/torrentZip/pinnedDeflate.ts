import { AppError } from '../../../../primitives/appError'
import { said } from '../../../../primitives/said'
import { type DeflateStream, startDeflate } from '../../../native/deflate'
import { pinContent } from './pinContent'

/**
 * The result of zlib 1.1.3 at level 9 for `pinContent()`: the version that TorrentZip names
 * (docs/methods/torrentzip.md says how it was made).
 */
const PINNED = { bytes: 248_580, crc32: 0xb373_9aab }

let pinned: Promise<boolean> | null = null

/**
 * A stream whose bytes are those of zlib 1.1.3.
 * @throws AppError `refused` where the zlib of this build makes other bytes; `tool-missing` without
 *   the addon
 */
export async function pinnedDeflate(): Promise<DeflateStream> {
  pinned ??= isPinned()
  if (!(await pinned))
    throw new AppError(
      'refused',
      said`cannot make a TorrentZip: the zlib of this build makes other bytes than zlib 1.1.3`,
    )
  return startDeflate()
}

async function isPinned(): Promise<boolean> {
  const stream = startDeflate()
  const sum = startDeflate()
  const packed = await stream.add(pinContent(), true)
  await sum.add(packed, true)
  return packed.length === PINNED.bytes && sum.crc32() === PINNED.crc32
}
