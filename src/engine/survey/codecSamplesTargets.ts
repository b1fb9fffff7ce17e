import { CODEC_IDS, CODECS, type Codec, type CodecId } from '../codecs/codecRegistry'

/** How much is spent on codecs. */
export type SampleLevel = 'fast' | 'normal' | 'thorough'

/** One figure to forecast: a codec on whole files, or on records of one size. */
export interface Target {
  readonly codec: Codec
  readonly recordSize: number | null
  /** Its part of the budget, against the others. */
  readonly weight: number
  /** Whether it comes before the others, for them to lean on. */
  readonly isFirst: boolean
  readonly isShown: boolean
  readonly lean: Lean | null
}

/** What other targets let expect of this one, sample by sample. */
export interface Lean {
  /** Their `targetKey`s. */
  readonly on: readonly string[]
  /** From their sizes of a sample, in the order of `on`; right up to a factor that is fitted. */
  readonly expected: (sizes: readonly number[]) => number
}

const KIB = 1024
const ALL_SIZES = [4, 8, 16, 32, 64, 128, 256, 512, 1024].map((size) => size * KIB)
const FEW_SIZES = [4, 16, 128, 1024].map((size) => size * KIB)

/** Slow codecs get more of the budget, though not as much more as they are slower. */
const FILE_WEIGHTS: Readonly<Record<CodecId, number>> = {
  'gzip-1': 0.9,
  'gzip-6': 0.8,
  'gzip-9': 0.4,
  'zstd-1': 6,
  'zstd-3': 8,
  'zstd-9': 30,
  'zstd-19': 12,
  'zstd-19-long': 0.3,
  lz4: 0.1,
  'lzma2-9': 12,
}
const RECORD_WEIGHTS: Readonly<Partial<Record<CodecId, number>>> = {
  'gzip-1': 0.5,
  'gzip-6': 0.3,
  'gzip-9': 0.2,
  'zstd-3': 0.2,
  lz4: 0.2,
}

/**
 * Quick codecs at these record sizes see as many samples as time allows before dear ones begin, which lean on them: a record size in
 * between differs from what its neighbours on the scale of log2 let expect by much less than samples differ from each other.
 */
const LEANT_ON_SIZES: Readonly<Record<'lz4' | 'zstd-3', readonly number[]>> = {
  lz4: [4, 16, 128].map((size) => size * KIB),
  'zstd-3': [4, 16, 128, 1024].map((size) => size * KIB),
}
/** Deflate finds no more in a longer record, zstd does. */
const DEFLATE_BYTES = 128 * KIB
/** So large a record would be about as good as a whole file. */
const FILE_LOG2 = 21

/** Quick zstd over all of a file with a window of 128 MiB: not shown, but dear codecs with long windows are compared with it. */
export const LONG_QUICK: Codec = { ...CODECS['zstd-3'], windowBytes: CODECS['zstd-19-long'].windowBytes }

/** The name of a target, for others to lean on. */
export function targetKey({ codec, recordSize }: Pick<Target, 'codec' | 'recordSize'>): string {
  if (codec === LONG_QUICK) return 'long'
  return recordSize === null ? codec.id : `${codec.id}@${recordSize}`
}

/** Everything that is forecast at a level, and what it leans on. */
export function targetsOf(level: SampleLevel, withLzma: boolean): Target[] {
  const files = CODEC_IDS.filter((id) => withLzma || id !== 'lzma2-9').map(
    (id): Target => ({
      codec: CODECS[id],
      recordSize: null,
      weight: FILE_WEIGHTS[id],
      isFirst: id === 'zstd-1' || id === 'zstd-3' || id === 'zstd-9',
      isShown: true,
      lean: leanOfFile(id),
    }),
  )
  const long: Target = {
    codec: LONG_QUICK,
    recordSize: null,
    weight: 8,
    isFirst: true,
    isShown: false,
    lean: null,
  }
  const sizes = level === 'fast' ? FEW_SIZES : ALL_SIZES
  const records = CODEC_IDS.flatMap((id) => {
    const weight = RECORD_WEIGHTS[id]
    if (weight === undefined) return []
    return sizes.map((recordSize): Target => {
      const isFirst = (id === 'lz4' || id === 'zstd-3') && LEANT_ON_SIZES[id].includes(recordSize)
      const lean = isFirst ? null : leanOfRecords(id, recordSize)
      const more = isFirst ? 15 : 1
      return { codec: CODECS[id], recordSize, weight: weight * more, isFirst, isShown: true, lean }
    })
  })
  return [...files, long, ...records]
}

function leanOfFile(id: CodecId): Lean | null {
  if (CODECS[id].family === 'deflate') return leanOn(`zstd-3@${128 * KIB}`)
  if (id === 'zstd-1' || id === 'zstd-9') return leanOn('zstd-3')
  if (id === 'zstd-19') return leanOn('zstd-9')
  if (id !== 'zstd-19-long' && id !== 'lzma2-9') return null
  // What the ninth level makes of it, and as much less as a longer window saves quick zstd.
  return {
    on: ['zstd-9', 'zstd-3', 'long'],
    expected: ([nine = 0, three = 0, long = 0]) => (three > 0 ? nine * Math.min(1, long / three) : nine),
  }
}

function leanOn(key: string): Lean {
  return { on: [key], expected: ([size = 0]) => size }
}

function leanOfRecords(id: CodecId, recordSize: number): Lean {
  const quick = id === 'lz4' ? 'lz4' : 'zstd-3'
  const at = Math.log2(recordSize)
  const sizes = LEANT_ON_SIZES[quick].filter((size) => quick === id || size <= DEFLATE_BYTES)
  const upper = sizes.find((size) => size >= recordSize)
  const lower = sizes.findLast((size) => size <= recordSize)
  if (upper === lower || lower === undefined) return leanOn(`${quick}@${upper ?? lower}`)
  if (upper === undefined && quick !== id) return leanOn(`${quick}@${lower}`)
  const from = Math.log2(lower)
  const share = (at - from) / ((upper === undefined ? FILE_LOG2 : Math.log2(upper)) - from)
  return {
    on: [`${quick}@${lower}`, upper === undefined ? quick : `${quick}@${upper}`],
    expected: ([small = 0, large = 0]) =>
      small > 0 && large > 0 ? small ** (1 - share) * large ** share : 0,
  }
}
