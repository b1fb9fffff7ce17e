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
  'zstd-3': 0.35,
  lz4: 0.35,
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

/** Of a unit with many records so many bytes are compressed. */
const RECORD_BYTES_OF_UNIT = 256 * KIB

/** Up to this level zstd reads a history fast enough to be given all of its window. */
const WHOLE_WINDOW_LEVEL = 3

/** Compresses samples for targets, and remembers what long histories save. */
export class SampleMeter {
  readonly #level: SampleLevel
  readonly #readBefore: ReadBefore | undefined
  readonly #model: RecordModel
  readonly #random: SeededRandom
  /** Samples that were one record, by codec: what is known of one record size serves all larger ones. */
  readonly #wholes = new Map<CodecSample, Map<string, number>>()
  /** What LZ4 makes of every full record of a sample, by record size. */
  readonly #recordSizes = new Map<CodecSample, Map<number, number[]>>()
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
    const { data } = sample
    const full = Math.floor(data.length / recordSize)
    const isOne = data.length <= recordSize
    // Quick codecs see every record; deflate some, for which LZ4 tells how they compare with the unit's others.
    const most =
      codec.family === 'deflate' ? Math.max(1, Math.floor(RECORD_BYTES_OF_UNIT / recordSize)) : full
    const chosen = this.#chooseRecords(full, most)
    const standsFor =
      chosen.length < full
        ? await this.#expansion(sample, recordSize, chosen)
        : full / Math.max(1, chosen.length)
    const known = isOne && this.#wholes.get(sample)?.has(codec.id) === true
    let stored = 0
    for (const index of chosen) {
      const record = data.subarray(index * recordSize, (index + 1) * recordSize)
      stored += (await this.#stored(codec, sample, record, recordSize, isOne)) * standsFor
    }
    // The short record at the end shrinks less than the others: it is always looked at, and stands only for itself.
    const tail = data.subarray(full * recordSize)
    if (tail.length > 0) stored += await this.#stored(codec, sample, tail, recordSize, isOne)
    return {
      compressedBytes: stored,
      bytesRead: known ? 0 : chosen.length * recordSize + tail.length,
      partly: chosen.length < full,
    }
  }

  /** By how much all full records outweigh the chosen ones, as LZ4 sees them. */
  async #expansion(sample: CodecSample, recordSize: number, chosen: readonly number[]): Promise<number> {
    const sizes = this.#recordSizes.get(sample) ?? new Map<number, number[]>()
    this.#recordSizes.set(sample, sizes)
    let known = sizes.get(recordSize)
    if (!known) {
      known = []
      for (let at = 0; at + recordSize <= sample.data.length; at += recordSize) {
        const record = sample.data.subarray(at, at + recordSize)
        known.push(await this.#stored(CODECS.lz4 as BufferCodec, sample, record, recordSize, false))
      }
      sizes.set(recordSize, known)
    }
    const all = known.reduce((sum, size) => sum + size, 0)
    const some = chosen.reduce((sum, index) => sum + (known[index] as number), 0)
    return some > 0 ? all / some : known.length / chosen.length
  }

  async #stored(
    codec: BufferCodec,
    sample: CodecSample,
    record: Uint8Array,
    recordSize: number,
    isOne: boolean,
  ): Promise<number> {
    const known = isOne ? this.#wholes.get(sample)?.get(codec.id) : undefined
    const compressedBytes = known ?? (await compressRecord(codec, record))
    if (isOne) this.#remember(sample, codec, compressedBytes)
    const allZero = record.every((byte) => byte === 0)
    const bytes = this.#lengthOf(sample, record, recordSize)
    return storedRecordBytes({ bytes, compressedBytes, allZero }, this.#model)
  }

  #remember(sample: CodecSample, codec: BufferCodec, compressedBytes: number): void {
    const known = this.#wholes.get(sample)
    if (known) known.set(codec.id, compressedBytes)
    else this.#wholes.set(sample, new Map([[codec.id, compressedBytes]]))
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
