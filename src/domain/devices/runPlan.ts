import { type SeededRandom, seededRandom } from '../../primitives/seededRandom'
import { shuffled, sum } from './drawSizes'
import { blockBytes, seedOf, sizesOf, writtenBytes } from './scaleToBudget'
import type { MeasuredCodec, Test, TestOperation, TestSpec } from './testSpec'

/** One file that a measurement makes, or (read-only) finds. */
interface PlannedFile {
  /** Within the run's folder; or the whole path of somebody's file. */
  readonly name: string
  readonly isForeign: boolean
  readonly bytes: number
  /** The random seed of its content, different for every file. */
  readonly seed: number
}

/** One step of a run; files are named by their place in the segment's list. */
export type PlannedStep =
  | { readonly kind: 'create' | 'write' | 'read' | 'cachedRead' | 'remove'; readonly file: number }
  /** `file` is read and `writeFile` written at once. */
  | { readonly kind: 'stream'; readonly file: number; readonly writeFile: number }
  | {
      readonly kind: 'randomRead' | 'randomWrite'
      readonly file: number
      readonly accesses: number
      readonly accessSize: number
      readonly seed: number
    }
  | { readonly kind: 'rest'; readonly ms: number }

/** Bytes that a step moves. */
export function stepBytes(step: PlannedStep, sizeOf: (file: number) => number): number {
  switch (step.kind) {
    case 'write':
    case 'read':
    case 'cachedRead':
      return sizeOf(step.file)
    case 'stream':
      return sizeOf(step.file) + sizeOf(step.writeFile)
    case 'randomRead':
    case 'randomWrite':
      return step.accesses * step.accessSize
    default:
      return 0
  }
}

/**
 * One repeat of one test: it makes its files, works on them and removes them, in a folder of its
 * own.
 */
export interface Segment {
  readonly test: number
  readonly repeat: number
  readonly files: readonly PlannedFile[]
  readonly steps: readonly PlannedStep[]
}

/**
 * One repeat of one test that compresses: it makes compressible files, and reads, compresses and
 * writes each of them in this order.
 */
export interface CodecSegment {
  readonly test: number
  readonly repeat: number
  readonly codec: MeasuredCodec
  readonly files: readonly { readonly bytes: number; readonly seed: number }[]
}

/** A step of a segment that compresses; files are named by their place in its list. */
export type CodecStep =
  | { readonly kind: 'prepare'; readonly file: number }
  | { readonly kind: 'compress'; readonly file: number; readonly codec: MeasuredCodec }

export interface RunPlan {
  readonly segments: readonly Segment[]
  /** After all segments. */
  readonly compressed: readonly CodecSegment[]
  readonly files: number
  readonly writeBytes: number
  readonly readBytes: number
  /** The most that lies on the device at one time, in whole blocks. */
  readonly peakBytes: number
}

/** So much is read a second time from the cache, to know how fast that would be. */
const MOST_CACHED_BYTES = 256e6

/** A specification as steps. The same specification gives the same steps. */
export function planRun(spec: TestSpec): RunPlan {
  const segments: Segment[] = []
  const compressed: CodecSegment[] = []
  let [writeBytes, readBytes, peakBytes, seed] = [0, 0, 0, (spec.seed % 2 ** 30) * 2 ** 20]
  let isCacheKnown = false
  spec.tests.forEach((test, index) => {
    const random = seededRandom(seedOf(spec, index) + 1)
    const listed = sizesOf(spec, index)
    const sizes = test.order === 'random' ? shuffled(listed, random) : listed
    const once = sum(sizes)
    writeBytes += writtenBytes(test, sizes)
    readBytes += test.repeat * readBytesOnce(test, once)
    const copies = test.operations.filter((operation) => operation === 'stream').length
    peakBytes = Math.max(peakBytes, blockBytes(sizes) * (1 + copies))
    const { codec } = test.operations.includes('compress') ? spec : {}
    // All files, and the compressed copy of one.
    if (codec) peakBytes = Math.max(peakBytes, blockBytes(sizes) + Math.max(...sizes))
    for (let repeat = 0; repeat < test.repeat; repeat++) {
      const withCached = !isCacheKnown && test.operations.includes('read')
      const segment = segmentOf(test, sizes, { random, seed, withCached })
      isCacheKnown ||= segment.steps.some(({ kind }) => kind === 'cachedRead')
      seed += segment.files.length
      segments.push({ test: index, repeat, ...segment })
      if (codec === undefined) continue
      const own = sizes.map((bytes, file) => ({ bytes, seed: seed + file + 1 }))
      compressed.push({ test: index, repeat, codec, files: shuffled(own, random) })
      seed += own.length
    }
  })
  const files = sum([...segments, ...compressed].map((segment) => segment.files.length))
  return { segments, compressed, files, writeBytes, readBytes, peakBytes }
}

