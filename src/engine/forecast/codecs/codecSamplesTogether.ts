import type { Combined } from '../../../contract/dto/survey'
import {
  calibratedOnUnique,
  raisedShares,
  spanAbout,
  storedAtMost,
  type UniqueMeasure,
  type UniquePart,
  uniquePart,
  uniqueTotal,
} from '../../../domain/forecast/combined'
import { storedRecordBytes, zfsRecordBytes } from '../../../domain/forecast/recordModel'
import { SMALL_FILE_BYTES, type SmallFile, smallFilesTotal } from '../../../domain/forecast/smallFiles'
import type { Observation } from '../../../domain/statistics/estimateTotal'
import type { CalibratedSample } from '../../../domain/statistics/strata'
import type { Span } from '../../../primitives/estimate'
import type { CodecId } from '../../codecs/codecRegistry'
import type { Pause } from '../../jobs/slowly'
import type { VisitedTarget } from './codecSamplesFigures'
import { type MeasuredRecord, UNIT_BYTES } from './codecSamplesMeter'
import type { CodecSample } from './codecSamplesUnits'

/**
 * The exact counts of the pass, or the estimates of its tables: the frame of all forecasts of
 * deduplication.
 */
export interface DedupTotals {
  readonly bytes: number
  readonly files: number
  readonly blocks: readonly {
    readonly blockSize: number
    readonly uniqueBlocks: number
    readonly uniqueBytes: number
    readonly low: number
    readonly high: number
    readonly zeroBytes: number
  }[]
  /** The further copies of files: their number and bytes. */
  readonly duplicates: { readonly files: number; readonly bytes: number }
  /**
   * Different files of at least one byte below a power of two; absent where they were not counted.
   */
  readonly distinctBelow?: (below: number) => { readonly count: number }
}

/** Stores that deduplicate take these; the others' records are forecast without. */
const CODECS_TOGETHER: ReadonlySet<CodecId> = new Set<CodecId>(['lz4', 'zstd-3', 'gzip-6', 'gzip-9'])
const ZFS_SECTORS = [
  { sectorBytes: 512, ashift: 9 },
  { sectorBytes: 4096, ashift: 12 },
] as const

/** About what stores put around a short record, beyond what a cheap codec made of it. */
const WRAPPING_BYTES = 10
/**
 * The share of records that may have an entry, or none, against the samples: those that differ only
 * by zeros behind them, and rare patterns (8,000 tiny files had up to 1.3 % more entries than were
 * forecast).
 */
const UNSEEN_SHARE = 0.015

/**
 * Few visits show no short file that takes another sector than a cheap codec lets expect: of 14,887
 * icons forecasts were 0.03 to 0.09 % off.
 */
const RARE_SHARE = 0.001

/** The unique part of everything in records of one size, or in files. */
interface Frame {
  readonly parts: readonly UniquePart[]
  readonly known: Span
  readonly entries: Span
  readonly sample: CalibratedSample
  /** For each unit; none for files. */
  readonly supposed: readonly Supposed[]
}

/**
 * `part`: longer than what was sampled of it, so it is stored unless all of it is zeros. `small`:
 * all of a short file, whose number is known.
 */
type RecordKind = 'plain' | 'part' | 'small'

/** Equal records, predicted from a fast codec. */
interface RecordSizes {
  readonly count: number
  readonly kind: RecordKind
  readonly bytes: number
  readonly zfsLength: number
  readonly compressedBytes: number
}

/**
 * A unit's records, to be filled with what a codec is supposed to make of each: that of the unit
 * times the scale.
 */
interface Supposed {
  readonly scale: number
  readonly record: RecordSizes & { compressedBytes: number }
}

/**
 * Forecasts compression and deduplication together from what was measured for compression alone.
 */
export class Deduplicating {
  readonly #samples: readonly CodecSample[]
  readonly #totals: DedupTotals
  /** By record size: every codec's weights are the same. */
  readonly #frames = new Map<number | null, Frame | null>()

  constructor(samples: readonly CodecSample[], totals: DedupTotals) {
    this.#samples = samples
    this.#totals = totals
  }

