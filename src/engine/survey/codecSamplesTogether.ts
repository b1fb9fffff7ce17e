import type { Combined } from '../../contract/dto/survey'
import {
  type KnownTotal,
  raisedShares,
  type UniquePart,
  uniquePart,
  uniqueTotal,
} from '../../domain/compression/combined'
import type { Observation, TotalRange } from '../../domain/compression/estimateTotal'
import type { CalibratedSample } from '../../domain/compression/strata'
import type { CodecId } from '../codecs/codecRegistry'
import { type MeasuredRecord, UNIT_BYTES } from './codecSamplesTargets'
import type { CodecSample } from './codecSamplesUnits'

/** What the pass counted exactly, or as its tables estimate it: the frame of all forecasts of deduplication. */
export interface DedupTotals {
  readonly bytes: number
  readonly files: number
  readonly blocks: readonly {
    readonly blockSize: number
    readonly uniqueBlocks: number
    readonly uniqueBytes: number
    readonly low: number
    readonly high: number
  }[]
  /** What further copies of files have: how many, and their bytes. */
  readonly duplicates: { readonly files: number; readonly bytes: number }
}

/** What one codec made of visited units, by record size or whole files. */
export interface VisitedTarget {
  readonly codec: CodecId
  readonly recordSize: number | null
  readonly calibrated: CalibratedSample
  readonly visits: readonly {
    readonly unit: number
    readonly probability: number
    readonly compressedBytes: number
    readonly records: readonly MeasuredRecord[]
  }[]
  readonly systematicShare: number
  /** Turns what was compressed of whole files into the tool's result: a factor, and what containers add to all files. */
  readonly factor: number
  readonly overheadBytes: number
}

/** Stores that deduplicate take these; the others' records are forecast without. */
const CODECS_TOGETHER: ReadonlySet<CodecId> = new Set<CodecId>(['lz4', 'zstd-3', 'gzip-6'])
const ZFS_SECTORS = [512, 4096] as const

/** Forecasts compression and deduplication together from what was measured for compression alone. */
export class Deduplicating {
  readonly #samples: readonly CodecSample[]
  readonly #totals: DedupTotals
  readonly #parts = new Map<number | null, UniquePart[]>()

  constructor(samples: readonly CodecSample[], totals: DedupTotals) {
    this.#samples = samples
    this.#totals = totals
  }

  /** Nothing if the codec is none that such stores use, or no copies are known. */
  forecast(target: VisitedTarget): Combined[] {
    const { recordSize } = target
    const parts = this.#uniqueParts(recordSize, target.calibrated)
    if (!parts.some((part) => part.bytes > 0)) return []
    if (recordSize === null) return [this.#files(target, parts)]
    if (!CODECS_TOGETHER.has(target.codec)) return []
    const level = this.#totals.blocks.find((one) => one.blockSize === recordSize)
    if (!level) return []
    const records = recordsOf(level)
    const raw = this.#total(target, parts, level, recordSize, (record) => record.rawBytes)
    const rows = [row(target, 'deduplicate-compress', 1, raw, records)]
    for (const [index, sectorBytes] of ZFS_SECTORS.entries()) {
      const stored = (record: MeasuredRecord): number => record.zfsBytes[index as 0 | 1]
      const total = this.#total(target, parts, level, recordSize, stored)
      rows.push(row(target, 'zfs', sectorBytes, total, this.#zfsEntries(target, parts, records, recordSize)))
    }
    return rows
  }

  #total(
    target: VisitedTarget,
    parts: readonly UniquePart[],
    level: DedupTotals['blocks'][number],
    recordSize: number,
    stored: (record: MeasuredRecord) => number,
  ): TotalRange {
    return uniqueTotal(
      target.calibrated,
      parts.map((part) => part.bytes),
      { value: level.uniqueBytes, low: level.low, high: level.high },
      this.#observations(target, parts, recordSize, stored),
      target.systematicShare,
    )
  }

  /** Holes and what is embedded in block pointers have no entry. */
  #zfsEntries(
    target: VisitedTarget,
    parts: readonly UniquePart[],
    records: KnownTotal,
    recordSize: number,
  ): TotalRange {
    return uniqueTotal(
      target.calibrated,
      parts.map((part) => part.records),
      records,
      this.#observations(target, parts, recordSize, (record) => (record.zfsBytes[0] > 0 ? 1 : 0)),
      0,
    )
  }

  #observations(
    target: VisitedTarget,
    parts: readonly UniquePart[],
    recordSize: number,
    measure: (record: MeasuredRecord) => number,
  ): Observation[] {
    return target.visits.map(({ unit, probability, records }) => {
      const sample = this.#samples[unit] as CodecSample
      const copies = isPart(sample, recordSize) ? null : sample.copies?.get(recordSize)
      let sum = 0
      records.forEach((record, index) => {
        if (copies) sum += (copies[index] ?? 0) > 0 ? measure(record) / (copies[index] as number) : 0
        else sum += measure(record) * shareOf(parts[unit], sample, measure(record) === 1)
      })
      return { unit, probability, compressedBytes: sum, partly: false }
    })
  }

