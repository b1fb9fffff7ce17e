import { constants, createZstdDecompress } from 'node:zlib'
import { rangeOf } from '../../files/rangeOf'
import { decompressed } from './decompressed'
import { unpackTar } from './tarStreams'
import type { Unpack } from './unpacker'

/** The longest window that recipes have, 2 GiB. */
const WINDOW_LOG_MAX = 31

/** Reads a compressed tar archive from where it is. */
export const unpackTarZst: Unpack<'tar-zst'> = (container, members, work) => {
  const zstd = createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: WINDOW_LOG_MAX } })
  return unpackTar(decompressed(rangeOf(container, work.signal), zstd), members, work)
}
