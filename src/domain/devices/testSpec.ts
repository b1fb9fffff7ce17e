/**
 * The room `devices` has the rules of measurements: tests, their steps, and figures of samples.
 * How: a specification gives the same steps each time (`runPlan`); fits and marks of samples come
 * from `statistics`.
 * Not here: carrying out the steps (`src/engine/devices`).
 */

import { z } from 'zod'
import { parseSize } from '../../primitives/bytes'
import { said } from '../../primitives/said'
import { bytesSchema, countSchema, idSchema } from '../scalars'
import { MEASURED_CODECS, TEST_OPERATIONS } from './testWords'

/** A size as a number of bytes or as people write it: `2MB` (10^6), `64KiB`. */
const writtenSizeSchema = z
  .union([bytesSchema, z.string()], { error: 'not a size (write for example 2MB, 64KiB or 4096)' })
  .transform((given, context) => {
    if (typeof given === 'number') return given
    try {
      return parseSize(given)
    } catch {
      context.addIssue(`not a size: "${given}" (write for example 2MB, 64KiB or 4096)`)
      return z.NEVER
    }
  })

const MS_OF_UNIT: Readonly<Record<string, number>> = { ms: 1, s: 1000, min: 60_000 }
const LONGEST_REST_MS = 3_600_000

/** A duration in milliseconds, or as people write it: `500ms`, `10s`, `2min`. At most an hour. */
const writtenDurationSchema = z
  .union([z.number(), z.string()], { error: 'not a duration (write for example 500ms, 10s or 2min)' })
  .transform((given, context) => {
    const match = /^\s*(\d+(?:\.\d+)?)\s*(ms|s|min)\s*$/.exec(String(given))
    const ms = typeof given === 'number' ? given : Number(match?.[1]) * (MS_OF_UNIT[match?.[2] ?? ''] ?? 1)
    if (!(ms >= 0 && ms <= LONGEST_REST_MS)) {
      context.addIssue(`not a duration: "${given}" (write for example 500ms, 10s or 2min; at most 60min)`)
      return z.NEVER
    }
    return Math.round(ms)
  })

/** Files of one test, at most; more tell nothing more and weigh on the result. */
export const MOST_FILES = 20_000
const fileCountSchema = z.number().int().min(1).max(MOST_FILES)
const atLeastOneByte = writtenSizeSchema.refine((size) => size > 0, 'a file has at least 1 byte')

/** Requests in flight at once, at most. */
export const MOST_DEPTH = 64

/** No device takes parts of these. */
const SECTOR_BYTES = 512
const MOST_REQUEST_BYTES = 64 * 1024 * 1024
/** Bytes of one request. */
const requestBytesSchema = atLeastOneByte.refine(
  (size) => size <= MOST_REQUEST_BYTES,
  'one request moves at most 64 MiB',
)

/**
 * One of several forms, chosen by what is written and not by which of them complains least: its
 * complaints are then about what the person meant.
 */
function formOf<F extends z.ZodType>(choose: (given: unknown) => F): z.ZodType<z.output<F>, z.input<F>> {
  return z.custom<z.input<F>>().transform((given, context): z.output<F> => {
    const parsed = choose(given).safeParse(given)
    if (parsed.success) return parsed.data
    for (const issue of parsed.error.issues) {
      context.issues.push({ ...issue, input: given } as z.core.$ZodRawIssue)
    }
    return z.NEVER
  })
}

const countedSizeSchema = z.strictObject({ size: atLeastOneByte, count: fileCountSchema.default(1) })
const listedSizeSchema = formOf<typeof countedSizeSchema | typeof atLeastOneByte>((given) =>
  typeof given === 'object' ? countedSizeSchema : atLeastOneByte,
)
const listedSizesSchema = z.array(listedSizeSchema).min(1).max(MOST_FILES)
export type ListedSizes = z.infer<typeof listedSizesSchema>

/**
 * Sizes drawn between two limits. `total`: what they add up to; it bends the distribution, not the
 * limits.
 */
const drawnSizesSchema = z
  .strictObject({
    from: atLeastOneByte,
    to: atLeastOneByte,
    count: fileCountSchema,
    distribution: z.enum(['log-uniform', 'uniform']).default('log-uniform'),
    total: atLeastOneByte.optional(),
  })
  .refine(({ from, to }) => from <= to, { error: '"from" is larger than "to"', path: ['from'] })
  .refine(
    ({ from, to, count, total }) => total === undefined || (total >= from * count && total <= to * count),
    { error: 'this many files between "from" and "to" cannot have this total', path: ['total'] },
  )
export type DrawnSizes = z.infer<typeof drawnSizesSchema>

/**
 * Sizes as a histogram has them: `[from, to, files]` a bin; `survey` says whose histogram it is.
 */
const histogramSizesSchema = z.strictObject({
  survey: idSchema.optional(),
  histogram: z
    .array(z.tuple([writtenSizeSchema, writtenSizeSchema, countSchema]))
    .min(1)
    .max(64)
    .optional(),
  count: fileCountSchema.default(200),
  /** Larger files are written at this size. */
  largest: atLeastOneByte.optional(),
})
export type HistogramSizes = z.infer<typeof histogramSizesSchema>

