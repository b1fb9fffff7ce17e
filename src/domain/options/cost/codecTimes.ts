import { type Estimate, exact } from '../../../primitives/estimate'
import { said } from '../../../primitives/said'
import type { MachineFacts, OptionFacts, SurveyFacts } from '../facts'
import {
  type CompressionRow,
  compressionOf,
  newBytes,
  patternedBytes,
  type SolidRow,
  streamSecondsOf,
} from '../surveyFigures'
import { estimateOf, product, scaled, within } from './estimateParts'
import { type WorkName, workTime } from './rates'

/**
 * How far the rate that small samples gave is from that of a run over everything, as a share: a run
 * has warm tables and long inputs, samples begin anew each time.
 */
const SAMPLED_RATE_ERROR = 0.2
/** Samples are rather slower than a run: of tiny files 0.4 of their time was needed. */
const LEAST_SHARE = 0.5
/**
 * Where gzip itself was timed on samples. Programs with its deflate took 0.6 to 1.9 times as long,
 * the handling of many files and what they save on equal ones in it.
 */
const TOOL_RATE_ERROR = 0.5

/**
 * The CPU time of the real programs relative to the rate on samples: the deflate of gzip and
 * mksquashfs is slower than the one that packs the samples, and zstd -19 searches farther back over
 * whole files (docs/methods/constants.md). `slowest`: the slowest known rate, for samples of some
 * kilobytes, each with its own start. `slower`: the next level, which never takes less time.
 */
const CODECS: Readonly<
  Record<
    string,
    { readonly factor: number; readonly error: number; readonly slowest: WorkName; readonly slower?: string }
  >
> = {
  'gzip-1': { factor: 1.15, error: 0.3, slowest: 'gzip-1.pack', slower: 'gzip-6' },
  'gzip-6': { factor: 2, error: 0.6, slowest: 'gzip-6.pack', slower: 'gzip-9' },
  'gzip-9': { factor: 1.6, error: 0.8, slowest: 'gzip-9.pack' },
  'zstd-1': { factor: 1, error: 0, slowest: 'zstd-1.pack', slower: 'zstd-3' },
  'zstd-3': { factor: 1, error: 0, slowest: 'zstd-3.pack', slower: 'zstd-19' },
  'zstd-19': { factor: 1, error: 1.2, slowest: 'zstd-19.pack' },
  lz4: { factor: 1, error: 0, slowest: 'lz4.pack' },
}

/**
 * Seconds of one core for packing so many bytes by a codec at the rate of its samples: deflate's of
 * that length, whose rate goes by what it packs, and the fastest of any length for others, as what
 * slowed the rest down was not the codec. Null where it was not sampled. A level takes at most what
 * the next slower one does.
 * @param recordBytes null for whole files
 */
export function packWork(
  bytes: number,
  codec: string,
  recordBytes: number | null,
  facts: OptionFacts,
  what: string,
): Estimate | null {
  const own = sampledWork(bytes, codec, recordBytes, facts, what)
  const slowerCodec = CODECS[codec]?.slower
  const slower = slowerCodec === undefined ? null : packWork(bytes, slowerCodec, recordBytes, facts, what)
  return own !== null && slower !== null && slower.value < own.value ? slower : own
}

function sampledWork(
  bytes: number,
  codec: string,
  recordBytes: number | null,
  { survey, machine }: OptionFacts,
  what: string,
): Estimate | null {
  const rates = survey.compression.flatMap((row) =>
    row.codec === codec && (!codec.startsWith('gzip') || row.recordSize === recordBytes)
      ? [row.bytesPerSecond]
      : [],
  )
  const known = CODECS[codec]
  if (!known || rates.length === 0) return null
  if (bytes === 0) return within(0, 0, 'exact', said`nothing to pack`)
  const row = compressionOf(survey, codec, recordBytes) ?? compressionOf(survey, codec, null)
  if (row?.toolBytesPerSecond !== undefined) {
    const basis = said`${what} at the rate of gzip itself on samples of this source`
    return within(bytes / row.toolBytesPerSecond, TOOL_RATE_ERROR, 'modelled', basis)
  }
  const slowest = workTime(known.slowest, { byte: bytes }, machine)
  const seconds = bytes / Math.max(0, ...rates)
  if (slowest.value < seconds) {
    const patterned = workTime(known.slowest, { byte: Math.min(bytes, patternedBytes(survey)) }, machine)
    return { ...patterned, basis: said`${what}: ${patterned.basis}` }
  }
  const value = seconds * known.factor
  return estimateOf(
    { value, low: value * LEAST_SHARE, high: value * (1 + Math.hypot(2 * SAMPLED_RATE_ERROR, known.error)) },
    'modelled',
    said`${what} at the rate of the codec on samples of this source`,
  )
}

