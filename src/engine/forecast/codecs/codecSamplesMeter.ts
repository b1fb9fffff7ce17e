import {
  type RecordModel,
  roundUp,
  storedRecordBytes,
  zfsRecordBytes,
} from '../../../domain/forecast/recordModel'
import { CODECS, type Codec, isSlow } from '../../codecs/codecRegistry'
import { type BufferCodec, type Compressed, compressAfter, compressRecord } from '../../codecs/compressBuffer'
import type { StreamSetting } from '../../codecs/zstdStream'
import { type Added, FileStreams, type ReadAround } from './codecSamplesStreams'
import { asCold, LONG_QUICK, type SampleLevel, type Target } from './codecSamplesTargets'
import type { CodecSample } from './codecSamplesUnits'

const KIB = 1024

/** The result for one sample, and its cost. */
export interface Measured {
  readonly compressedBytes: number
  readonly bytesRead: number
  /**
   * Each record of the sample, or its part of the one record that it lies in; none where files were
   * compressed whole.
   */
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

/** Longer histories than this are not replayed at a level: they cost reading and compressing. */
const LONGEST_HISTORY: Readonly<Record<SampleLevel, number>> = {
  fast: 2 * KIB * KIB,
  normal: 4 * KIB * KIB,
  thorough: 32 * KIB * KIB,
}

const LONG_WINDOW_LOG = 27
/**
 * The history before a sample, in bytes: with less, level 19 compresses it worse than in the
 * stream; with these it is within 4 % (docs/methods/constants.md).
 */
const WARM_BYTES: Readonly<Record<SampleLevel, number>> = {
  fast: 128 * KIB,
  normal: 256 * KIB,
  thorough: 1024 * KIB,
}

/** Compresses samples for targets, and remembers what long histories save. */
export class SampleMeter {
  readonly #readAround: ReadAround | undefined
  readonly #streams: FileStreams
  readonly #warmBytes: number
  readonly #dear = new Map<CodecSample, number>()
  /** With nothing before them. */
  readonly #coldLzma = new Map<CodecSample, number>()
  readonly #coldNine = new Map<CodecSample, Measured>()
  /** Apart for windows longer than the 19th level's own. */
  readonly #longFactors = new Map<CodecSample, Map<boolean, Promise<number>>>()
  /** The bytes that deflate adds for a sample, by codec and history. */
  readonly #deflated = new Map<CodecSample, Map<string, number>>()
  /**
   * Samples that were one record, by codec: what is known of one record size serves all larger
   * ones.
   */
  readonly #wholes = new Map<CodecSample, Map<string, MeasuredRecord>>()

  constructor(level: SampleLevel, samples: readonly CodecSample[], readAround: ReadAround | undefined) {
    this.#readAround = readAround
    this.#warmBytes = WARM_BYTES[level]
    this.#streams = new FileStreams(samples, readAround, LONGEST_HISTORY[level], level)
  }

  /** The bytes that the codec adds for this sample to its file's compressed data. */
  async wholeFile(codec: BufferCodec, sample: CodecSample): Promise<Measured> {
    const { data, fileBytes } = sample
    if (isSlow(codec) && fileBytes <= data.length) return this.#dearWhole(codec, sample)
    if (codec.family !== 'zstd' || fileBytes <= data.length) return this.#short(codec, sample)
    if (!isSlow(codec)) {
      const added = await this.#streams.added(fileSetting(codec), codec.windowBytes, sample)
      if (added) return { compressedBytes: added.bytes, bytesRead: added.bytesRead, records: [] }
      return this.#short(codec, sample)
    }
    const warm = await this.#warm(codec, sample)
    if (warm === null) return this.#short(codec, sample)
    const factor = await this.#longFactor(sample, codec.windowBytes)
    return { ...warm, compressedBytes: warm.compressedBytes * factor }
  }