function segmentOf(
  test: Test,
  sizes: readonly number[],
  { random, seed, withCached }: { random: SeededRandom; seed: number; withCached: boolean },
): Pick<Segment, 'files' | 'steps'> {
  const files: PlannedFile[] = []
  const steps: PlannedStep[] = []
  const add = (bytes: number, letter: string): number =>
    files.push({ name: `${letter}${files.length}`, isForeign: false, bytes, seed: seed + files.length + 1 }) -
    1
  const made = sizes.map((bytes) => add(bytes, 'f'))
  test.operations.forEach((operation, place) => {
    if (place > 0 && test.rest > 0 && isReading(operation)) steps.push({ kind: 'rest', ms: test.rest })
    if (operation === 'write') {
      const isFirst = !test.operations.slice(0, place).includes('write')
      for (const file of made) {
        if (isFirst) steps.push({ kind: 'create', file })
        steps.push({ kind: 'write', file })
      }
    } else if (operation === 'read') {
      for (const file of made) steps.push({ kind: 'read', file })
    } else if (operation === 'stream') {
      for (const file of made) {
        steps.push({ kind: 'stream', file, writeFile: add((files[file] as PlannedFile).bytes, 's') })
      }
    } else if (operation !== 'compress') {
      steps.push(...randomSteps(operation, test, files, made, random))
    }
  })
  if (withCached) {
    const file = fileForCache(files)
    if (file !== null) steps.push({ kind: 'cachedRead', file })
  }
  steps.push(...files.map((_, file): PlannedStep => ({ kind: 'remove', file })))
  return { files, steps }
}

/** The accesses of a test, shared among its files by number. */
function randomSteps(
  operation: 'randomRead' | 'randomWrite',
  { accesses, accessSize }: Test,
  files: readonly PlannedFile[],
  made: readonly number[],
  random: SeededRandom,
): PlannedStep[] {
  const large = made.filter((file) => (files[file] as PlannedFile).bytes >= accessSize)
  return large.flatMap((file, place): PlannedStep[] => {
    const share =
      Math.floor(((place + 1) * accesses) / large.length) - Math.floor((place * accesses) / large.length)
    return share === 0 ? [] : [{ kind: operation, file, accesses: share, accessSize, seed: random.uint32() }]
  })
}

/** The largest file that is not too large, else the smallest. */
function fileForCache(files: readonly PlannedFile[]): number | null {
  let best: number | null = null
  files.forEach(({ bytes }, index) => {
    const known = best === null ? null : (files[best] as PlannedFile).bytes
    const isBetter =
      known === null ||
      (bytes <= MOST_CACHED_BYTES ? bytes > known || known > MOST_CACHED_BYTES : bytes < known)
    if (isBetter) best = index
  })
  return best
}

/**
 * A plan that reads files which are there already, each once in the order given, and writes
 * nothing.
 */
export function planReading(found: readonly { readonly path: string; readonly bytes: number }[]): RunPlan {
  const files = found.map(({ path, bytes }) => ({ name: path, isForeign: true, bytes, seed: 0 }))
  const cached = fileForCache(files)
  const steps: PlannedStep[] = files.map((_, file) => ({ kind: 'read', file }))
  if (cached !== null) steps.push({ kind: 'cachedRead', file: cached })
  return {
    segments: [{ test: 0, repeat: 0, files, steps }],
    compressed: [],
    files: files.length,
    writeBytes: 0,
    readBytes: sum(files.map(({ bytes }) => bytes)),
    peakBytes: 0,
  }
}

function isReading(operation: TestOperation): boolean {
  return operation === 'read' || operation === 'randomRead' || operation === 'stream'
}

function readBytesOnce(test: Test, once: number): number {
  return sum(
    test.operations.map((operation) =>
      operation === 'read' || operation === 'stream' || operation === 'compress'
        ? once
        : operation === 'randomRead'
          ? test.accesses * test.accessSize
          : 0,
    ),
  )
}

/**
 * Free space that stays: as the specification says, else the smaller of 1 GB and 5 % of the file
 * system.
 */
export function keepFreeOf(spec: Pick<TestSpec, 'keepFree'>, capacityBytes: number | null): number {
  if (spec.keepFree !== undefined) return spec.keepFree
  return Math.min(1e9, Math.floor((capacityBytes ?? Number.POSITIVE_INFINITY) * 0.05))
}