/** Seconds of one core for unpacking so many bytes of what comes out. */
export function unpackWork(
  bytes: number,
  codec: string,
  row: CompressionRow | undefined,
  machine: MachineFacts,
): Estimate {
  const measured = row?.unpackBytesPerSecond
  if (measured !== undefined && measured > 0) {
    const basis = said`unpacking at the rate measured on samples`
    return within(bytes / measured, SAMPLED_RATE_ERROR, 'modelled', basis)
  }
  const known = (['lz4', 'zstd', 'gzip'] as const).find((prefix) => codec.startsWith(prefix))
  return known ? workTime(`${known}.unpack`, { byte: bytes }, machine) : exact(0, said`nothing is compressed`)
}

/** Inflated chunks that hold stored blocks take about half as long. */
const STORED_RATIO = 0.99

/** Seconds of one core for unpacking zlib to so many bytes. */
export function inflateWork(bytes: number, ratio: number, machine: MachineFacts): Estimate {
  return workTime('zlib.unpack', { byte: ratio < STORED_RATIO ? bytes : bytes / 2 }, machine)
}

const MIB = 1024 * 1024
/** The windows that rates of streams are known for. */
const WINDOWS = [
  ['64k', MIB / 16],
  ['1m', MIB],
  ['4m', 4 * MIB],
  ['16m', 16 * MIB],
  ['64m', 64 * MIB],
  ['256m', 256 * MIB],
] as const
/** Seconds a byte of the survey's short streams where the rates were measured. */
const STREAM_SECONDS = { 'lzma2-9': 0.24e-6, 'zstd-19-long': 0.32e-6 } as const
/**
 * How much the survey's short streams say about long ones: the exponent of the ratio between their
 * time here and where the rates were measured.
 */
const STREAM_WEIGHT = { 'lzma2-9': 0.4, 'zstd-19-long': 0.25 } as const

/** The further error where the survey could not time the codec. */
const UNTIMED_ERROR = 0.5

/** The bytes of a source that do not repeat in a window, and those in zeros and the like. */
interface Stream {
  readonly newBytes: number
  readonly zeroBytes: number
  /** The bytes that the window holds at most. */
  readonly window: number
}

/** Seconds of one core for packing all of the source by 7-Zip or zstd at their best levels. */
export function streamWork(
  survey: SurveyFacts,
  codec: keyof typeof STREAM_SECONDS,
  { newBytes: newByte, zeroBytes: zeroByte, window }: Stream,
  machine: MachineFacts,
): Estimate {
  const away = (bytes: number): number => Math.abs(Math.log2(Math.max(1, window) / bytes))
  const size = WINDOWS.reduce((near, one) => (away(one[1]) < away(near[1]) ? one : near))[0]
  const { bytes, files } = survey.totals
  const repeatedByte = Math.max(0, bytes - newByte - zeroByte)
  const known = workTime(`${codec}.${size}`, { newByte, repeatedByte, zeroByte, file: files }, machine)
  const stream = streamSecondsOf(survey, codec)
  if (stream === null) {
    return product(known, within(1, UNTIMED_ERROR, 'assumed', known.basis), known.basis)
  }
  const content = (stream / STREAM_SECONDS[codec]) * (machine.pace ?? 1)
  const basis = said`${known.basis}, and on samples of this source`
  return { ...scaled(known, content ** STREAM_WEIGHT[codec], basis), provenance: 'modelled' }
}

/** The same for one solid archive by 7-Zip. */
export function solidWork(
  survey: SurveyFacts,
  dictionaryBytes: number,
  order: string,
  machine: MachineFacts,
): Estimate {
  const rows = survey.solid.filter((row) => row.codec === 'lzma2-9' && row.order === order)
  const patterned = patternedBytes(survey)
  const fresh = newBytes(survey)
  // Where repeats were not counted, half of them are taken to be far away.
  const uncounted = {
    newBytes: order === 'content' ? fresh : (fresh + patterned) / 2,
    zeroBytes: survey.totals.bytes - patterned,
  }
  const window = Math.min(dictionaryBytes, survey.totals.bytes)
  return streamWork(survey, 'lzma2-9', { ...(countedNear(rows) ?? uncounted), window }, machine)
}

/**
 * The bytes that the smallest dictionary does not find again, for repeats farther away take 7-Zip
 * about as long as new bytes (docs/methods/constants.md). Null where repeats were not counted.
 */
export function countedNear(
  rows: readonly Pick<SolidRow, 'dictionaryBytes' | 'reuse'>[],
): Omit<Stream, 'window'> | null {
  const counted = rows.filter(({ reuse }) => reuse !== undefined)
  const [near] = counted.toSorted((one, other) => one.dictionaryBytes - other.dictionaryBytes)
  return near?.reuse ? { newBytes: near.reuse.novelBytes, zeroBytes: near.reuse.quietBytes } : null
}