  /**
   * True when the size of a sample by a codec is known already, because the same covariates already
   * cover this one too.
   */
  isKnown({ codec, recordSize, isCold }: Target, sample: CodecSample): boolean {
    if (recordSize !== null) return false
    if (isCold) return codec.family === 'zstd' && this.#coldNine.has(sample)
    if (codec.family === 'lzma2') return sample.offset === 0 && this.hasLzma(sample)
    if (codec.family !== 'zstd') return false
    if (isSlow(codec)) return this.#dear.has(sample)
    return sample.fileBytes > sample.data.length && this.#streams.knows(fileSetting(codec), sample)
  }

  /**
   * About how many bytes a visit compresses, the sample included; `stream` as in
   * `FileStreams.bytesFor`.
   */
  bytesFor(target: Target, sample: CodecSample): ReturnType<FileStreams['bytesFor']> {
    const { codec, recordSize, isCold } = target
    const bytes = this.isKnown(target, sample) ? 0 : sample.data.length
    const isShort = sample.fileBytes <= sample.data.length
    if (recordSize !== null || isCold || isShort || codec.family !== 'zstd' || isSlow(codec))
      return { bytes, stream: null }
    return this.#streams.bytesFor(fileSetting(codec), codec.windowBytes, sample)
  }

  async #short(codec: BufferCodec, sample: CodecSample): Promise<Measured> {
    const { history } = sample
    const isDeflate = codec.family === 'deflate'
    const { bytes, bytesRead } = isDeflate
      ? await this.#deflatedAfter(codec, sample, history)
      : await compressAfter(codec, history, sample.data)
    return { compressedBytes: bytes, bytesRead, records: [] }
  }

