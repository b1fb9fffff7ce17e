import { isAbsolute } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Chunker } from '../../domain/survey/chunkers'
import { AppError, type AppErrorCode } from '../../primitives/appError'
import { pathForDisplay, pathFromBytes, pathToBytes } from '../../primitives/pathText'
import { said } from '../../primitives/said'
import { cutNumbers } from './chunkerNumbers'
import {
  type FingerprintLevel,
  levelNumber,
  type NativeFingerprints,
  type RawFingerprintRows,
  rawFingerprints,
} from './fingerprints'
import type { ChunkLevel, DrawLevel } from './levels'
import {
  type EntryColumns,
  loadAddon,
  type NativeKnownFiles,
  type ProgressCounts,
  type RawAddon,
  type RawEntryBatch,
  type RawExcludedFiles,
  type RawRuleCount,
  type RawRules,
  type RawSample,
  type RawSkip,
  type Reuse,
  type SurveyControl,
} from './loadAddon'
import { finishedWork } from './nativeWork'

export type { NativeAnchors, NativeKnownFiles, Question, Reuse, Stretches } from './loadAddon'

export interface NativeSurveyOptions {
  /**
   * Absolute paths in lossless text, of folders or files. A root that is a symbolic link is
   * reported as one, not followed. Roots must not hold one another: what they share would be read
   * and counted twice.
   */
  readonly roots: readonly string[]
  /**
   * Absolute paths of folders that are left out, and only counted, where they are met below a root.
   * Default: none.
   */
  readonly leaveOut?: readonly string[]
  /** Rules for leaving out. Default: none, and ignore files are not looked for. */
  readonly rules?: RawRules | undefined
  /** True: what is in folders that rules leave out is counted. Default: no. */
  readonly countExcluded?: boolean
  /** True: files are listed, not read: all figures of contents stay empty. Default: no. */
  readonly walkOnly?: boolean
  /**
   * True: every name is listed before a file is read, which waits for `startReading`. Some 100
   * bytes of memory a file; of more than a million files some are read before. Default: no.
   */
  readonly listFirst?: boolean
  /** Adds blocks of 512 B and 1 KiB to those of 2 KiB to 1 MiB. Digests are the same either way. */
  readonly blocksFrom512: boolean
  /**
   * Further block sizes from 512 B to 16 MiB, at most eight and none of the above: each costs one
   * more hashing of every byte. Their figures come after those of the others. Default: none.
   */
  readonly blockSizes?: readonly number[]
  readonly sha256: boolean
  /**
   * How files are also cut by content. None by default, and then nothing is spent on it; the first
   * costs a rolling hash over every byte, each further one next to nothing.
   */
  readonly chunkers?: readonly Chunker[]
  /**
   * True: anchors are kept for forecasts of solid archives, in an eighth of the tables' memory;
   * beyond it they get sparser. Default: no. They come with the rolling hash of the chunkers.
   */
  readonly anchors?: boolean
  /**
   * Contents to be kept as samples, at most, in native memory until they are taken; their history
   * (a thirtieth more) comes on top. Default 0: none, and nothing is spent on them. With samples
   * the tables hold a fifth less, for they count copies.
   */
  readonly sampleBytes?: number
  /**
   * Memory for the tables of distinct blocks and chunks, over all sizes, and the marks; past it
   * they become sketches.
   */
  readonly maxTableBytes: number
  /**
   * True: an eighth of that memory keeps marks, without which no sketch can be saved. Default true.
   */
  readonly marks?: boolean
  /** Contents that are kept for `takeFingerprints`, which need marks. Default: none. */
  readonly fingerprints?: NativeFingerprints | undefined
  /**
   * Files of an earlier survey: those without a sign of a change are not opened. See
   * `EntryBatch.trustedAs`.
   */
  readonly known?: NativeKnownFiles | undefined
  /**
   * Default: as many as turn out to pay on the roots' device (native/src/core/survey/readers.h).
   */
  readonly threads?: number
}

/** Values of `EntryBatch.kinds`. */
export const NATIVE_KIND = { file: 0, folder: 1, symlink: 2, hardLink: 3, skipped: 4 } as const

