import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AppError, type AppErrorCode } from '../../primitives/appError'
import type { RawContainers } from './rawContainers'

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
  readonly bytes: Float64Array
  readonly allocatedBytes: Float64Array
  readonly mtimeNs: BigInt64Array
  readonly ctimeNs: BigInt64Array
  readonly device: BigUint64Array
  readonly inode: BigUint64Array
  readonly mode: Uint32Array
  readonly digests: Uint8Array
  readonly sha256: Uint8Array | null
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

/** A unit of a file: a mebibyte from a multiple of one, or what is left from there to the file's end. */
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

export interface RawSurvey {
  takeEntries(): RawEntryBatch | null
  progress(): RawProgress
  blockLevels(): RawBlockLevel[]
  /** In the order of the chunkers given. */
  chunkLevels(): RawChunkLevel[]
  takeSamples(): { tau: number | null; samples: RawSample[] }
  pause(): void
  resume(): void
  cancel(): void
  readonly finished: Promise<{ cancelled: boolean; peakRssBytes: number; threads: number }>
}

export interface RawHashing {
  bytesDone(): number
  cancel(): void
  readonly finished: Promise<{ cancelled: boolean; sha256: Uint8Array; errors: RawSkip[] }>
}

/** What `stowage.node` exports. Wrong arguments throw TypeError. */
export interface RawAddon extends RawContainers {
  startSurvey(options: {
    roots: Uint8Array[]
    blocksFrom512: boolean
    sha256: boolean
    /** Five numbers for each: see CutRule. */
    chunkers: Float64Array
    sampleBytes: number
    maxTableBytes: number
    threads: number
  }): RawSurvey
  hashRanges(paths: Uint8Array[], offsets: Float64Array, lengths: Float64Array, threads: number): RawHashing
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
