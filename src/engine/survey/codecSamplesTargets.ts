import { type RecordModel, storedRecordBytes, zfsRecordBytes } from '../../domain/compression/recordModel'
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
  /** Each record of the sample, or its part of the one record that it lies in; none where files were compressed whole. */
  readonly records: readonly MeasuredRecord[]
}

/** One record, as different stores keep it. */
export interface MeasuredRecord {
  readonly rawBytes: number
  /** As ZFS allocates it in sectors of 512 bytes and of 4 KiB. */
  readonly zfsBytes: readonly [in512: number, in4096: number]
}

const ZFS_MODELS: readonly [RecordModel, RecordModel] = [
  { kind: 'zfs', ashift: 9 },
  { kind: 'zfs', ashift: 12 },
]
const RAW_MODEL: RecordModel = { kind: 'raw' }

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

/** Reads `length` bytes from `offset` of a sample's file; null if they cannot be had any more. */
export type ReadAround = (sample: CodecSample, offset: number, length: number) => Promise<Uint8Array | null>

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
  readonly #readAround: ReadAround | undefined
  /** Samples that were one record, by codec: what is known of one record size serves all larger ones. */
  readonly #wholes = new Map<CodecSample, Map<string, MeasuredRecord>>()
  readonly #factors = new Map<CodecSample, Map<number, number>>()

  constructor(level: SampleLevel, readAround: ReadAround | undefined) {
    this.#level = level
    this.#readAround = readAround
  }

  /** What the codec adds for this sample to its file's compressed data. */
  async wholeFile(codec: BufferCodec, sample: CodecSample): Promise<Measured> {
    const { data } = sample
    if (codec.family === 'zstd' && codec.level <= WHOLE_WINDOW_LEVEL) {
      const history = (await this.#longHistory(sample, codec.windowBytes)) ?? sample.history
      const { bytes, bytesRead } = await compressAfter(codec, history, data)
      return { compressedBytes: bytes, bytesRead, records: [] }
    }
    const { bytes, bytesRead } = await compressAfter(codec, sample.history, data)
    const factor =
      codec.family === 'zstd' ? await this.historyFactor(sample, codec.windowBytes, sample.history.length) : 1
    return { compressedBytes: bytes * factor, bytesRead, records: [] }
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
    if (!this.#readAround || wanted <= sample.history.length) return null
    return this.#readAround(sample, sample.offset - wanted, wanted)
  }

  /** What a store of records keeps for this sample. */
  async records(codec: BufferCodec, recordSize: number, sample: CodecSample): Promise<Measured> {
    const { data, fileBytes } = sample
    if (fileBytes <= recordSize && fileBytes <= data.length) return this.#oneRecord(codec, sample)
    if (recordSize > UNIT_BYTES && fileBytes > UNIT_BYTES)
      return this.#partOfRecord(codec, recordSize, sample)
    const records: MeasuredRecord[] = []
    for (let at = 0; at < data.length; at += recordSize)
      records.push(
        await measureRecord(codec, data.subarray(at, at + recordSize), zfsRecordBytes(fileBytes, recordSize)),
      )
    return { ...sumOf(records), bytesRead: data.length }
  }

  /** A file that fits one record is the same record at every larger size. */
  async #oneRecord(codec: BufferCodec, sample: CodecSample): Promise<Measured> {
    const { data } = sample
    const known = this.#wholes.get(sample)?.get(codec.id)
    if (known) return { ...sumOf([known]), bytesRead: 0 }
    const record = await measureRecord(codec, data, zfsRecordBytes(data.length, data.length))
    const wholes = this.#wholes.get(sample) ?? new Map<string, MeasuredRecord>()
    this.#wholes.set(sample, wholes.set(codec.id, record))
    return { ...sumOf([record]), bytesRead: data.length }
  }

  /**
   * What the sample adds to the record that it lies in: the record up to the sample's end less the record up to its start, which
   * over all parts of a record adds up to it. Of the sample alone if the rest cannot be read again.
   */
  async #partOfRecord(codec: BufferCodec, recordSize: number, sample: CodecSample): Promise<Measured> {
    const { data, offset, fileBytes } = sample
    const start = Math.floor(offset / recordSize) * recordSize
    const end = Math.min(fileBytes, start + recordSize)
    const before =
      offset > start ? ((await this.#readAround?.(sample, start, offset - start)) ?? NOTHING) : NOTHING
    const isLast = offset + data.length === end
    const until = Buffer.concat([before, data])
    const zfsLength = isLast ? zfsRecordBytes(fileBytes, recordSize) : until.length
    const whole = await measureRecord(codec, until, Math.max(zfsLength, until.length))
    if (before.length === 0) return { ...sumOf([whole]), bytesRead: data.length }
    const first = await measureRecord(codec, before, before.length)
    const added: MeasuredRecord = {
      rawBytes: whole.rawBytes - first.rawBytes,
      zfsBytes: [whole.zfsBytes[0] - first.zfsBytes[0], whole.zfsBytes[1] - first.zfsBytes[1]],
    }
    return { ...sumOf([added]), bytesRead: until.length + before.length }
  }
}

function sumOf(records: readonly MeasuredRecord[]): Pick<Measured, 'compressedBytes' | 'records'> {
  return { compressedBytes: records.reduce((sum, record) => sum + record.rawBytes, 0), records }
}

/**
 * Compresses a record as it is and, where ZFS would fill it up with zeros (the last one of a file of several), filled up.
 * @param zfsBytes how long ZFS has it
 */
async function measureRecord(
  codec: BufferCodec,
  record: Uint8Array,
  zfsBytes: number,
): Promise<MeasuredRecord> {
  const bytes = record.length
  const compressedBytes = await compressRecord(codec, record)
  const allZero = record.every((byte) => byte === 0)
  let filledBytes = compressedBytes
  if (zfsBytes - bytes >= SECTOR && !allZero) {
    const filled = new Uint8Array(zfsBytes)
    filled.set(record)
    filledBytes = await compressRecord(codec, filled)
  }
  const zfs = { bytes: zfsBytes, compressedBytes: filledBytes, allZero }
  return {
    rawBytes: storedRecordBytes({ bytes, compressedBytes, allZero }, RAW_MODEL),
    zfsBytes: [storedRecordBytes(zfs, ZFS_MODELS[0]), storedRecordBytes(zfs, ZFS_MODELS[1])],
  }
}

/** The most that a sample holds of a file: records that are longer hold several. */
export const UNIT_BYTES = 256 * KIB

const NOTHING = new Uint8Array(0)

/** ZFS's smallest; fewer zeros than that are not worth compressing again. */
const SECTOR = 512
