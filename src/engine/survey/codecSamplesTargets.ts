import { type RecordModel, storedRecordBytes, zfsRecordBytes } from '../../domain/compression/recordModel'
import type { SeededRandom } from '../../primitives/seededRandom'
import { CODEC_IDS, CODECS, type Codec, type CodecId } from '../codecs/codecRegistry'
import { type BufferCodec, compressAfter, compressRecord, longHistoryFactor } from '../codecs/compressBuffer'
import type { CodecSample } from './codecSamplesUnits'

/** How much is spent on codecs. */
export type SampleLevel = 'fast' | 'normal' | 'thorough'

/** One figure to forecast: a codec on whole files, or on records of one size. */
export interface Target {
  readonly codec: Codec
  readonly recordSize: number | null
  /** Its part of the budget, against the others. */
  readonly weight: number
}

/** What was found of one sample, and what it took. */
export interface Measured {
  readonly compressedBytes: number
  readonly bytesRead: number
  readonly partly: boolean
}

const KIB = 1024
const ALL_SIZES = [4, 8, 16, 32, 64, 128, 256, 512, 1024].map((size) => size * KIB)
const FEW_SIZES = [4, 16, 128, 1024].map((size) => size * KIB)

/** Slow codecs get more of the budget, though not as much more as they are slower. */
const FILE_WEIGHTS: Readonly<Record<CodecId, number>> = {
  'gzip-1': 0.8,
  'gzip-6': 1.5,
  'gzip-9': 2,
  'zstd-1': 0.4,
  'zstd-3': 0.6,
  'zstd-9': 1.5,
  'zstd-19': 3.5,
  'zstd-19-long': 3.5,
  lz4: 0.2,
  'lzma2-9': 4,
}
const RECORD_WEIGHTS: Readonly<Partial<Record<CodecId, number>>> = {
  'gzip-1': 0.2,
  'gzip-6': 0.35,
  'gzip-9': 0.5,
  'zstd-3': 0.2,
  lz4: 0.15,
}

/** Everything that is forecast at a level. */
export function targetsOf(level: SampleLevel, withLzma: boolean): Target[] {
  const files = CODEC_IDS.filter((id) => withLzma || id !== 'lzma2-9').map((id) => ({
    codec: CODECS[id],
    recordSize: null,
    weight: FILE_WEIGHTS[id],
  }))
  const sizes = level === 'fast' ? FEW_SIZES : ALL_SIZES
  const records = CODEC_IDS.flatMap((id) => {
    const weight = RECORD_WEIGHTS[id]
    return weight === undefined ? [] : sizes.map((recordSize) => ({ codec: CODECS[id], recordSize, weight }))
  })
  return [...files, ...records]
}

/** Reads up to `bytes` that stand before a sample in its file; null if that cannot be done any more. */
export type ReadBefore = (sample: CodecSample, bytes: number) => Promise<Uint8Array | null>

/** Longer histories than this are not replayed at a level: they cost reading and compressing. */
const LONGEST_HISTORY: Readonly<Record<SampleLevel, number>> = {
  fast: 2 * KIB * KIB,
  normal: 8 * KIB * KIB,
  thorough: 32 * KIB * KIB,
}

/** Up to this level zstd reads a history fast enough to be given all of its window. */
const WHOLE_WINDOW_LEVEL = 3

/** Compresses samples for targets, and remembers what long histories save. */
export class SampleMeter {
  readonly #level: SampleLevel
  readonly #readBefore: ReadBefore | undefined
  readonly #model: RecordModel
  readonly #random: SeededRandom
  readonly #factors = new Map<CodecSample, Map<number, number>>()

  constructor(
    level: SampleLevel,
    readBefore: ReadBefore | undefined,
    model: RecordModel,
    random: SeededRandom,
  ) {
    this.#level = level
    this.#readBefore = readBefore
    this.#model = model
    this.#random = random
  }

  /** What the codec adds for this sample to its file's compressed data. */
  async wholeFile(codec: BufferCodec, sample: CodecSample): Promise<Measured> {
    const { data } = sample
    if (codec.family === 'zstd' && codec.level <= WHOLE_WINDOW_LEVEL) {
      const history = (await this.#longHistory(sample, codec.windowBytes)) ?? sample.history
      const { bytes, bytesRead } = await compressAfter(codec, history, data)
      return { compressedBytes: bytes, bytesRead, partly: false }
    }
    const { bytes, bytesRead } = await compressAfter(codec, sample.history, data)
    const factor =
      codec.family === 'zstd' ? await this.historyFactor(sample, codec.windowBytes, sample.history.length) : 1
    return { compressedBytes: bytes * factor, bytesRead, partly: false }
  }

  /** See `longHistoryFactor`; 1 where the file has no more before the sample than `shortLength`, or cannot be read. */
  async historyFactor(sample: CodecSample, windowBytes: number, shortLength: number): Promise<number> {
    const wanted = Math.min(sample.offset, windowBytes, LONGEST_HISTORY[this.#level])
    if (wanted <= shortLength) return 1
    const known = this.#factors.get(sample) ?? new Map<number, number>()
    this.#factors.set(sample, known)
    const key = wanted * 2 + (shortLength > 0 ? 1 : 0)
    const before = known.get(key)
    if (before !== undefined) return before
    const long = await this.#longHistory(sample, wanted)
    const factor = long === null ? 1 : await longHistoryFactor(long, shortLength, sample.data)
    known.set(key, factor)
    return factor
  }

  async #longHistory(sample: CodecSample, windowBytes: number): Promise<Uint8Array | null> {
    const wanted = Math.min(sample.offset, windowBytes)
    if (!this.#readBefore || wanted <= sample.history.length) return null
    return this.#readBefore(sample, wanted)
  }

  /** What a store of records keeps for this sample, from some of its records if it has many. */
  async records(codec: BufferCodec, recordSize: number, sample: CodecSample): Promise<Measured> {
    const count = Math.ceil(sample.data.length / recordSize)
    const chosen = this.#chooseRecords(count, Math.max(1, Math.floor((64 * KIB) / recordSize)))
    let stored = 0
    let bytesRead = 0
    for (const index of chosen) {
      const record = sample.data.subarray(index * recordSize, (index + 1) * recordSize)
      stored += storedRecordBytes(
        {
          bytes: this.#lengthOf(sample, record, recordSize),
          compressedBytes: await compressRecord(codec, record),
          allZero: record.every((byte) => byte === 0),
        },
        this.#model,
      )
      bytesRead += record.length
    }
    return {
      compressedBytes: (stored * sample.data.length) / bytesRead,
      bytesRead,
      partly: chosen.length < count,
    }
  }

  #lengthOf(sample: CodecSample, record: Uint8Array, recordSize: number): number {
    return this.#model.kind === 'zfs' ? zfsRecordBytes(sample.fileBytes, recordSize) : record.length
  }

  /** `most` of `count` records at random, or all. */
  #chooseRecords(count: number, most: number): number[] {
    const all = Array.from({ length: count }, (_, index) => index)
    if (count <= most) return all
    for (let place = 0; place < most; place++) {
      const other = place + this.#random.below(count - place)
      const kept = all[place] as number
      all[place] = all[other] as number
      all[other] = kept
    }
    return all.slice(0, most)
  }
}
