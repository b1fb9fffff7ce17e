import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Chunker } from '../../domain/survey/chunkers'
import { AppError, type AppErrorCode } from '../../primitives/appError'
import { pathForDisplay, pathFromBytes, pathToBytes } from '../../primitives/pathText'
import { cutNumbers } from './chunkerNumbers'
import type { NativeBlockLevel, NativeChunkLevel } from './levels'
import {
  type KnownFileColumns,
  loadAddon,
  type RawAddon,
  type RawAnchors,
  type RawChunkLevel,
  type RawEntryBatch,
  type RawQuestion,
  type RawReuse,
  type RawSample,
  type RawSkip,
  type RawStretches,
  type SurveyEnd,
} from './loadAddon'

export interface NativeSurveyOptions {
  /**
   * Absolute paths in lossless text, of folders or files. A root that is a symbolic link is reported as one, not
   * followed. Roots must not hold one another: what they share would be read and counted twice.
   */
  readonly roots: readonly string[]
  /** Adds blocks of 512 B and 1 KiB to those of 2 KiB to 1 MiB. Digests are the same either way. */
  readonly blocksFrom512: boolean
  readonly sha256: boolean
  /**
   * How files are also cut by content. None by default, and then nothing is spent on it; the first costs a rolling hash
   * over every byte, each further one next to nothing.
   */
  readonly chunkers?: readonly Chunker[]
  /**
   * Whether anchors are kept for forecasts of solid archives, in an eighth of the tables' memory; past it they get
   * sparser. Default: no. They come with the rolling hash of the chunkers.
   */
  readonly anchors?: boolean
  /**
   * Contents to be kept as samples, at most, in native memory until they are taken; their history (a thirtieth more) comes
   * on top. Default 0: none, and nothing is spent on them. With samples the tables hold a fifth less, for they count copies.
   */
  readonly sampleBytes?: number
  /** Memory for the tables of distinct blocks and chunks, over all sizes, and the marks; past it they become sketches. */
  readonly maxTableBytes: number
  /** Whether an eighth of that memory keeps marks, without which no sketch can be saved. Default true. */
  readonly marks?: boolean
  /** Files of an earlier survey: those that nothing says have changed are not opened. See `EntryBatch.trustedAs`. */
  readonly known?: NativeKnownFiles | undefined
  /** Default: as many as turn out to pay on the roots' device (native/src/core/walk/readers.h). */
  readonly threads?: number
}

/** Values of `EntryBatch.kinds`. */
export const NATIVE_KIND = { file: 0, folder: 1, symlink: 2, hardLink: 3, skipped: 4 } as const

/** In `EntryBatch.fileNumbers`: it was not opened for reading. */
export const NO_FILE_NUMBER = 0xffffffff

/**
 * Some entries, in no particular order; every name found below the roots is one, once (a folder that could be opened but
 * not listed to its end is a folder and also skipped). `bytes` of files and skipped entries add up to the bytes of every
 * block level; all other kinds have 0.
 */
