import { constants, createZstdCompress, type ZstdOptions } from 'node:zlib'

/** How a stream is to be compressed. */
export interface StreamSetting {
  readonly level: number
  /** With long-distance matching over a window of 2 to this power; the level's own window if null. */
  readonly longWindowLog: number | null
}

const PIECE_BYTES = 1024 * 1024

/**
 * Compresses one stream and tells how many bytes have come out at each mark. Blocks are ended there, which costs some bytes a mark:
 * what lies between two marks is what a codec adds for those bytes with everything before them as its history.
 * @param totalBytes of the whole file: the codec chooses its tables by it
 * @param marks rising places in the stream; it ends at the last
 * @param read gives bytes of the stream, or null if they cannot be had: then there are no sizes
 */
export async function sizesAtMarks(
  setting: StreamSetting,
  totalBytes: number,
  marks: readonly number[],
  read: (offset: number, length: number) => Promise<Uint8Array | null>,
): Promise<number[] | null> {
  const options: ZstdOptions = {
    chunkSize: PIECE_BYTES + 4096,
    pledgedSrcSize: totalBytes,
    params: {
      [constants.ZSTD_c_compressionLevel]: setting.level,
      ...(setting.longWindowLog === null
        ? {}
        : {
            [constants.ZSTD_c_windowLog]: setting.longWindowLog,
            [constants.ZSTD_c_enableLongDistanceMatching]: 1,
          }),
    },
  }
  const stream = createZstdCompress(options)
  let out = 0
  stream.on('data', (piece: Buffer) => {
    out += piece.length
  })
  const failed = new Promise<never>((_, reject) => stream.once('error', reject))
  failed.catch(() => undefined)
  const step = (act: (done: () => void) => void): Promise<void> =>
    Promise.race([new Promise<void>((resolve) => act(resolve)), failed])
  try {
    const sizes: number[] = []
    let at = 0
    for (const mark of marks) {
      while (at < mark) {
        const piece = await read(at, Math.min(PIECE_BYTES, mark - at))
        if (piece === null) return null
        await step((done) => stream.write(piece, () => done()))
        at += piece.length
      }
      await step((done) => stream.flush(constants.ZSTD_e_flush, () => done()))
      sizes.push(out)
    }
    return sizes
  } finally {
    stream.destroy()
  }
}