  /**
   * Deflate of whole files and of records longer than a sample is the same, but where a record
   * begins.
   */
  async #deflatedAfter(codec: BufferCodec, sample: CodecSample, history: Uint8Array): Promise<Compressed> {
    const key = `${codec.id} ${history.length}`
    const known = this.#deflated.get(sample)?.get(key)
    if (known !== undefined) return { bytes: known, bytesRead: 0 }
    const found = await compressAfter(codec, history, sample.data)
    const sizes = this.#deflated.get(sample) ?? new Map<string, number>()
    this.#deflated.set(sample, sizes.set(key, found.bytes))
    return found
  }

  /** A longer window makes the same of a short file. */
  async #dearWhole(codec: BufferCodec, sample: CodecSample): Promise<Measured> {
    const known = this.#dear.get(sample)
    if (known !== undefined) return { compressedBytes: known, bytesRead: 0, records: [] }
    const found = await this.#short(codec, sample)
    this.#dear.set(sample, found.compressedBytes)
    return found
  }

  /**
   * With a history that warms a slow codec up. A longer window finds the same in so little, and is
   * not asked again.
   */
  async #warm(codec: BufferCodec, sample: CodecSample): Promise<Measured | null> {
    const known = this.#dear.get(sample)
    if (known !== undefined) return { compressedBytes: known, bytesRead: 0, records: [] }
    const setting = { level: codec.level, longWindowLog: null, jobs: null }
    const added = await this.#streams.addedAfter(setting, this.#warmBytes, sample)
    if (added === null) return null
    this.#dear.set(sample, added.bytes)
    return { compressedBytes: added.bytes, bytesRead: added.bytesRead, records: [] }
  }

  /** The size of a sample by zstd's ninth level with nothing before it. */
  async coldNine(sample: CodecSample): Promise<Measured> {
    const known = this.#coldNine.get(sample)
    if (known) return { ...known, bytesRead: 0 }
    const found = await this.#cold(CODECS['zstd-9'] as BufferCodec, sample)
    this.#coldNine.set(sample, found)
    return found
  }

  async #cold(codec: BufferCodec, sample: CodecSample): Promise<Measured> {
    if (sample.fileBytes <= sample.data.length) return this.wholeFile(codec, sample)
    const setting = { level: codec.level, longWindowLog: null, jobs: null }
    const added = await this.#streams.addedAfter(setting, 0, sample)
    if (added === null) return this.#short(codec, { ...sample, history: NOTHING })
    return { compressedBytes: added.bytes, bytesRead: added.bytesRead, records: [] }
  }

  /** True when the size of a sample by LZMA with nothing before it is known. */
  hasLzma(sample: CodecSample): boolean {
    return this.#coldLzma.has(sample)
  }

  /** Notes the size of a sample by LZMA with nothing before it. */
  noteLzma(sample: CodecSample, bytes: number): void {
    this.#coldLzma.set(sample, bytes)
  }

  /** That, with what zstd's ninth level makes of it made known too. */
  async coldLzma(sample: CodecSample): Promise<number> {
    await this.coldNine(sample)
    return this.#coldLzma.get(sample) ?? 0
  }

  /**
   * The bytes that LZMA adds for a sample: the size of a file's beginning; for a later part the
   * size by zstd's 19th level, times LZMA's ratio to it with nothing before it.
   */
  async lzma(sample: CodecSample): Promise<number> {
    const cold = this.#coldLzma.get(sample) ?? 0
    const dear = CODECS['zstd-19'] as BufferCodec
    const warm = sample.offset === 0 ? null : await this.#warm(dear, sample)
    if (warm === null) return cold
    const { compressedBytes: other } = await this.#cold(dear, sample)
    const factor = await this.#longFactor(sample, CODECS['lzma2-9'].windowBytes)
    return asCold(warm.compressedBytes, cold, other) * factor
  }

  /**
   * How much less a slow codec with a long window makes of a sample after all that precedes it than
   * after what warmed it up, as zstd's ninth level shows, and for windows beyond its own fast zstd.
   * 1 if the file has no more or cannot be read.
   */
  #longFactor(sample: CodecSample, windowBytes: number): Promise<number> {
    if (sample.offset <= this.#warmBytes) return Promise.resolve(1)
    const isLonger = windowBytes > CODECS['zstd-19'].windowBytes
    const known = this.#longFactors.get(sample)?.get(isLonger)
    if (known !== undefined) return known
    const factor = this.#measuredLongFactor(sample, isLonger)
    const factors = this.#longFactors.get(sample) ?? new Map<boolean, Promise<number>>()
    this.#longFactors.set(sample, factors.set(isLonger, factor))
    return factor
  }

  async #measuredLongFactor(sample: CodecSample, isLonger: boolean): Promise<number> {
    const nine = CODECS['zstd-9']
    const setting = { level: nine.level, longWindowLog: null, jobs: nine.jobs }
    const long = await this.#streams.added(setting, nine.windowBytes, sample)
    const warm = await this.#streams.addedAfter({ ...setting, jobs: null }, this.#warmBytes, sample)
    if (long === null || warm === null || warm.bytes <= 0) return 1
    const factor = Math.min(1, long.bytes / warm.bytes)
    // The 19th level's own window is twice as long as the ninth's: what it finds there is in its `historyShare`.
    if (sample.offset <= nine.windowBytes || !isLonger) return factor
    const far = await this.#streams.added(fileSetting(LONG_QUICK), LONG_QUICK.windowBytes, sample)
    const three = CODECS['zstd-3']
    const near = await this.#streams.added(fileSetting(three), three.windowBytes, sample)
    return far && near && near.bytes > 0 ? factor * Math.min(1, far.bytes / near.bytes) : factor
  }

  /** The bytes that a store of records keeps for this sample. */
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
   * Marginal compressed size of the sample in its record: the record up to the sample's end less
   * the record up to its start; the parts of a record add up to it. The size of the sample alone if
   * the rest cannot be read again.
   */
  async #partOfRecord(codec: BufferCodec, recordSize: number, sample: CodecSample): Promise<Measured> {
    const { data, offset, fileBytes } = sample
    const start = Math.floor(offset / recordSize) * recordSize
    const end = Math.min(fileBytes, start + recordSize)
    if (codec.family === 'deflate') return this.#partOfDeflated(codec, recordSize, sample, end - start)
    if (codec.family === 'zstd') {
      const streamed = await this.#streams.added(recordSetting(codec, recordSize), recordSize, sample)
      if (streamed) return partBetween(recordSize, sample, end, streamed)
    }
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

  /** The same for deflate, which looks back no further than the samples' own history reaches. */
  async #partOfDeflated(
    codec: BufferCodec,
    recordSize: number,
    sample: CodecSample,
    length: number,
  ): Promise<Measured> {
    const { data, offset, history, fileBytes } = sample
    const inRecord = history.subarray(Math.max(0, history.length - (offset % recordSize)))
    const { bytes, bytesRead } = await this.#deflatedAfter(codec, sample, inRecord)
    const part = data.length / length
    const zfs = {
      bytes: zfsRecordBytes(fileBytes, recordSize),
      compressedBytes: bytes / part,
      allZero: data.every((byte) => byte === 0),
    }
    const record: MeasuredRecord = {
      rawBytes: Math.min(data.length, bytes),
      zfsBytes: [storedRecordBytes(zfs, ZFS_MODELS[0]) * part, storedRecordBytes(zfs, ZFS_MODELS[1]) * part],
    }
    return { ...sumOf([record]), bytesRead }
  }
}