export interface EntryBatch {
  readonly count: number
  readonly rootIndex: Uint32Array
  /** The bytes of all paths below the roots: entry i has `pathBytes.subarray(pathEnds[i-1] ?? 0, pathEnds[i])`. */
  readonly pathBytes: Uint8Array
  readonly pathEnds: Uint32Array
  /**
   * 0 file, 1 folder, 2 symlink, 3 hardLink (a further name of the file with this device and inode), 4 skipped. Which of
   * a file's names is the file may differ from pass to pass.
   */
  readonly kinds: Uint8Array
  /**
   * By which what the pass keeps of a file's content names it: another one for each file that was opened, in the order in
   * which that happened (so it may differ from pass to pass), NO_FILE_NUMBER for everything else. Files that were skipped
   * half-way have one.
   */
  readonly fileNumbers: Uint32Array
  /**
   * Of a known file that was not opened, because device, inode, length and both times are still the same: the number it was
   * added with. NO_FILE_NUMBER for everything else. A trusted file is of kind file, has a `fileNumbers` of this pass too, its
   * `bytes` count as done but are in no level, its digests are zeros.
   */
  readonly trustedAs: Uint32Array
  /**
   * A file's length. Of a skipped entry what the block levels count of it: 0 unless it is a file of more than 1 MiB that
   * changed, failed or was cancelled half-way.
   */
  readonly bytes: Float64Array
  readonly allocatedBytes: Float64Array
  readonly mtimeNs: BigInt64Array
  readonly ctimeNs: BigInt64Array
  readonly device: BigUint64Array
  readonly inode: BigUint64Array
  readonly mode: Uint32Array
  /** 16 bytes each, big-endian: equal for equal files only (see native/src/core/blocks/blockTree.h); zeros for other kinds. */
  readonly digests: Uint8Array
  /** 32 bytes each, zeros for what is no file; null unless asked for. */
  readonly sha256: Uint8Array | null
  /** A row of text of each entry, from which the catalog stores those that need nothing else (native/src/core/walk/entryColumns.h). */
  readonly cells: Uint8Array
  readonly linkTargets: Map<number, string>
  readonly skips: Map<number, NativeSkip>
}

export interface NativeSkip {
  readonly code: AppErrorCode
  /** One line that names the object and the cause. */
  readonly message: string
}

export interface NativeProgress {
  readonly foldersFound: number
  readonly filesFound: number
  /** Of each file once, however many names it has. */
  readonly bytesFound: number
  readonly walkFinished: boolean
  readonly filesDone: number
  readonly bytesDone: number
  /** The file being read, or one of the batch it belongs to, below its root and in lossless text. */
  readonly current: string | null
}

export interface NativeSample extends Omit<RawSample, 'copies'> {
  /**
   * How often the whole source has each block of this unit, by block size; exact, at most 2^32 - 1, but 0 for blocks that a
   * table with theta < 1 does not hold. Nothing for blocks longer than a unit (256 KiB) unless the unit is a whole file. Empty if the
   * survey was cancelled.
   */
  readonly copies: ReadonlyMap<number, Uint32Array>
}

/**
 * A priority sample of all units. A unit of `s` bytes is among them with the probability min(1, s·tau), so that a sum over
 * all units is estimated without bias by the sum over the samples, each divided by that. Null: every unit is there.
 * Which units are chosen depends on where they stand (root, path, offset) alone, not on order or threads.
 */
export interface NativeSamples {
  readonly tau: number | null
  readonly samples: NativeSample[]
}

/** Files that an earlier survey read, 24 bytes each in native memory. Add all before the pass starts: then they are the pass's. */
export interface NativeKnownFiles {
  /** Columns of one length; of a file added twice the later number counts. Throws TypeError. */
  add(files: KnownFileColumns): void
}

/** No files yet. @throws AppError `tool-missing` without the addon. */
export function createKnownFiles(): NativeKnownFiles {
  return loadAddon().createKnownFiles()
}

/** The anchors of a survey, for any number of questions; in native memory until they are closed. */
export type NativeAnchors = RawAnchors
export type Reuse = RawReuse
export type Question<Answer> = RawQuestion<Answer>
export type Stretches = RawStretches

const SAMPLE_BYTES_AT_ONCE = 4 * 1024 * 1024

/** See `RawAddon.reuseWithin`. */
export function reuseWithin(...given: Parameters<RawAddon['reuseWithin']>): Reuse {
  return loadAddon().reuseWithin(...given)
}