/** In `EntryBatch.fileNumbers`: it was not opened for reading. */
export const NO_FILE_NUMBER = 0xffffffff

/** Entries with the paths of what was skipped in its messages. */
export interface EntryBatch extends EntryColumns {
  readonly linkTargets: Map<number, string>
  readonly skips: Map<number, NativeSkip>
}

interface NativeSkip {
  readonly code: AppErrorCode
  /** One line that names the object and the cause. */
  readonly message: string
}

export interface NativeProgress extends ProgressCounts {
  /**
   * The file being read, or one of the batch it belongs to, below its root and in lossless text.
   */
  readonly current: string | null
}

interface NativeSample extends Omit<RawSample, 'copies'> {
  /**
   * How often the whole source has each block of this unit, by block size; exact, at most 2^32 - 1,
   * but 0 for blocks that a table with theta < 1 does not hold. Nothing for blocks longer than a
   * unit (256 KiB) unless the unit is a whole file. Empty if the survey was cancelled.
   */
  readonly copies: ReadonlyMap<number, Uint32Array>
}

/**
 * A priority sample of all units. A unit of `s` bytes is among them with the probability min(1,
 * s·tau), so that a sum over all units is estimated without bias by the sum over the samples, each
 * divided by that. Null: every unit is there. Which units are chosen depends on where they are
 * (root, path, offset) alone, not on order or threads.
 */
interface NativeSamples {
  readonly tau: number | null
  readonly samples: NativeSample[]
}

/**
 * No files yet. @param isPart whether there were more files than will be added @throws AppError
 * `tool-missing` without the addon.
 */
export function createKnownFiles(isPart: boolean): NativeKnownFiles {
  return loadAddon().createKnownFiles(isPart)
}

const SAMPLE_BYTES_AT_ONCE = 4 * 1024 * 1024

/** See `RawAddon.reuseWithin`. */
export function reuseWithin(...given: Parameters<RawAddon['reuseWithin']>): Reuse {
  return loadAddon().reuseWithin(...given)
}

/** A rule, and what it left out by itself so far. */
export interface NativeRuleCount extends Pick<RawRuleCount, 'line' | 'used' | 'files' | 'bytes' | 'folders'> {
  readonly origin: 'given' | 'file' | 'preset' | 'caches' | 'size' | 'fileSystem'
  /** The ignore file that it is in. */
  readonly path: string | null
  readonly text: string
}

export interface NativeSurvey extends SurveyControl {
  /**
   * Entries not yet taken, or null if there are none at present; after `finished`, null means that
   * was all.
   */
  takeEntries(): EntryBatch | null
  /**
   * With `listFirst`: names that were listed and not yet taken, as a pass with `walkOnly` gives
   * them; null if there are none at present, and, once the walk is finished, for good. Those of
   * files come again with `takeEntries`, when they were read.
   */
  takeListed(): EntryBatch | null
  progress(): NativeProgress
  /**
   * The folders of `leaveOut` met so far: absolute paths in lossless text, and what has been
   * counted in them.
   */
  leftOut(): { path: string; files: number; bytes: number }[]
  /** Files that rules left out and that were not yet taken; null if there are none at present. */
  takeExcludedFiles(): RawExcludedFiles | null
  /** The folders that rules left out so far: absolute paths in lossless text. */
  excludedFolders(): { path: string; files: number; bytes: number; rule: number }[]
  /** The rules given, those of presets, of the kinds asked for, then those of files as met. */
  ruleCounts(): NativeRuleCount[]
  /** The files that each list of `RawRules.trials` would leave out; each name of one counts. */
  trialCounts(): { files: number; bytes: number }[]
  /** Ignore files that were not used: absolute paths, and one line with the object and cause. */
  ruleFaults(): { path: string; message: string }[]
  /** In the order of the chunkers asked for; on the same terms. */
  chunkLevels(): ChunkLevel[]
  /**
   * Once, after `finished`: copies them out of native memory, 0.4 to 2 ms a mebibyte and some
   * 0.02 ms a sample, with pauses.
   */
  takeSamples(): Promise<NativeSamples>
  /**
   * Saves what `mergeSketches` needs, in a temporary file that is renamed to `path`; at any time,
   * also after `finished`. It holds every file whose entry had been taken, or could have been,
   * before the call. Threads that finish a file meanwhile wait until what is kept has been copied
   * (a few hundredths of a second), not for the writing.
   * @param path absolute, in lossless text
   * @throws AppError `io` that names the file and the cause, also without `marks`.
   */
  saveSketch(path: string): Promise<void>
  /**
   * Once `finished`: the fingerprints of a level in batches of at most `most` rows, sorted by hash
   * and file, or of zeros by file. Levels are taken one after the other, each once.
   * @throws AppError `io` that names the scratch file, for one that could not be written
   */
  fingerprints(level: FingerprintLevel, most: number): AsyncIterable<RawFingerprintRows>
  /**
   * Adds rows of unchanged files, as an earlier `fingerprints` gave them, with their new numbers;
   * once `finished` and before the first level is taken.
   */
  addFingerprints(level: FingerprintLevel, rows: Omit<RawFingerprintRows, 'failure'>): void
}