/** zstd over a whole file, as its program works. */
function fileSetting(codec: Codec): StreamSetting {
  const isLong = codec === LONG_QUICK
  return {
    level: codec.level,
    longWindowLog: isLong ? LONG_WINDOW_LOG : null,
    jobs: isLong ? null : codec.jobs,
  }
}

/** zstd over records, each by itself. */
function recordSetting(codec: Codec, recordSize: number): StreamSetting {
  return { level: codec.level, longWindowLog: null, jobs: { bytes: recordSize, overlapBytes: 0 } }
}

/**
 * A sample's part of a record, from what a stream of the record has put out before the sample and
 * after it.
 */
function partBetween(
  recordSize: number,
  { data, offset, fileBytes }: CodecSample,
  end: number,
  { bytes, bytesRead, jobBytesBefore }: Added,
): Measured {
  const before = offset % recordSize
  const until = before + data.length
  const isLast = offset + data.length === end
  const stored = (model: RecordModel, length: number, compressedBytes: number): number =>
    length === 0 ? 0 : storedRecordBytes({ bytes: length, compressedBytes, allZero: false }, model)
  const added = (model: RecordModel, length: number): number =>
    stored(model, length, jobBytesBefore + bytes) - stored(model, before, jobBytesBefore)
  const zfsLength = isLast ? Math.max(until, zfsRecordBytes(fileBytes, recordSize)) : until
  const record: MeasuredRecord = {
    rawBytes: added(RAW_MODEL, until),
    zfsBytes: [added(ZFS_MODELS[0], zfsLength), added(ZFS_MODELS[1], zfsLength)],
  }
  return { ...sumOf([record]), bytesRead }
}

function sumOf(records: readonly MeasuredRecord[]): Pick<Measured, 'compressedBytes' | 'records'> {
  return { compressedBytes: records.reduce((sum, record) => sum + record.rawBytes, 0), records }
}

/**
 * Compresses a record as it is and, where ZFS would fill it up with zeros (the last one of a file),
 * filled up.
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
  const mayTakeOneMore = roundUp(compressedBytes + FILL_BYTES, SECTOR) > roundUp(compressedBytes, SECTOR)
  if (!allZero && (zfsBytes - bytes >= SECTOR || (zfsBytes > bytes && mayTakeOneMore))) {
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

/** ZFS's smallest. */
const SECTOR = 512
/**
 * Fewer zeros than a sector behind a record make it a few bytes longer compressed, 16 at most: only
 * near a sector's end are they worth compressing again (docs/methods/constants.md).
 */
const FILL_BYTES = 24