  #files(target: VisitedTarget, parts: readonly UniquePart[]): Combined {
    const { bytes, files, duplicates } = this.#totals
    const kept = bytes - duplicates.bytes
    const total = uniqueTotal(
      target.calibrated,
      parts.map((part) => part.bytes),
      { value: kept, low: kept, high: kept },
      target.visits.map(({ unit, probability, compressedBytes }) => ({
        unit,
        probability,
        compressedBytes: compressedBytes * shareOf(parts[unit], this.#samples[unit] as CodecSample, false),
        partly: false,
      })),
      target.systematicShare,
    )
    const distinct = files - duplicates.files
    const overhead = files > 0 ? (target.overheadBytes * distinct) / files : 0
    const whole = (value: number): number => value * target.factor + overhead
    const entries = { value: distinct, low: distinct, high: distinct }
    const found = { value: whole(total.value), low: whole(total.low), high: whole(total.high) }
    return row(target, 'compress-deduplicate', 1, found, entries)
  }

  #uniqueParts(recordSize: number | null, calibrated: CalibratedSample): UniquePart[] {
    const known = this.#parts.get(recordSize)
    if (known) return known
    const parts =
      recordSize === null ? this.#fileParts(calibrated) : this.#recordParts(recordSize, calibrated)
    this.#parts.set(recordSize, parts)
    return parts
  }

  #recordParts(recordSize: number, calibrated: CalibratedSample): UniquePart[] {
    const whole = this.#totals.blocks.find((one) => one.blockSize === recordSize)?.uniqueBytes ?? 0
    return this.#parts_(calibrated, whole, (sample) => isPart(sample, recordSize), recordSize)
  }

  /** A file in one unit repeats as often as its only block of the unit's size; of longer files the blocks tell, raised to fit. */
  #fileParts(calibrated: CalibratedSample): UniquePart[] {
    const { bytes, duplicates } = this.#totals
    return this.#parts_(calibrated, bytes - duplicates.bytes, (sample) => sample.fileBytes > UNIT_BYTES, null)
  }

  #parts_(
    calibrated: CalibratedSample,
    uniqueBytes: number,
    isRaised: (sample: CodecSample) => boolean,
    recordSize: number | null,
  ): UniquePart[] {
    const parts = this.#samples.map((sample): UniquePart => {
      const blockSize = isRaised(sample) || recordSize === null ? UNIT_BYTES : recordSize
      return uniquePart(sample.copies?.get(blockSize) ?? [], blockSize, sample.data.length)
    })
    const places = this.#samples.flatMap((sample, index) => (isRaised(sample) ? [index] : []))
    const rest = parts.reduce(
      (sum, part, index) =>
        isRaised(this.#samples[index] as CodecSample)
          ? sum
          : sum + (calibrated.weights[index] as number) * part.bytes,
      0,
    )
    const raised = raisedShares(
      places.map((place) => shareOf(parts[place], this.#samples[place] as CodecSample, false)),
      places.map((place) => (this.#samples[place] as CodecSample).data.length),
      places.map((place) => calibrated.weights[place] as number),
      uniqueBytes - rest,
    )
    places.forEach((place, index) => {
      const sample = this.#samples[place] as CodecSample
      const share = raised[index] as number
      const length = Math.min(recordSize ?? sample.fileBytes, sample.fileBytes)
      parts[place] = { bytes: share * sample.data.length, records: (share * sample.data.length) / length }
    })
    return parts
  }
}

/** Whether a record of this size holds more of the file than the sample. */
function isPart(sample: CodecSample, recordSize: number): boolean {
  return recordSize > UNIT_BYTES && sample.fileBytes > UNIT_BYTES
}

function shareOf(part: UniquePart | undefined, sample: CodecSample, ofRecords: boolean): number {
  if (!part) return 0
  if (ofRecords) return part.records
  return sample.data.length > 0 ? part.bytes / sample.data.length : 0
}

/** Records are estimated from a sample of them with about the error of their bytes. */
function recordsOf(level: DedupTotals['blocks'][number]): KnownTotal {
  const { uniqueBlocks, uniqueBytes, low, high } = level
  const part = uniqueBytes > 0 ? uniqueBlocks / uniqueBytes : 0
  return { value: uniqueBlocks, low: Math.round(low * part), high: Math.round(high * part) }
}

function row(
  { codec, recordSize }: VisitedTarget,
  method: Combined['method'],
  sectorBytes: number,
  total: TotalRange,
  entries: KnownTotal,
): Combined {
  return {
    method,
    codec,
    recordSize,
    sectorBytes,
    predictedBytes: Math.round(total.value),
    low: Math.round(total.low),
    high: Math.round(total.high),
    tableEntries: Math.round(entries.value),
    tableEntriesLow: Math.round(entries.low),
    tableEntriesHigh: Math.round(entries.high),
  }
}