  /**
   * Nothing if the codec is none that such stores use, or no copies are known.
   * @param pause between totals, of which each takes a tenth of a second with many samples
   */
  async forecast(target: VisitedTarget, pause: Pause): Promise<Combined[]> {
    const { recordSize } = target
    if (recordSize !== null && !CODECS_TOGETHER.has(target.codec)) return []
    const frame = this.#frame(recordSize, target.calibrated)
    if (!frame) return []
    if (recordSize === null) return [this.#files(target, frame)]
    const total = async (
      expected: (sizes: RecordSizes) => number,
      measure: (record: MeasuredRecord, part: number, kind: RecordKind) => number,
    ): Promise<Span> => {
      await pause()
      return this.#total(target, frame, recordSize, expected, measure)
    }
    const raw = await total(
      ({ count, bytes, compressedBytes }) => count * Math.min(bytes, compressedBytes),
      (record) => record.rawBytes,
    )
    const without = await total(
      (sizes) => (sizes.kind === 'plain' && zfsBytes(sizes, 9) === 0 ? sizes.count : 0),
      (record, part, kind) => (kind === 'plain' && record.zfsBytes[0] === 0 ? part : 0),
    )
    const entries = this.#entries(target, frame, without, recordSize)
    const rows = [row(target, 'deduplicate-compress', 1, storedAtMost(raw, frame.known), frame.entries)]
    for (const [index, { sectorBytes, ashift }] of ZFS_SECTORS.entries()) {
      const large = await total(
        (sizes) => (sizes.kind === 'small' ? 0 : sizes.count * zfsBytes(sizes, ashift)),
        (record, _, kind) => (kind === 'small' ? 0 : record.zfsBytes[index as 0 | 1]),
      )
      const small = this.#smallFiles(target, frame, recordSize, ashift, (bytes) => bytes)
      const value = large.value + small.value
      const rare = target.visits.length < this.#samples.length ? RARE_SHARE * value : 0
      const stored = spanAbout(
        value,
        [large.value - large.low, small.value - small.low, rare],
        [large.high - large.value, small.high - small.value, rare],
      )
      rows.push(row(target, 'zfs', sectorBytes, stored, entries))
    }
    return rows
  }

  /**
   * The entries of all different records. Records of which ZFS keeps nothing have none: holes, and
   * those that fit into a block pointer.
   */
  #entries(target: VisitedTarget, frame: Frame, without: Span, recordSize: number): Span {
    const { entries } = frame
    const small = this.#smallFiles(target, frame, recordSize, 9, (bytes) => Math.min(1, bytes))
    const level = this.#totals.blocks.find((one) => one.blockSize === recordSize)
    const holes = recordSize > UNIT_BYTES && (level?.zeroBytes ?? 0) >= recordSize ? 1 : 0
    const apart = holes + (this.#totals.distinctBelow?.(SMALL_FILE_BYTES).count ?? 0)
    const unseen = UNSEEN_SHARE * entries.value
    return {
      value: Math.max(0, entries.value - apart - without.value + small.value),
      low: Math.max(0, entries.low - apart - without.high + small.low - unseen),
      // What is a file and also the end of a longer one, filled up with zeros there, is two records.
      high: Math.max(0, entries.high - apart - without.low + small.high + unseen),
    }
  }

  /**
   * A sum over different short files of what is asked of the bytes that ZFS allocates for each: as
   * a cheap codec lets expect, and as far off as that was where the codec in question was run.
   */
  #smallFiles(
    { visits, calibrated }: VisitedTarget,
    { parts }: Frame,
    recordSize: number,
    ashift: 9 | 12,
    valueOf: (bytes: number) => number,
  ): Span {
    const { distinctBelow } = this.#totals
    if (!distinctBelow) return certain(0)
    const visited = new Map(visits.map((visit) => [visit.unit, visit]))
    const supposed = (bytes: number, compressedBytes: number): number => {
      const zfsLength = zfsRecordBytes(bytes, recordSize)
      return zfsBytes({ count: 1, kind: 'small', bytes, zfsLength, compressedBytes }, ashift)
    }
    const seen = this.#samples.flatMap((sample, index): SmallFile[] => {
      if (this.#kindOf(sample, recordSize) !== 'small') return []
      const bytes = sample.fileBytes
      const cheap = (calibrated.units[index]?.covariates[0] ?? 0) + WRAPPING_BYTES
      const visit = visited.get(index)
      const known = visit?.records[0]?.zfsBytes[ashift === 9 ? 0 : 1]
      // Each content counts once, however many files have it.
      const weight = (calibrated.weights[index] as number) * shareOf(parts[index], sample)
      const found =
        visit === undefined || known === undefined
          ? null
          : { value: valueOf(known), probability: visit.probability }
      return [{ bytes, weight, supposed: valueOf(supposed(bytes, cheap)), found }]
    })
    return smallFilesTotal(distinctBelow, seen, (bytes) => valueOf(supposed(bytes, bytes)))
  }

  #kindOf(sample: CodecSample, recordSize: number): RecordKind {
    if (isPart(sample, recordSize)) return 'part'
    const isCounted = this.#totals.distinctBelow !== undefined && sample.fileBytes < SMALL_FILE_BYTES
    return isCounted && sample.fileBytes <= recordSize ? 'small' : 'plain'
  }

  #total(
    target: VisitedTarget,
    frame: Frame,
    recordSize: number,
    expected: (sizes: RecordSizes) => number,
    measure: (record: MeasuredRecord, part: number, kind: RecordKind) => number,
  ): Span {
    const observations = target.visits.map(({ unit, probability, records }) => {
      const sample = this.#samples[unit] as CodecSample
      const copies = isPart(sample, recordSize) ? null : sample.copies?.get(recordSize)
      const unique = frame.parts[unit] as UniquePart
      const part = copies ? 1 : sample.data.length / Math.min(recordSize, sample.fileBytes)
      let sum = 0
      const kind = this.#kindOf(sample, recordSize)
      records.forEach((record, index) => {
        const count = copies?.[index] ?? 0
        // Of a record that is longer than the sample what was measured is the sample's part already.
        if (!copies) sum += measure(record, part, kind) * shareOf(unique, sample)
        else if (count > 0) sum += measure(record, 1, kind) / count
      })
      return { unit, probability, compressedBytes: sum }
    })
    const suppose = (index: number, size: number): number => {
      const { scale, record } = frame.supposed[index] as Supposed
      record.compressedBytes = size * scale
      return expected(record)
    }
    return uniqueTotal(frame.sample, measureOf(target, observations, suppose), frame.known)
  }

  #files(target: VisitedTarget, frame: Frame): Combined {
    const { files } = this.#totals
    const observations = target.visits.map(({ unit, probability, compressedBytes }) => ({
      unit,
      probability,
      compressedBytes: compressedBytes * shareOf(frame.parts[unit], this.#samples[unit] as CodecSample),
    }))
    const suppose = (index: number, size: number): number =>
      size * shareOf(frame.parts[index], this.#samples[index] as CodecSample)
    const total = uniqueTotal(frame.sample, measureOf(target, observations, suppose), frame.known)
    const overhead = files > 0 ? (target.overheadBytes * frame.entries.value) / files : 0
    const whole = (value: number): number => value * target.factor + overhead
    const found = { value: whole(total.value), low: whole(total.low), high: whole(total.high) }
    const known = { ...frame.known, high: frame.known.high + overhead }
    return row(target, 'compress-deduplicate', 1, storedAtMost(found, known), frame.entries)
  }

  #frame(recordSize: number | null, calibrated: CalibratedSample): Frame | null {
    const known = this.#frames.get(recordSize)
    if (known !== undefined) return known
    const frame = this.#newFrame(recordSize, calibrated)
    this.#frames.set(recordSize, frame)
    return frame
  }

  /** Null if nothing is known of copies, or of blocks of this size. */
  #newFrame(recordSize: number | null, calibrated: CalibratedSample): Frame | null {
    const { bytes, files, duplicates, blocks } = this.#totals
    const level = blocks.find((one) => one.blockSize === recordSize)
    if (recordSize !== null && !level) return null
    const kept = bytes - duplicates.bytes
    const distinct = files - duplicates.files
    const known = level ? { value: level.uniqueBytes, low: level.low, high: level.high } : certain(kept)
    const entries = level ? recordsOf(level) : certain(distinct)
    const parts = this.#uniqueParts(recordSize, calibrated)
    if (!parts.some((part) => part.bytes > 0)) return null
    const totals = { bytes: known.value, records: entries.value }
    const sample = calibratedOnUnique(calibrated, parts, totals)
    const supposed =
      recordSize === null ? [] : parts.map(({ records }, index) => this.#supposed(recordSize, index, records))
    return { parts, known, entries, sample, supposed }
  }

  #supposed(recordSize: number, index: number, count: number): Supposed {
    const sample = this.#samples[index] as CodecSample
    const bytes = Math.min(recordSize, sample.fileBytes)
    const part = bytes / Math.max(1, sample.data.length)
    const zfsLength = zfsRecordBytes(sample.fileBytes, recordSize)
    const kind = this.#kindOf(sample, recordSize)
    return {
      scale: isPart(sample, recordSize) ? part : Math.min(1, part),
      record: { count, kind, bytes, zfsLength, compressedBytes: 0 },
    }
  }

  #uniqueParts(recordSize: number | null, calibrated: CalibratedSample): UniquePart[] {
    return recordSize === null ? this.#fileParts(calibrated) : this.#recordParts(recordSize, calibrated)
  }

  #recordParts(recordSize: number, calibrated: CalibratedSample): UniquePart[] {
    const whole = this.#totals.blocks.find((one) => one.blockSize === recordSize)?.uniqueBytes ?? 0
    return this.#partsOf(calibrated, whole, (sample) => isPart(sample, recordSize), recordSize)
  }

  /**
   * A file in one unit repeats as often as its only block of the unit's size; of longer files the
   * blocks tell, raised to fit.
   */
  #fileParts(calibrated: CalibratedSample): UniquePart[] {
    const { bytes, duplicates } = this.#totals
    return this.#partsOf(
      calibrated,
      bytes - duplicates.bytes,
      (sample) => sample.fileBytes > UNIT_BYTES,
      null,
    )
  }

  #partsOf(
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
      places.map((place) => shareOf(parts[place], this.#samples[place] as CodecSample)),
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

/** The expected size of the units' unique parts, from fast codecs' sizes of the whole units. */
function measureOf(
  { calibrated, covariates, systematicShare }: VisitedTarget,
  observations: readonly Observation[],
  suppose: (unit: number, size: number) => number,
): UniqueMeasure {
  return {
    expected: calibrated.units.map((unit, index) => unit.covariates.map((size) => suppose(index, size))),
    covariates: covariates.map(({ units, expected }) => ({
      units,
      expected: expected.map((size, place) => suppose(units[place]?.unit ?? 0, size)),
    })),
    observations,
    systematicShare,
  }
}

/** True when a record of this size holds more of the file than the sample. */
function isPart(sample: CodecSample, recordSize: number): boolean {
  return recordSize > UNIT_BYTES && sample.fileBytes > UNIT_BYTES
}

function shareOf(part: UniquePart | undefined, sample: CodecSample): number {
  return part && sample.data.length > 0 ? part.bytes / sample.data.length : 0
}

function zfsBytes({ zfsLength, compressedBytes }: RecordSizes, ashift: number): number {
  return storedRecordBytes({ bytes: zfsLength, compressedBytes, allZero: false }, { kind: 'zfs', ashift })
}

function certain(value: number): Span {
  return { value, low: value, high: value }
}

/** Records are estimated from a sample of them with about the error of their bytes. */
function recordsOf(level: DedupTotals['blocks'][number]): Span {
  const { uniqueBlocks, uniqueBytes, low, high } = level
  const part = uniqueBytes > 0 ? uniqueBlocks / uniqueBytes : 0
  return { value: uniqueBlocks, low: Math.round(low * part), high: Math.round(high * part) }
}

function row(
  { codec, recordSize }: VisitedTarget,
  method: Combined['method'],
  sectorBytes: number,
  total: Span,
  entries: Span,
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