const HISTOGRAM_KEYS = ['survey', 'histogram', 'largest']

/** A list of sizes, or limits between which they are drawn, or whose survey they are like. */
const testSizesSchema = formOf<
  typeof listedSizesSchema | typeof drawnSizesSchema | typeof histogramSizesSchema
>((given) => {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return listedSizesSchema
  return HISTOGRAM_KEYS.some((key) => key in given) ? histogramSizesSchema : drawnSizesSchema
})
export type TestSizes = z.infer<typeof testSizesSchema>

export const mixedOperationSchema = z.enum(TEST_OPERATIONS)
export type MixedOperation = z.infer<typeof mixedOperationSchema>

/** `compress`: each file is read, compressed with the specification's codec and written. */
const specOperationSchema = z.enum([...TEST_OPERATIONS, 'compress'])
export type TestOperation = z.infer<typeof specOperationSchema>

export const measuredCodecSchema = z.enum(MEASURED_CODECS)
export type MeasuredCodec = z.infer<typeof measuredCodecSchema>

const testSchema = z.strictObject({
  /** The name of the report's row. */
  name: z.string().min(1).max(80).optional(),
  sizes: testSizesSchema,
  /**
   * The operations on the files, in this order; the first must make them (`write`) unless the run
   * is read-only.
   */
  operations: z.array(specOperationSchema).min(1).max(9).default(['write', 'read']),
  /**
   * `random`: in an order drawn from the seed, the same for every operation; `listed`: in the order
   * of the sizes given.
   */
  order: z.enum(['random', 'listed']).default('random'),
  /** How often the operations are gone through, each time with fresh files. */
  repeat: z.number().int().min(1).max(1000).default(1),
  /** How long to wait between writing and reading back. */
  rest: writtenDurationSchema.default(0),
  /** The number and size of the accesses of `randomRead` and `randomWrite`. */
  accesses: z.number().int().min(1).max(100_000).default(1000),
  accessSize: requestBytesSchema.default(4096),
})
export type Test = z.infer<typeof testSchema>

/**
 * A test specification: what is written and read where, in which order and how. The same schema
 * reads what a person writes (sizes as `2MB`) and what is stored (numbers only).
 */
export const testSpecSchema = z
  .strictObject({
    name: z.string().min(1).max(80).default('Own specification'),
    /** Draws sizes, orders and the data: the same seed gives the same run. */
    seed: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(1),
    cache: z.enum(['uncached', 'buffered']).default('uncached'),
    /** Buffered reads may come from the cache: what lies in it is not thrown out before. */
    keepCache: z.boolean().default(false),
    /**
     * When written data is forced to the device: never, within each file's time, or once after all
     * of a test's files.
     */
    flush: z.enum(['none', 'each', 'end']).default('none'),
    preallocate: z.boolean().default(false),
    /** The codec of `compress`. */
    codec: measuredCodecSchema.optional(),
    /** Requests in flight at once. */
    concurrency: z.number().int().min(1).max(MOST_DEPTH).default(1),
    /** Bytes of one request of a sequential transfer. */
    requestSize: requestBytesSchema.default(1024 * 1024),
    /** Most bytes that may be written altogether; larger tests are scaled down and say so. */
    budget: atLeastOneByte.optional(),
    /** Free space that must stay; default: the smaller of 1 GB and 5 % of the file system. */
    keepFree: writtenSizeSchema.optional(),
    tests: z.array(testSchema).min(1).max(50),
  })
  .superRefine((spec, context) => {
    if (spec.codec === undefined && spec.tests.some(({ operations }) => operations.includes('compress')))
      context.addIssue({ code: 'custom', path: ['codec'], message: said`"compress" needs a codec` })
    if (spec.cache !== 'uncached') return
    const refuse = (path: PropertyKey[]): void => {
      context.addIssue({
        code: 'custom',
        path,
        message: said`direct I/O needs multiples of 512 bytes`,
      })
    }
    if (spec.requestSize % SECTOR_BYTES !== 0) refuse(['requestSize'])
    spec.tests.forEach(({ accessSize }, index) => {
      if (accessSize % SECTOR_BYTES !== 0) refuse(['tests', index, 'accessSize'])
    })
  })
/** As stored and as run: every default filled in, every size a number. */
export type TestSpec = z.infer<typeof testSpecSchema>
/** A specification as it is stored and sent: whoever sends one has filled in everything. */
export const wholeSpecSchema = testSpecSchema as unknown as z.ZodType<TestSpec, TestSpec>

export function isListed(sizes: TestSizes): sizes is ListedSizes {
  return Array.isArray(sizes)
}

export function isDrawn(sizes: TestSizes): sizes is DrawnSizes {
  return !isListed(sizes) && 'from' in sizes
}

/** The name of a test's row where its author gave it none. */
export function nameOfTest(test: Test, index: number): string {
  return test.name ?? `Test ${index + 1}`
}
