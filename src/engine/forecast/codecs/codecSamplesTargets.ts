import { CODEC_IDS, CODECS, type Codec, type CodecId } from '../../codecs/codecRegistry'

/** How much is spent on codecs. */
export type SampleLevel = 'fast' | 'normal' | 'thorough'

/** One figure to forecast: a codec on whole files, or on records of one size. */
export interface Target {
  readonly codec: Codec
  readonly recordSize: number | null
  /** Its part of the budget, against the others. */
  readonly weight: number
  /** True when it comes before the others, as their covariate. */
  readonly isFirst: boolean
  readonly isShown: boolean
  /** True for samples with nothing before them in their files: only used as covariates. */
  readonly isCold: boolean
  readonly predictor: Predictor | null
  /** Where visits are short, so many are made that they take this long together. */
  readonly leastMs: number
}

/** This target predicted from others, sample by sample. */
interface Predictor {
  /** Their `targetKey`s; the covariates of the first of them serve this one too. */
  readonly on: readonly string[]
  /** From their sizes of a sample, in the order of `on`; right up to a factor that is fitted. */
  readonly expected: (sizes: readonly number[]) => number
}

const KIB = 1024
const ALL_SIZES = [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024].map((size) => size * KIB)
const FEW_SIZES = [4, 16, 128, 1024].map((size) => size * KIB)

/**
 * Slow codecs get more of the budget, though not as much more as they are slower; what hardly
 * differs from its covariates gets little.
 */
const FILE_WEIGHTS: Readonly<Record<CodecId, number>> = {
  'gzip-1': 3,
  'gzip-6': 14,
  'gzip-9': 0.2,
  'zstd-1': 6,
  'zstd-3': 12,
  'zstd-9': 15,
  'zstd-19': 25,
  'zstd-19-long': 0.3,
  lz4: 0.1,
  'lzma2-9': 0.3,
}
/** The work of LZMA also gives the sizes of zstd's ninth level, which cost nothing then. */
const COLD_WEIGHTS = { 'lzma2-9': 30, 'zstd-9': 0.1 } as const
const RECORD_WEIGHTS: Readonly<Partial<Record<CodecId, number>>> = {
  'gzip-1': 0.5,
  'gzip-6': 0.7,
  'gzip-9': 0.1,
  'zstd-3': 0.2,
  lz4: 0.2,
}
/**
 * The least time of a deflate level. On these visits it differs from its covariate, zstd -3, by 4
 * to 16 % (coefficient of variation, four sets), its first level from its sixth by 5 to 8 %, its
 * ninth by 0.4 to 1 %; long records of the first level hardly differ from whole files.
 */
const DEFLATE_LEAST_MS = 60
/** Long records of it use it as their only covariate, and it is quick. */
const FIRST_LEVEL_LEAST_MS = 150
const LEAST_MS = 20

/**
 * Fast codecs at these record sizes see as many samples as time allows before slow ones begin,
 * which use them as covariates: a record size in between differs from what its neighbours on the
 * scale of log2 let expect by much less than samples differ from each other.
 */
const COVARIATE_SIZES: readonly number[] = [4, 16, 128].map((size) => size * KIB)
/**
 * Blocks of SquashFS can change the order of the options and come before records of other sizes,
 * which only ZFS has: that is only forecast.
 */
const BLOCK_SIZES: ReadonlySet<number> = new Set([128 * KIB, 1024 * KIB])
const BLOCK_FACTOR = 3
/** Deflate finds no more in a longer record, zstd does. */
const DEFLATE_BYTES = 128 * KIB
/**
 * Up to this size a record tells half of how deflate differs from zstd, in between three quarters.
 */
const HALF_BYTES = 16 * KIB
/** A ratio of two sizes beyond this is of sizes that are next to nothing. */
const MOST_RATIO = 1.5
/** Records from this size on differ least from whole files. */
const FILE_BYTES = 512 * KIB
/** So large a record would be about as good as a whole file. */
const FILE_LOG2 = 21

/**
 * Fast zstd over all of a file with a window of 128 MiB: not shown, but slow codecs with long
 * windows are compared with it.
 */
export const LONG_QUICK: Codec = { ...CODECS['zstd-3'], windowBytes: CODECS['zstd-19-long'].windowBytes }

/** The name of a target, for others that use it as covariate. */
export function targetKey({
  codec,
  recordSize,
  isCold,
}: Pick<Target, 'codec' | 'recordSize' | 'isCold'>): string {
  if (isCold) return `${codec.id} cold`
  if (codec === LONG_QUICK) return 'long'
  return recordSize === null ? codec.id : `${codec.id}@${recordSize}`
}

