import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ReadingFacts } from '../../domain/survey/readingReason'
import { AppError, type AppErrorCode } from '../../primitives/appError'
import type { RawContainers } from './rawContainers'
import type { RawTiming } from './rawTiming'

/** What the addon says of something left out; the object's name is added on this side. */
export interface RawSkip {
  readonly index: number
  readonly code: AppErrorCode
  readonly cause: string
}

/** The addon's own form of `EntryBatch`: maps are lists, texts are bytes. */
export interface RawEntryBatch {
  readonly count: number
  readonly rootIndex: Uint32Array
  readonly pathBytes: Uint8Array
  readonly pathEnds: Uint32Array
  readonly kinds: Uint8Array
  readonly fileNumbers: Uint32Array
  readonly trustedAs: Uint32Array
  readonly bytes: Float64Array
  readonly allocatedBytes: Float64Array
  readonly mtimeNs: BigInt64Array
  readonly ctimeNs: BigInt64Array
  readonly device: BigUint64Array
  readonly inode: BigUint64Array
  readonly mode: Uint32Array
  readonly digests: Uint8Array
  readonly sha256: Uint8Array | null
  readonly cells: Uint8Array
  readonly linkTargets: readonly { index: number; target: Uint8Array }[]
  readonly skips: readonly RawSkip[]
}

export interface RawProgress {
  readonly foldersFound: number
  readonly filesFound: number
  readonly bytesFound: number
  readonly walkFinished: boolean
  readonly filesDone: number
  readonly bytesDone: number
  readonly current: Uint8Array | null
}

/** Sums over the blocks retained but for full blocks of zeros, with s a block's bytes and c how often there is one. */
export interface RawCalibration {
  readonly apartUniqueBytes: number
  readonly bytes: number
  readonly sumUnique: number
  readonly sumSquaredUnique: number
  readonly sumAll: number
  readonly sumUniqueTimesAll: number
  readonly sumSquaredAll: number
}

export interface RawBlockLevel {
  readonly blockSize: number
  readonly blocks: number
  readonly bytes: number
  readonly uniqueBlocks: number
  readonly uniqueBytes: number
  readonly zeroBlocks: number
  readonly zeroBytes: number
  readonly exact: boolean
  readonly theta: number
  readonly retained: number
  readonly sumBytesRetained: number
  readonly sumSquaredBytesRetained: number
  /** Of what was kept, the blocks that are the only one of a whole file shorter than the block size; of unions none. */
  readonly alone: {
    readonly retained: number
    readonly sumBytesRetained: number
    readonly sumSquaredBytesRetained: number
  }
  /** Of the blocks that are not `alone`. Null where copies are not counted. */
  readonly calibration: RawCalibration | null
}

export interface RawChunkLevel {
  readonly chunks: number
  readonly bytes: number
  readonly uniqueChunks: number
  readonly uniqueBytes: number
  readonly exact: boolean
  readonly theta: number
  readonly retained: number
  readonly sumBytesRetained: number
  readonly sumSquaredBytesRetained: number
}

export interface RawFileLevel {
  readonly files: number
  readonly bytes: number
  readonly uniqueFiles: number
  readonly uniqueBytes: number
  readonly exact: boolean
  readonly theta: number
  readonly retained: number
  readonly sumBytesRetained: number
  readonly sumSquaredBytesRetained: number
}

/** What makes a file the same one that was read before, and the number it had. */
export interface KnownFileColumns {
  readonly device: BigUint64Array
  readonly inode: BigUint64Array
  readonly bytes: Float64Array
  readonly mtimeNs: BigInt64Array
  readonly ctimeNs: BigInt64Array
  readonly fileNumbers: Uint32Array
}

export interface RawKnownFiles {
  add(files: KnownFileColumns): void
}