/** The order of `RuleOrigin` in native/src/core/rules/rules.h. */
const ORIGINS = ['given', 'file', 'preset', 'caches', 'size', 'fileSystem'] as const
const IGNORE_FILE = '.stowageignore'

/**
 * Starts one pass over the roots, on threads of its own: every name is found, every file read once.
 * Nothing that can happen to a file or folder makes it fail; such things are entries of kind
 * skipped. Entries stay in native memory until they are taken (about 200 bytes each).
 * @throws AppError `tool-missing` without the addon, `usage` for a root that is not absolute.
 */
export function startNativeSurvey(options: NativeSurveyOptions): NativeSurvey {
  const roots = options.roots.map((root) => {
    if (!isAbsolute(root))
      throw new AppError('usage', said`cannot survey ${pathForDisplay(root)}: the path is not absolute`)
    return pathToBytes(root)
  })
  const chunkers = options.chunkers ?? []
  const raw = loadAddon().startSurvey({
    roots,
    leaveOut: (options.leaveOut ?? []).map(pathToBytes),
    rules: options.rules ?? null,
    countExcluded: options.countExcluded ?? false,
    walkOnly: options.walkOnly ?? false,
    listFirst: options.listFirst ?? false,
    chunkers: Float64Array.from(chunkers.flatMap(cutNumbers)),
    anchors: options.anchors ?? false,
    sampleBytes: options.sampleBytes ?? 0,
    blocksFrom512: options.blocksFrom512,
    blockSizes: Float64Array.from(options.blockSizes ?? []),
    sha256: options.sha256,
    maxTableBytes: options.maxTableBytes,
    marks: options.marks ?? true,
    fingerprints: options.fingerprints ? rawFingerprints(options.fingerprints, options) : null,
    known: options.known ?? null,
    threads: options.threads ?? 0,
  })
  return {
    takeEntries: () => {
      const batch = raw.takeEntries()
      return batch && entryBatch(batch, options.roots)
    },
    takeListed: () => {
      const batch = raw.takeListed()
      return batch && entryBatch(batch, options.roots)
    },
    startReading: () => raw.startReading(),
    deviceKind: () => raw.deviceKind(),
    progress: () => {
      const progress = raw.progress()
      return { ...progress, current: progress.current && pathFromBytes(progress.current) }
    },
    leftOut: () =>
      raw.leftOut().map(({ rootIndex, path, files, bytes }) => ({
        path: belowRoot(options.roots[rootIndex] as string, pathFromBytes(path)),
        files,
        bytes,
      })),
    takeExcludedFiles: () => raw.takeExcludedFiles(),
    excludedFolders: () =>
      raw.excludedFolders().map(({ rootIndex, path, files, bytes, rule }) => ({
        path: belowRoot(options.roots[rootIndex] as string, pathFromBytes(path)),
        files,
        bytes,
        rule,
      })),
    ruleCounts: () =>
      raw.ruleCounts().map(({ origin, rootIndex, folder, text, line, used, files, bytes, folders }) => {
        const isFile = origin === ORIGINS.indexOf('file')
        const below = `${pathFromBytes(folder)}${IGNORE_FILE}`
        return {
          line,
          used,
          files,
          bytes,
          folders,
          origin: ORIGINS[origin] ?? 'given',
          path: isFile ? belowRoot(options.roots[rootIndex] as string, below) : null,
          text: pathFromBytes(text),
        }
      }),
    trialCounts: () => raw.trialCounts(),
    ruleFaults: () =>
      raw.ruleFaults().map(({ rootIndex, path, line, column, cause }) => {
        const file = belowRoot(options.roots[rootIndex] as string, pathFromBytes(path))
        const at = line === 0 ? '' : `:${line}:${column}`
        return {
          path: file,
          message: said`cannot use the rules in ${pathForDisplay(file)}${at}: ${cause}`,
        }
      }),
    blockLevels: () => raw.blockLevels(),
    chunkLevels: () => {
      const levels = raw.chunkLevels()
      let next = 0
      return chunkers.map((chunker): ChunkLevel => {
        const [first, ...otherDraws] = levels.slice(next, next + chunker.draws)
        next += chunker.draws
        return Object.assign({ chunker: chunker.name, otherDraws }, first as DrawLevel)
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
        throw new AppError('io', said`cannot write the sketch ${pathForDisplay(path)}: ${cause}`)
    },
    fingerprints: async function* (level, most) {
      const number = levelNumber(level, options)
      for (;;) {
        const rows = await raw.takeFingerprints(number, most)
        if (rows.failure !== null) {
          const scratch = pathForDisplay(options.fingerprints?.scratch ?? '')
          throw new AppError('io', said`cannot keep fingerprints in ${scratch}: ${rows.failure}`)
        }
        if (rows.file.length === 0) return
        yield rows
      }
    },
    addFingerprints: (level, { hash, bytes, file, count }) =>
      raw.addFingerprints(levelNumber(level, options), hash, bytes, file, count),
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
    skips.set(skip.index, skipOf(skip, belowRoot(root, below)))
  }
  return batch
}

function belowRoot(root: string, below: string): string {
  return below === '' ? root : `${root.replace(/\/+$/, '')}/${below}`
}

function skipOf(skip: RawSkip, path: string): NativeSkip {
  return { code: skip.code, message: said`cannot read ${pathForDisplay(path)}: ${skip.cause}` }
}

/** `length` bytes from `offset` of the file at an absolute path in lossless text. */
interface HashRange {
  readonly path: string
  readonly offset: number
  readonly length: number
}

/**
 * SHA-256 of byte ranges of files, several at once, off this thread: 32 bytes for each range in
 * `sha256`, zeros where `errors` has one. A range that reaches beyond its file's end is an error
 * `changed`. Symbolic links are not followed.
 * @throws AppError `tool-missing`; `cancelled` when the signal aborts.
 */
export async function hashRanges(
  ranges: readonly HashRange[],
  options: { onProgress?(bytesDone: number): void; signal?: AbortSignal; threads?: number } = {},
): Promise<{ sha256: Uint8Array; errors: Map<number, NativeSkip> }> {
  const { signal, onProgress } = options
  if (signal?.aborted) throw new AppError('cancelled', said`hashing was cancelled`)
  const raw = loadAddon().hashRanges(
    ranges.map((range) => pathToBytes(range.path)),
    Float64Array.from(ranges, (range) => range.offset),
    Float64Array.from(ranges, (range) => range.length),
    options.threads ?? 0,
  )
  const look = onProgress && (() => onProgress(raw.bytesDone()))
  const { cancelled, sha256, errors } = await finishedWork(raw, signal, look)
  if (cancelled) throw new AppError('cancelled', said`hashing was cancelled`)
  const pathOf = (index: number) => (ranges[index] as HashRange).path
  return {
    sha256,
    errors: new Map(errors.map((error) => [error.index, skipOf(error, pathOf(error.index))])),
  }
}
