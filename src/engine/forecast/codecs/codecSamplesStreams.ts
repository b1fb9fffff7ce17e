import { type Mark, type Read, type StreamSetting, sizesAtMarks } from '../../codecs/zstdStream'
import type { SampleLevel } from './codecSamplesTargets'
import type { CodecSample } from './codecSamplesUnits'

/** Reads `length` bytes from `offset` of a sample's file; null if they cannot be had any more. */
export type ReadAround = (sample: CodecSample, offset: number, length: number) => Promise<Uint8Array | null>

/**
 * The bytes that a sample adds to its file's stream, and the number of bytes compressed to know it.
 */
export interface Added {
  readonly bytes: number
  /** The output of its job before it. */
  readonly jobBytesBefore: number
  readonly bytesRead: number
}

/**
 * From this length on zstd searches alike (ZSTD_getCParams has rows for 16, 128 and 256 KiB); only
 * its tables grow with the length.
 */
const ONE_ROW_BYTES = 256 * 1024 + 1

/**
 * About so many visits are made in all: a file is compressed whole for as many of them as fall into
 * it.
 */
const VISITS: Readonly<Record<SampleLevel, number>> = {
  fast: 16,
  normal: 48,
  thorough: Number.POSITIVE_INFINITY,
}

/** zstd's levels up to this one run at 100 MB/s and more. */
const QUICK_LEVEL = 3

/**
 * The bytes that zstd adds for samples with all that precedes them in their files as history. A
 * file with many samples is compressed from its start once for all of them; where samples are few
 * and the file is large, only a codec's window before each is replayed.
 */
export class FileStreams {
  readonly #readAround: ReadAround | undefined
  readonly #longestHistory: number
  /** The share of the samples that is visited about. */
  readonly #visited: number
  readonly #byFile = new Map<string, CodecSample[]>()
  /** Which file a sample is of: asked for every slice of a codec. */
  readonly #keys = new Map<CodecSample, string>()
  /** Results for samples whose files are not compressed whole: several targets ask for the same. */
  readonly #apart = new Map<CodecSample, Map<string, Promise<Added | null>>>()
  readonly #known = new Map<string, Promise<ReadonlyMap<number, Omit<Added, 'bytesRead'>> | null>>()

  /**
   * @param longestHistory bytes that are replayed at most before a sample of a file that is not
   *   compressed from its start
   */
  constructor(
    samples: readonly CodecSample[],
    readAround: ReadAround | undefined,
    longestHistory: number,
    level: SampleLevel,
  ) {
    this.#readAround = readAround
    this.#longestHistory = longestHistory
    this.#visited = Math.min(1, VISITS[level] / Math.max(1, samples.length))
    for (const sample of samples) {
      const key = fileKey(sample)
      this.#keys.set(sample, key)
      const list = this.#byFile.get(key)
      if (list) list.push(sample)
      else this.#byFile.set(key, [sample])
    }
  }

  /** Null if the file cannot be read any more. */
  async added(setting: StreamSetting, windowBytes: number, sample: CodecSample): Promise<Added | null> {
    const readAround = this.#readAround
    if (!readAround) return null
    const { list, window, end, isApart } = this.#extent(setting, windowBytes, sample)
    const read: Read = (offset, length) => readAround(sample, offset, length)
    const key = this.#streamKey(setting, sample)
    if (isApart) {
      const sizes = this.#apart.get(sample) ?? new Map<string, Promise<Added | null>>()
      this.#apart.set(sample, sizes)
      const known = sizes.get(key)
      if (known) return known.then((one) => one && { ...one, bytesRead: 0 })
      const found = addedBehind(setting, window, sample, read)
      sizes.set(key, found)
      return found
    }
    const known = this.#known.get(key)
    const sizes = known ?? this.#wholeFile(setting, list, read)
    if (!known) this.#known.set(key, sizes)
    const found = (await sizes)?.get(sample.offset)
    return found === undefined ? null : { ...found, bytesRead: known ? 0 : end }
  }

