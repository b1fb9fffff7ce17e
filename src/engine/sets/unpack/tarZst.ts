import { constants, createZstdDecompress } from 'node:zlib'
import { decompressed } from './decompressed'
import { followedRange } from './followedRange'
import { unpackTar } from './tarStreams'
import type { Unpack } from './unpacker'

/** The longest window that recipes have, 2 GiB. */
const WINDOW_LOG_MAX = 31

/** Reads a compressed tar archive from where it is. */
export const unpackTarZst: Unpack<'tar-zst'> = (container, members, work) => {
  const zstd = createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: WINDOW_LOG_MAX } })
  return unpackTar(decompressed(followedRange(container, work.signal, work.onShare), zstd), members, work)
}