export interface NativeSurvey {
  /** Entries not yet taken, or null if there are none at present; after `finished`, null means that was all. */
  takeEntries(): EntryBatch | null
  progress(): NativeProgress
  /** Smallest block first. Cheap; while the pass runs, unique figures lag a little behind. */
  blockLevels(): NativeBlockLevel[]
  /** In the order of the chunkers asked for; on the same terms. */
  chunkLevels(): NativeChunkLevel[]
  /** Once, after `finished`: copies them out of native memory, 0.4 to 2 ms a mebibyte and some 0.02 ms a sample, with pauses. */
  takeSamples(): Promise<NativeSamples>
  /**
   * Saves what `mergeSketches` needs, beside `path` first and renamed; at any time, also after `finished`. It holds every
   * file whose entry had been taken, or could have been, before the call. Threads that finish a file meanwhile wait until
   * what is kept has been copied (a few hundredths of a second), not for the writing.
   * @param path absolute, in lossless text
   * @throws AppError `io` that names the file and the cause, also without `marks`.
   */
  saveSketch(path: string): Promise<void>
  /** Once, after `finished`; about 0.2 s for a million anchors, on a thread of its own. */
  takeAnchors(): Promise<NativeAnchors>
  /** Gives the tables' memory back, after `finished` and the last `saveSketch`: `blockLevels` and `chunkLevels` stay as they are. */
  freeTables(): Promise<void>
  /**
   * Gives all native memory back, after `finished`; V8, which would otherwise do it some day, does not see that memory. What
   * other work of the process has freed goes back to the system with it. After it no other method may be called. Anchors that
   * were taken stay.
   */
  close(): Promise<void>
  pause(): void
  resume(): void
  /** The pass ends within 200 ms unless the system itself hangs in a read; what is known can still be taken. */
  cancel(): void
  /** Settles when no thread works any more; rejects only if memory runs out. */
  readonly finished: Promise<SurveyEnd>
}

/**
 * Starts one pass over the roots, on threads of its own: every name is found, every file read once. Nothing that can
 * happen to a file or folder makes it fail; such things are entries of kind skipped. Entries stay in native memory until
 * they are taken (about 200 bytes each).
 * @throws AppError `tool-missing` without the addon, `usage` for a root that is not absolute.
 */
export function startNativeSurvey(options: NativeSurveyOptions): NativeSurvey {
  const roots = options.roots.map((root) => {
    if (!root.startsWith('/'))
      throw new AppError('usage', `cannot survey ${pathForDisplay(root)}: the path is not absolute`)
    return pathToBytes(root)
  })
  const chunkers = options.chunkers ?? []
  const raw = loadAddon().startSurvey({
    roots,
    chunkers: Float64Array.from(chunkers.flatMap(cutNumbers)),
    anchors: options.anchors ?? false,
    sampleBytes: options.sampleBytes ?? 0,
    blocksFrom512: options.blocksFrom512,
    sha256: options.sha256,
    maxTableBytes: options.maxTableBytes,
    marks: options.marks ?? true,
    known: options.known ?? null,
    threads: options.threads ?? 0,
  })
  return {
    takeEntries: () => {
      const batch = raw.takeEntries()
      return batch && entryBatch(batch, options.roots)
    },
    progress: () => {
      const progress = raw.progress()
      return { ...progress, current: progress.current && pathFromBytes(progress.current) }
    },
    blockLevels: () => raw.blockLevels(),
    chunkLevels: () => {
      const levels = raw.chunkLevels()
      let next = 0
      return chunkers.map((chunker): NativeChunkLevel => {
        const [first, ...otherDraws] = levels.slice(next, next + chunker.draws)
        next += chunker.draws
        return Object.assign({ chunker: chunker.name, otherDraws }, first as RawChunkLevel)
      })
    },
    takeSamples: async () => {
      const blockSizes = raw.blockLevels().map((level) => level.blockSize)
      const samples: NativeSample[] = []
      for (;;) {
        const some = raw.takeSamples(SAMPLE_BYTES_AT_ONCE)
        if (some.samples.length === 0) return { tau: some.tau, samples }
        for (const sample of some.samples) samples.push(sampleOf(sample, blockSizes))
        await nextTurn()
      }
    },
    saveSketch: async (path) => {
      const cause = await raw.saveSketch(pathToBytes(path))
      if (cause !== null)
        throw new AppError('io', `cannot write the sketch ${pathForDisplay(path)}: ${cause}`)
    },
    takeAnchors: () => raw.takeAnchors(),
    freeTables: () => raw.freeTables(),
    close: () => raw.close(),
    pause: () => raw.pause(),
    resume: () => raw.resume(),
    cancel: () => raw.cancel(),
    finished: raw.finished,
  }
}

