import { constants, createZstdCompress, type ZstdOptions } from 'node:zlib'

/** How a stream is to be compressed. */
export interface StreamSetting {
  readonly level: number
  /**
   * With long-distance matching over a window of 2 to this power; the level's own window if null.
   */
  readonly longWindowLog: number | null
  /**
   * The stream is cut into jobs of so many bytes, each of which sees so much of what precedes it:
   * as the tool works with one thread besides its own, which is its default, or records with
   * nothing before them. One job if null.
   */
  readonly jobs: { readonly bytes: number; readonly overlapBytes: number } | null
  /** Other parameters than those of the level. */
  readonly params?: ZstdOptions['params']
}

/** The output of a job at a mark: before it began nothing had. */
export interface Mark {
  /** The bytes of the job that ends at the mark or goes on there. */
  readonly jobBytes: number
  /** The bytes of all jobs. */
  readonly bytes: number
}

const PIECE_BYTES = 1024 * 1024
/** A stream has one at least: longer ones are garbage for the most part. */
const OUTPUT_PIECE_BYTES = 512 * 1024

/**
 * Compresses one stream and reports the bytes written at each mark. Blocks are ended there, which
 * costs some bytes a mark: what lies between two marks is what a codec adds for those bytes with
 * everything before them as its history.
 * @param totalBytes of the whole file: the codec chooses its tables by it
 * @param start where in the file the stream begins
 * @param marks rising places in the file from `start` on; the stream ends at the last
 * @param read gives bytes of the file, or null if they cannot be had: then there are no sizes
 */
export async function sizesAtMarks(
  setting: StreamSetting,
  totalBytes: number,
  start: number,
  marks: readonly number[],
  read: Read,
): Promise<Mark[] | null> {
  const end = marks.at(-1) ?? start
  const jobBytes = setting.jobs?.bytes ?? end + 1
  const found: Mark[] = []
  let bytes = 0
  for (let from = start; found.length < marks.length; ) {
    const next = (Math.floor(from / jobBytes) + 1) * jobBytes
    const until = Math.min(next, end)
    const own = marks.slice(found.length).filter((mark) => mark <= until)
    const history = from > start ? Math.min(from - start, setting.jobs?.overlapBytes ?? 0) : 0
    const stops = [...new Set([from, ...own, until])]
    const sizes = await jobSizes(setting, totalBytes, from - history, stops, read)
    if (sizes === null) return null
    const first = sizes.get(from) as number
    for (const mark of own) {
      const size = (sizes.get(mark) as number) - first
      found.push({ jobBytes: size, bytes: bytes + size })
    }
    bytes += (sizes.get(until) as number) - first
    from = until
    if (until >= end) break
  }
  return found
}

/**
 * The output of the fast codec that slow ones with long windows are compared with
 * (`quickStreamBytes`), at rising ends of a stream's parts; the last is the stream's end.
 */
export async function quickBytesUntil(data: Buffer, ends: readonly number[]): Promise<number[]> {
  const read: Read = async (offset, length) => data.subarray(offset, offset + length)
  const marks = await sizesAtMarks(QUICK_STREAM, data.length, 0, ends, read)
  return (marks ?? []).map(({ bytes }) => bytes)
}

const QUICK_STREAM: StreamSetting = { level: 6, longWindowLog: 27, jobs: null }

/** Gives bytes of a file, or null if they cannot be had any more. */
export type Read = (offset: number, length: number) => Promise<Uint8Array | null>

/** How many bytes have come out at each stop of one job. */
async function jobSizes(
  { level, longWindowLog, params }: StreamSetting,
  totalBytes: number,
  start: number,
  stops: readonly number[],
  read: Read,
): Promise<ReadonlyMap<number, number> | null> {
  const options: ZstdOptions = {
    chunkSize: OUTPUT_PIECE_BYTES,
    pledgedSrcSize: totalBytes,
    params: {
      [constants.ZSTD_c_compressionLevel]: level,
      ...(longWindowLog === null
        ? {}
        : {
            [constants.ZSTD_c_windowLog]: longWindowLog,
            [constants.ZSTD_c_enableLongDistanceMatching]: 1,
          }),
      ...params,
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
    const sizes = new Map<number, number>()
    let at = start
    for (const stop of stops) {
      while (at < stop) {
        const piece = await read(at, Math.min(PIECE_BYTES, stop - at))
        if (piece === null || piece.length === 0) return null
        await step((done) => stream.write(piece, () => done()))
        at += piece.length
      }
      if (at > start) await step((done) => stream.flush(constants.ZSTD_e_flush, () => done()))
      sizes.set(stop, out)
    }
    return sizes
  } finally {
    stream.destroy()
  }
}