export interface RawUnion {
  /** Then nothing else is there. `input` is the number of inputs if it was the writing, more if two files got one number. */
  readonly failure: { readonly input: number; readonly cause: string } | null
  readonly blockLevels: RawBlockLevel[]
  readonly chunkLevels: RawChunkLevel[]
  readonly files: RawFileLevel
  /** By level: block sizes, chunk profiles, whole files. */
  readonly unattributedBytes: number[]
  readonly offsets: Uint32Array
  /** Of the chunk levels, as a ChunkProfile has them. */
  readonly profiles: readonly {
    readonly minBytes: number
    readonly normalBytes: number
    readonly maxBytes: number
    readonly limitBefore: bigint
    readonly limitAfter: bigint
    readonly runs: number
    readonly longWindow: boolean
  }[]
}

/** A unit of a file: 256 KiB from a multiple of that, or what is left from there to the file's end. */
export interface RawSample {
  readonly rootIndex: number
  /** The bytes of the file's path below its root; of several names of one file it may be any. */
  readonly path: Uint8Array
  /** The length of the whole file. */
  readonly fileBytes: number
  readonly offset: number
  /** What stands before `data` in the file, up to 32 KiB. */
  readonly history: Buffer
  readonly data: Buffer
  /** By block level, smallest first; empty if the survey was cancelled. */
  readonly copies: readonly Uint32Array[]
}

/** What repeats in a stream of files: see native/src/core/reuseMeter.h. */
export interface RawReuse {
  /** Bytes of each group of files. */
  readonly bytes: Float64Array
  /** Of those, bytes in short patterns that repeat, such as zeros; they count as neither of the below. */
  readonly quietBytes: Float64Array
  /** For each dictionary, of each group: bytes not seen within it. */
  readonly novelBytes: readonly Float64Array[]
  /** For each dictionary, of each group: how many stretches repeat something within it. */
  readonly runs: readonly Float64Array[]
}

/** Parts of files, in the order of the stream. */
export interface RawStretches {
  readonly fileNumbers: Uint32Array
  readonly offsets: Float64Array
  readonly lengths: Float64Array
}

/** Settles with null once cancelled. */
export interface RawQuestion<Answer> {
  cancel(): void
  readonly finished: Promise<Answer | null>
}

export interface RawAnchors {
  /** Gives their memory back; questions that were asked before are still answered. */
  close(): void
  readonly anchors: number
  /** How often the density of anchors was halved to fit their memory. */
  readonly shift: number
  reuse(
    order: Uint32Array,
    groups: Uint32Array,
    groupCount: number,
    dictionaries: Float64Array,
    thinner: number,
    /** Of each file the archive that it goes into; where the number changes the past begins anew. Null: all go into one. */
    archives: Uint32Array | null,
  ): RawQuestion<RawReuse>
  /** Every `step` bytes of the files in that order, from `first` on, `pieceBytes` of them; of those in no file before, or of all. */
  stretches(
    order: Uint32Array,
    novelOnly: boolean,
    first: number,
    step: number,
    pieceBytes: number,
  ): RawQuestion<RawStretches>
  contentOrder(order: Uint32Array): RawQuestion<Uint32Array>
  /** Of each file of the order its group: see AnchorIndex::contentGroups in native/src/core/anchorIndex.h. */
  contentGroups(
    order: Uint32Array,
    bytes: Float64Array,
    mostBytes: number,
    leastShare: number,
  ): RawQuestion<Uint32Array>
}

export interface RawSurvey {
  takeEntries(): RawEntryBatch | null
  progress(): RawProgress
  blockLevels(): RawBlockLevel[]
  /** In the order of the chunkers given. */
  chunkLevels(): RawChunkLevel[]
  takeAnchors(): Promise<RawAnchors>
  freeTables(): Promise<void>
  close(): Promise<void>
  /** The next of them, until what is copied comes to so many bytes, 32 KiB for each sample included; none when all have been taken. */
  takeSamples(wantedBytes: number): { tau: number | null; samples: RawSample[] }
  /** Null, or why it failed. */
  saveSketch(path: Uint8Array): Promise<string | null>
  pause(): void
  resume(): void
  cancel(): void
  readonly finished: Promise<SurveyEnd>
}