function sampleOf(raw: RawSample, blockSizes: readonly number[]): NativeSample {
  const copies = new Map(raw.copies.map((counts, level) => [blockSizes[level] as number, counts]))
  return { ...raw, copies }
}

/** The path of entry `index` below its root, in lossless text; empty for the root itself. */
export function entryPath(batch: EntryBatch, index: number): string {
  const start = index === 0 ? 0 : (batch.pathEnds[index - 1] as number)
  return pathFromBytes(batch.pathBytes.subarray(start, batch.pathEnds[index]))
}

function entryBatch(raw: RawEntryBatch, roots: readonly string[]): EntryBatch {
  const skips = new Map<number, NativeSkip>()
  const batch: EntryBatch = {
    ...raw,
    linkTargets: new Map(raw.linkTargets.map(({ index, target }) => [index, pathFromBytes(target)])),
    skips,
  }
  for (const skip of raw.skips) {
    const root = roots[batch.rootIndex[skip.index] as number] as string
    const below = entryPath(batch, skip.index)
    skips.set(skip.index, skipOf(skip, below === '' ? root : `${root.replace(/\/+$/, '')}/${below}`))
  }
  return batch
}

function skipOf(skip: RawSkip, path: string): NativeSkip {
  return { code: skip.code, message: `cannot read ${pathForDisplay(path)}: ${skip.cause}` }
}

/** `length` bytes from `offset` of the file at an absolute path in lossless text. */
export interface HashRange {
  readonly path: string
  readonly offset: number
  readonly length: number
}

/** How often progress is told while hashing. */
const PROGRESS_INTERVAL_MS = 100

/**
 * SHA-256 of byte ranges of files, several at once, off this thread: 32 bytes for each range in `sha256`, zeros where
 * `errors` has one. A range that reaches beyond its file's end is an error `changed`. Symbolic links are not followed.
 * @throws AppError `tool-missing`; `cancelled` when the signal aborts.
 */
export async function hashRanges(
  ranges: readonly HashRange[],
  options: { onProgress?(bytesDone: number): void; signal?: AbortSignal; threads?: number } = {},
): Promise<{ sha256: Uint8Array; errors: Map<number, NativeSkip> }> {
  const { signal } = options
  if (signal?.aborted) throw new AppError('cancelled', 'hashing was cancelled')
  const raw = loadAddon().hashRanges(
    ranges.map((range) => pathToBytes(range.path)),
    Float64Array.from(ranges, (range) => range.offset),
    Float64Array.from(ranges, (range) => range.length),
    options.threads ?? 0,
  )
  const cancel = () => raw.cancel()
  signal?.addEventListener('abort', cancel, { once: true })
  const timer =
    options.onProgress && setInterval(() => options.onProgress?.(raw.bytesDone()), PROGRESS_INTERVAL_MS)
  try {
    const { cancelled, sha256, errors } = await raw.finished
    if (cancelled) throw new AppError('cancelled', 'hashing was cancelled')
    options.onProgress?.(raw.bytesDone())
    const pathOf = (index: number) => (ranges[index] as HashRange).path
    return {
      sha256,
      errors: new Map(errors.map((error) => [error.index, skipOf(error, pathOf(error.index))])),
    }
  } finally {
    clearInterval(timer)
    signal?.removeEventListener('abort', cancel)
  }
}