  /**
   * How many bytes `added` compresses for a sample; samples with the same `stream` are compressed
   * together.
   */
  bytesFor(
    setting: StreamSetting,
    windowBytes: number,
    sample: CodecSample,
  ): { readonly bytes: number; readonly stream: string | null } {
    if (!this.#readAround || this.knows(setting, sample)) return { bytes: 0, stream: null }
    const { window, end, isApart } = this.#extent(setting, windowBytes, sample)
    if (isApart) return { bytes: Math.min(sample.offset, window) + sample.data.length, stream: null }
    return { bytes: end, stream: this.#streamKey(setting, sample) }
  }

  /**
   * The extent to compress: a sample's file up to its last sample, or only a window before this
   * one.
   */
  #extent(
    setting: StreamSetting,
    windowBytes: number,
    sample: CodecSample,
  ): { list: readonly CodecSample[]; window: number; end: number; isApart: boolean } {
    const list = this.#byFile.get(this.#keys.get(sample) ?? '') as CodecSample[]
    // Nothing before its job's own history helps a sample.
    const reach = setting.jobs ? setting.jobs.bytes + setting.jobs.overlapBytes : Number.POSITIVE_INFINITY
    const window = Math.min(windowBytes, this.#longestHistory, reach)
    const apartOf = (one: CodecSample): number => Math.min(one.offset, window) + one.data.length
    const all = list.reduce((sum, one) => sum + apartOf(one), 0)
    const apart = Math.max(apartOf(sample), this.#visited * all)
    const end = list.reduce((most, one) => Math.max(most, one.offset + one.data.length), 0)
    // A record has nothing before it: few visits do without the rest of the file.
    const isApart = setting.jobs?.overlapBytes === 0 || end > Math.min(apart, this.#mostOf(setting))
    return { list, window, end, isApart }
  }

  /**
   * True when all of its file has been compressed with this setting, or is being: then `added`
   * costs nothing more.
   */
  knows(setting: StreamSetting, sample: CodecSample): boolean {
    return this.#known.has(this.#streamKey(setting, sample))
  }

  /**
   * With no more than so many bytes before the sample replayed; null if the file cannot be read any
   * more.
   */
  async addedAfter(setting: StreamSetting, historyBytes: number, sample: CodecSample): Promise<Added | null> {
    const history = await this.history(historyBytes, sample)
    if (history === null) return null
    const start = sample.offset - history.length
    const all = Buffer.concat([history, sample.data])
    const marks = [sample.offset, start + all.length]
    // Tables as large as for the whole file would take longer to clear than so little takes to compress.
    const tableBytes = Math.min(sample.fileBytes, Math.max(all.length, ONE_ROW_BYTES))
    const sizes = await sizesAtMarks(setting, tableBytes, start, marks, async (offset, length) =>
      all.subarray(offset - start, offset - start + length),
    )
    return sizes && { ...between(sizes[0] as Mark, sizes[1] as Mark), bytesRead: all.length }
  }

  /**
   * The bytes before a sample, as many as are wanted and available; null if the file cannot be read
   * any more.
   */
  async history(wantedBytes: number, sample: CodecSample): Promise<Uint8Array | null> {
    const length = Math.min(sample.offset, wantedBytes)
    if (length <= sample.history.length) return sample.history.subarray(sample.history.length - length)
    return (await this.#readAround?.(sample, sample.offset - length, length)) ?? null
  }

  #streamKey({ jobs, level, longWindowLog }: StreamSetting, sample: CodecSample): string {
    return `${level} ${longWindowLog} ${jobs?.bytes} ${jobs?.overlapBytes} ${this.#keys.get(sample)}`
  }

  /** So much of a file is compressed at most for the sake of one sample. */
  #mostOf(setting: StreamSetting): number {
    return this.#longestHistory * (setting.level > QUICK_LEVEL ? 6 : 16)
  }

  async #wholeFile(
    setting: StreamSetting,
    list: readonly CodecSample[],
    read: Read,
  ): Promise<ReadonlyMap<number, Omit<Added, 'bytesRead'>> | null> {
    const inOrder = list.toSorted((a, b) => a.offset - b.offset)
    const marks = [...new Set(inOrder.flatMap(({ offset, data }) => [offset, offset + data.length]))]
    const sizes = await sizesAtMarks(setting, (inOrder[0] as CodecSample).fileBytes, 0, marks, read)
    if (sizes === null) return null
    const at = new Map(marks.map((mark, index) => [mark, sizes[index] as Mark]))
    return new Map(
      inOrder.map(({ offset, data }) => [
        offset,
        between(at.get(offset) as Mark, at.get(offset + data.length) as Mark),
      ]),
    )
  }
}

/** The bytes that a sample adds behind a part of the bytes before it. */
async function addedBehind(
  setting: StreamSetting,
  window: number,
  { offset, data, fileBytes }: CodecSample,
  read: Read,
): Promise<Added | null> {
  const { jobs } = setting
  const jobStart = jobs ? Math.floor(offset / jobs.bytes) * jobs.bytes : 0
  const start = Math.max(0, offset - window, jobStart - (jobs?.overlapBytes ?? 0))
  const end = offset + data.length
  const sizes = await sizesAtMarks(setting, fileBytes, start, [offset, end], read)
  return sizes && { ...between(sizes[0] as Mark, sizes[1] as Mark), bytesRead: end - start }
}

/** Where a job ends and the next begins is one mark: what came before it is no part of the next. */
function between(before: Mark, after: Mark): { bytes: number; jobBytesBefore: number } {
  const bytes = after.bytes - before.bytes
  return { bytes, jobBytesBefore: Math.max(0, after.jobBytes - bytes) }
}

function fileKey({ rootIndex, path }: CodecSample): string {
  return `${rootIndex} ${Buffer.from(path).toString('latin1')}`
}