export interface SurveyEnd {
  readonly cancelled: boolean
  readonly peakRssBytes: number
  readonly reading: ReadingFacts
  /** See `totals.clonedBytes` of the survey's document. */
  readonly clonedBytes: number | null
}

export interface RawHashing {
  bytesDone(): number
  cancel(): void
  readonly finished: Promise<{ cancelled: boolean; sha256: Uint8Array; errors: RawSkip[] }>
}

/** What `stowage.node` exports. Wrong arguments throw TypeError. */
export interface RawAddon extends RawTiming, RawContainers {
  startSurvey(options: {
    roots: Uint8Array[]
    blocksFrom512: boolean
    sha256: boolean
    /** Five numbers for each: see CutRule. */
    chunkers: Float64Array
    anchors: boolean
    sampleBytes: number
    maxTableBytes: number
    marks: boolean
    known: RawKnownFiles | null
    threads: number
  }): RawSurvey
  hashRanges(paths: Uint8Array[], offsets: Float64Array, lengths: Float64Array, threads: number): RawHashing
  createKnownFiles(): RawKnownFiles
  /** Times are seconds and nanoseconds accessed, seconds and nanoseconds modified. Gives 0 or an errno value. */
  setFileTimes(path: Uint8Array, times: Float64Array): number
  /** An `out` of null writes nothing. */
  mergeSketches(
    paths: Uint8Array[],
    fileMaps: (Uint32Array | null)[],
    out: Uint8Array | null,
  ): Promise<RawUnion>
  trimHeaps(): Promise<void>
  /** The same at the full density of anchors for bytes that hold files of these lengths, on this thread. */
  reuseWithin(
    bytes: Uint8Array,
    fileBytes: Float64Array,
    groups: Uint32Array,
    groupCount: number,
    dictionaries: Float64Array,
  ): RawReuse
  /** Which form of the block hash this processor runs: `avx512`, `avx2` or `portable`. */
  readonly blockHash: string
}

const PLACE = join('build', 'native', 'stowage.node')
/** From src/engine/native and from dist/engine it is three and two folders up; a package may nest one deeper. */
const MOST_FOLDERS_UP = 4

let loaded: RawAddon | undefined

/**
 * The native addon, loaded once: the file named by STOWAGE_ADDON, or else `build/native/stowage.node` in the nearest
 * folder above this code that has one (for a packaged app beside app.asar, since the system cannot load from inside).
 * @throws AppError `tool-missing` that lists the places tried, or says why the file found cannot be loaded.
 */
export function loadAddon(): RawAddon {
  loaded ??= loadFrom(addonCandidates(process.env['STOWAGE_ADDON'], ownFolder()))
  return loaded
}

/** Gives memory that native code has freed back to the system, off this thread; does nothing while the addon is not in use. */
export async function trimHeaps(): Promise<void> {
  await loaded?.trimHeaps()
}

/** Where to look, in this order. A place that was asked for is the only one. */
export function addonCandidates(asked: string | undefined, folder: string): string[] {
  if (asked) return [resolve(asked)]
  const candidates: string[] = []
  let above = folder.replace(/([\\/])app\.asar(?=[\\/]|$)/, '$1app.asar.unpacked')
  for (let up = 0; up <= MOST_FOLDERS_UP; up++) {
    candidates.push(join(above, PLACE))
    const next = dirname(above)
    if (next === above) break
    above = next
  }
  return candidates
}

/** @throws AppError `tool-missing` */
export function loadFrom(candidates: readonly string[]): RawAddon {
  const place = candidates.find((candidate) => existsSync(candidate))
  if (place === undefined)
    throw new AppError('tool-missing', `the native addon is not built; looked for ${candidates.join(', ')}`)
  try {
    return createRequire(place)(place) as RawAddon
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new AppError('tool-missing', `cannot load the native addon ${place}: ${reason}`, { cause })
  }
}

/** The bundles are CommonJS, the sources are modules. */
function ownFolder(): string {
  return typeof __dirname === 'string' ? __dirname : dirname(fileURLToPath(import.meta.url))
}