/** Everything that is forecast at a level, and its covariates. */
export function targetsOf(level: SampleLevel, withLzma: boolean): Target[] {
  const files = CODEC_IDS.filter((id) => withLzma || id !== 'lzma2-9').map(
    (id): Target => ({
      codec: CODECS[id],
      recordSize: null,
      weight: FILE_WEIGHTS[id],
      isFirst: id === 'zstd-1' || id === 'zstd-3' || id === 'zstd-9' || id === 'gzip-6',
      isShown: true,
      isCold: false,
      predictor: predictorOfFile(id),
      leastMs: leastMsOf(id, null),
    }),
  )
  const long: Target = {
    codec: LONG_QUICK,
    recordSize: null,
    weight: 8,
    isFirst: true,
    isShown: false,
    isCold: false,
    predictor: null,
    leastMs: LEAST_MS,
  }
  const cold = (['lzma2-9', 'zstd-9'] as const).map(
    (id): Target => ({
      codec: CODECS[id],
      recordSize: null,
      weight: COLD_WEIGHTS[id],
      isFirst: false,
      isShown: false,
      isCold: true,
      predictor: predictedBy('zstd-9'),
      leastMs: LEAST_MS,
    }),
  )
  const sizes = level === 'fast' ? FEW_SIZES : ALL_SIZES
  const records = CODEC_IDS.flatMap((id) => {
    const weight = RECORD_WEIGHTS[id]
    if (weight === undefined) return []
    return sizes.map((recordSize): Target => {
      const isFirst = (id === 'lz4' || id === 'zstd-3') && COVARIATE_SIZES.includes(recordSize)
      const predictor = isFirst ? null : predictorOfRecords(id, recordSize)
      const leastMs = leastMsOf(id, recordSize)
      return {
        codec: CODECS[id],
        recordSize,
        weight: BLOCK_SIZES.has(recordSize) ? BLOCK_FACTOR * weight : weight,
        isFirst,
        isShown: true,
        isCold: false,
        predictor,
        leastMs,
      }
    })
  })
  return [...files, long, ...(withLzma ? cold : []), ...records]
}

function leastMsOf(id: CodecId, recordSize: number | null): number {
  if (id === 'gzip-1' && recordSize === null) return FIRST_LEVEL_LEAST_MS
  return id === 'gzip-1' || id === 'gzip-6' ? DEFLATE_LEAST_MS : LEAST_MS
}

function predictorOfFile(id: CodecId): Predictor | null {
  if (id === 'gzip-6') return predictedBy(`zstd-3@${DEFLATE_BYTES}`)
  if (CODECS[id].family === 'deflate') return predictedBy('gzip-6')
  if (id === 'zstd-1' || id === 'zstd-9') return predictedBy('zstd-3')
  if (id === 'zstd-19') return predictedBy('zstd-9')
  if (id === 'lzma2-9') {
    return {
      on: ['zstd-9', 'lzma2-9 cold', 'zstd-9 cold', 'zstd-3', 'long'],
      expected: ([nine = 0, lzma = 0, cold = 0, three = 0, long = 0]) =>
        asCold(nine, lzma, cold) * Math.min(1, boundedRatio(long, three)),
    }
  }
  if (id !== 'zstd-19-long') return null
  // What the nineteenth level makes of it, and as much less as a longer window saves fast zstd.
  return {
    on: ['zstd-19', 'zstd-3', 'long'],
    expected: ([slow = 0, three = 0, long = 0]) => slow * Math.min(1, boundedRatio(long, three)),
  }
}

/**
 * Predicts one codec's size of a sample from another's by their ratio on the sample with nothing
 * before it. The ratio is capped: much less is possible, as repeats may vanish; much more only of
 * next to nothing.
 */
export function asCold(size: number, cold: number, otherCold: number): number {
  return size * Math.min(MOST_RATIO, cold / Math.max(1, otherCold))
}

/** One size over another, 1 where there is next to nothing to compare. */
function boundedRatio(size: number, other: number): number {
  return size > 0 && other > 0 ? Math.min(MOST_RATIO, Math.max(1 / MOST_RATIO, size / other)) : 1
}

function predictedBy(key: string): Predictor {
  return { on: [key], expected: ([size = 0]) => size }
}

/**
 * Records use fast ones of about their size as covariates, deflate's also the ratio of its sixth
 * level to zstd on whole files, and its other levels on the sixth; where records are longer than
 * deflate looks back, on whole files.
 */
function predictorOfRecords(id: CodecId, recordSize: number): Predictor {
  if (id === 'gzip-9') return predictedBy(`gzip-6@${recordSize}`)
  if (id === 'gzip-1' && recordSize >= DEFLATE_BYTES) return predictedBy('gzip-1')
  if (id === 'gzip-1') {
    return {
      on: [`gzip-6@${recordSize}`, 'gzip-1', 'gzip-6'],
      expected: ([size = 0, first = 0, sixth = 0]) => size * Math.sqrt(boundedRatio(first, sixth)),
    }
  }
  if (id !== 'gzip-6') return predictedBySizes(id === 'lz4' ? 'lz4' : 'zstd-3', recordSize)
  if (recordSize >= DEFLATE_BYTES) return predictedBy('gzip-6')
  const quick = predictedBySizes('zstd-3', recordSize)
  const part = recordSize <= HALF_BYTES ? 0.5 : 0.75
  return {
    on: [...quick.on, 'gzip-6', `zstd-3@${DEFLATE_BYTES}`],
    expected: (sizes) => {
      const [sixth = 0, three = 0] = sizes.slice(quick.on.length)
      return quick.expected(sizes) * boundedRatio(sixth, three) ** part
    },
  }
}

/**
 * Between two sizes of quick records the logarithm of the compressed size is about linear in the
 * logarithm of the record size.
 */
function predictedBySizes(quick: 'lz4' | 'zstd-3', recordSize: number): Predictor {
  if (recordSize >= FILE_BYTES) return predictedBy(quick)
  const at = Math.log2(recordSize)
  const upper = COVARIATE_SIZES.find((size) => size >= recordSize)
  const lower = COVARIATE_SIZES.findLast((size) => size <= recordSize)
  if (upper === lower || lower === undefined) return predictedBy(`${quick}@${upper ?? lower}`)
  const from = Math.log2(lower)
  const share = (at - from) / ((upper === undefined ? FILE_LOG2 : Math.log2(upper)) - from)
  return {
    on: [`${quick}@${lower}`, upper === undefined ? quick : `${quick}@${upper}`],
    expected: ([small = 0, large = 0]) =>
      small > 0 && large > 0 ? small ** (1 - share) * large ** share : 0,
  }
}
