/**
 * The room `native` is the one way to the native addon.
 * How: `loadAddon` finds it, files named raw… have the types of its exports, and the others make
 * text of bytes and `AppError` of its error codes.
 * Not here: anything that could do without the addon.
 */

import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ReadingFacts } from '../../domain/survey/readingReason'
import { AppError, type AppErrorCode } from '../../primitives/appError'
import { said } from '../../primitives/said'
import type { RawFingerprintRows, RawFingerprints } from './fingerprints'
import type { BlockLevel, DrawLevel, FileLevel } from './levels'
import type { RawContainers } from './rawContainers'
import type { RawDeflate } from './rawDeflate'
import type { RawDiscImage } from './rawDiscImage'
import type { RawDrives } from './rawDrives'
import type { RawPipe } from './rawPipe'
import type { RawProcesses } from './rawProcesses'
import type { RawCombining, RawProtecting } from './rawProtection'
import type { RawSectorReading } from './rawSectorReading'
import type { RawTiming } from './rawTiming'

/** The addon's reason for a skipped entry; the object's name is added on this side. */
export interface RawSkip {
  readonly index: number
  readonly code: AppErrorCode
  readonly cause: string
}

/**
 * Some entries, in no particular order; every name found below the roots is one, once (a folder
 * that could be opened but not listed to its end is a folder and also skipped). `bytes` of files
 * and skipped entries add up to the bytes of every block level; all other kinds have 0.
 */
export interface EntryColumns {
  readonly count: number
  readonly rootIndex: Uint32Array
  /**
   * The bytes of all paths below the roots: entry i has
   * `pathBytes.subarray(pathEnds[i-1] ?? 0, pathEnds[i])`.
   */
  readonly pathBytes: Uint8Array
  readonly pathEnds: Uint32Array
  /**
   * 0 file, 1 folder, 2 symlink, 3 hardLink (a further name of the file with this device and
   * inode), 4 skipped. Which of a file's names is the file may differ from pass to pass.
   */
  readonly kinds: Uint8Array
  /**
   * By which what the pass keeps of a file's content names it: another one for each file that was
   * opened, in the order in which that happened (so it may differ from pass to pass),
   * NO_FILE_NUMBER for everything else. Files that were skipped half-way have one.
   */
  readonly fileNumbers: Uint32Array
  /**
   * The earlier number of a known file that was not opened, because device, inode, length and both
   * times are still the same: the number it was added with. NO_FILE_NUMBER for everything else. A
   * trusted file is of kind file, has a `fileNumbers` of this pass too, its `bytes` count as done
   * but are in no level, its digests are zeros.
   */
  readonly trustedAs: Uint32Array
  /**
   * A file's length. Of a skipped entry what the block levels count of it: 0 unless it is a file of
   * more than 1 MiB that changed, failed or was cancelled half-way.
   */
  readonly bytes: Float64Array
  readonly allocatedBytes: Float64Array
  readonly mtimeNs: BigInt64Array
  readonly ctimeNs: BigInt64Array
  readonly device: BigUint64Array
  readonly inode: BigUint64Array
  readonly mode: Uint32Array
  /**
   * 16 bytes each, big-endian: equal for equal files only (see native/src/core/blocks/blockTree.h);
   * zeros for other kinds.
   */
  readonly digests: Uint8Array
  /** 32 bytes each, zeros for anything that is not a file; null unless asked for. */
  readonly sha256: Uint8Array | null
  /**
   * A row of text of each entry, from which the catalog stores those that need nothing else
   * (native/src/core/survey/entryColumns.h).
   */
  readonly cells: Uint8Array
}

/** The addon's own form of `EntryBatch`: maps are lists, texts are bytes. */
export interface RawEntryBatch extends EntryColumns {
  readonly linkTargets: readonly { index: number; target: Uint8Array }[]
  readonly skips: readonly RawSkip[]
}

export interface ProgressCounts {
  readonly foldersFound: number
  readonly filesFound: number
  /** The bytes of each file once, however many names it has. */
  readonly bytesFound: number
  readonly walkFinished: boolean
  readonly filesDone: number
  /** All that were taken or can be, of any kind. */
  readonly entries: number
  readonly bytesDone: number
}

interface RawProgress extends ProgressCounts {
  readonly current: Uint8Array | null
}

/** The facts by which a file is the same one that was read before, and the number it had. */
interface KnownFileColumns {
  readonly device: BigUint64Array
  readonly inode: BigUint64Array
  readonly bytes: Float64Array
  readonly mtimeNs: BigInt64Array
  readonly ctimeNs: BigInt64Array
  /** The index of the pass's root, and the path below it (empty for the root itself). */
  readonly rootIndex: Uint32Array
  readonly paths: readonly Uint8Array[]
  readonly fileNumbers: Uint32Array
}

/**
 * Files that an earlier survey read, 33 bytes each in native memory. Add all before the pass
 * starts: then they are the pass's.
 */
export interface NativeKnownFiles {
  /** Columns of one length; of a file added twice the later number counts. Throws TypeError. */
  add(files: KnownFileColumns): void
}

export interface RawUnion {
  /**
   * Then nothing else is there. `input` is the number of inputs if it was the writing, more if two
   * files got one number.
   */
  readonly failure: { readonly input: number; readonly cause: string } | null
  readonly blockLevels: BlockLevel[]
  readonly chunkLevels: DrawLevel[]
  readonly files: FileLevel
  /** By level: block sizes, chunk profiles, whole files. */
  readonly unattributedBytes: number[]
  readonly offsets: Uint32Array
  /** The profiles of the chunk levels, as a ChunkProfile has them. */
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

/**
 * A unit of a file: 256 KiB from a multiple of that, or what is left from there to the file's end.
 */
export interface RawSample {
  readonly rootIndex: number
  /** The bytes of the file's path below its root; of several names of one file it may be any. */
  readonly path: Uint8Array
  /** The length of the whole file. */
  readonly fileBytes: number
  readonly offset: number
  /** The bytes before `data` in the file, up to 32 KiB. */
  readonly history: Buffer
  readonly data: Buffer
  /** By block level, smallest first; empty if the survey was cancelled. */
  readonly copies: readonly Uint32Array[]
}

/** The repeats in a stream of files: see native/src/core/anchors/reuseMeter.h. */
export interface Reuse {
  /** Bytes of each group of files. */
  readonly bytes: Float64Array
  /**
   * The part of them in short patterns that repeat, such as zeros; the fields below do not count
   * it.
   */
  readonly quietBytes: Float64Array
  /** For each dictionary, of each group: bytes not seen within it. */
  readonly novelBytes: readonly Float64Array[]
  /** For each dictionary, of each group: how many stretches repeat something within it. */
  readonly runs: readonly Float64Array[]
}

/** Parts of files, in the order of the stream. */
export interface Stretches {
  readonly fileNumbers: Uint32Array
  readonly offsets: Float64Array
  readonly lengths: Float64Array
}

/** Settles with null once cancelled. */
export interface Question<Answer> {
  cancel(): void
  readonly finished: Promise<Answer | null>
}

/** The anchors of a survey, for any number of questions; in native memory until they are closed. */
export interface NativeAnchors {
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
    /**
     * The archive of each file; where the number changes the past begins anew. Null: all go into
     * one.
     */
    archives: Uint32Array | null,
  ): Question<Reuse>
  /**
   * At each of the places, which ascend, `pieceBytes` of the files in that order; of those in no
   * file before, or of all.
   */
  stretches(
    order: Uint32Array,
    novelOnly: boolean,
    places: Float64Array,
    pieceBytes: number,
  ): Question<Stretches>
  contentOrder(order: Uint32Array): Question<Uint32Array>
  /**
   * The group of each file of the order: see AnchorIndex::contentGroups in
   * native/src/core/anchors/anchorIndex.h.
   */
  contentGroups(
    order: Uint32Array,
    bytes: Float64Array,
    mostBytes: number,
    leastShare: number,
  ): Question<Uint32Array>
}

/** The controls that both sides share. */
export interface SurveyControl {
  /** Smallest block first. Cheap; while the pass runs, unique figures lag a little behind. */
  blockLevels(): BlockLevel[]
  /** Once, after `finished`; about 0.2 s for a million anchors, on a thread of its own. */
  takeAnchors(): Promise<NativeAnchors>
  /**
   * Gives the tables' memory back, after `finished` and the last `saveSketch`: `blockLevels` and
   * `chunkLevels` stay as they are.
   */
  freeTables(): Promise<void>
  /**
   * Gives all native memory back, after `finished`; V8, which would otherwise do it some day, does
   * not see that memory. What other work of the process has freed goes back to the system with it.
   * After it no other method may be called. Anchors that were taken stay.
   */
  close(): Promise<void>
  /** With `listFirst`: files are read from now on. */
  startReading(): void
  /** The slowest kind of the roots' devices; `unknown` before the first name is listed. */
  deviceKind(): ReadingFacts['deviceKind']
  pause(): void
  resume(): void
  /**
   * The pass ends within 200 ms unless the system itself hangs in a read; what is known can still
   * be taken.
   */
  cancel(): void
  /** Settles when no thread works any more; rejects only if memory runs out. */
  readonly finished: Promise<SurveyEnd>
}

interface RawSurvey extends SurveyControl {
  takeEntries(): RawEntryBatch | null
  takeListed(): RawEntryBatch | null
  progress(): RawProgress
  leftOut(): { rootIndex: number; path: Uint8Array; files: number; bytes: number }[]
  /** Null if there are none at present. */
  takeExcludedFiles(): RawExcludedFiles | null
  excludedFolders(): {
    rootIndex: number
    path: Uint8Array
    files: number
    bytes: number
    /** Its place in `ruleCounts`. */
    rule: number
  }[]
  ruleCounts(): RawRuleCount[]
  /** In the order of `RawRules.trials`. */
  trialCounts(): { files: number; bytes: number }[]
  ruleFaults(): {
    rootIndex: number
    path: Uint8Array
    line: number
    column: number
    cause: string
  }[]
  /** In the order of the chunkers given. */
  chunkLevels(): DrawLevel[]
  /**
   * The next of them, until about so many bytes are copied, 32 KiB for each sample included; none
   * when all have been taken.
   */
  takeSamples(wantedBytes: number): { tau: number | null; samples: RawSample[] }
  /** Null, or why it failed. */
  saveSketch(path: Uint8Array): Promise<string | null>
  /** Adds rows in the form of `takeFingerprints`, before any is taken. */
  addFingerprints(
    level: number,
    hash: BigInt64Array,
    bytes: BigInt64Array,
    file: Int32Array,
    count: Int32Array,
  ): void
  /** The next rows of a level, after `finished`; levels are asked for one after the other. */
  takeFingerprints(level: number, most: number): Promise<RawFingerprintRows>
}

interface SurveyEnd {
  readonly cancelled: boolean
  readonly peakRssBytes: number
  readonly reading: ReadingFacts
  /** See `totals.clonedBytes` of the survey's document. */
  readonly clonedBytes: number | null
}

interface RawHashing {
  bytesDone(): number
  cancel(): void
  readonly finished: Promise<{ cancelled: boolean; sha256: Uint8Array; errors: RawSkip[] }>
}

interface RawAttributeReading {
  cancel(): void
  readonly finished: Promise<{
    cancelled: boolean
    /** The user and the group of each path, 0 for one with an error. */
    owners: Uint32Array
    /** When each was made, since 1970; NaN where the file system does not keep it. */
    createdSeconds: Float64Array
    createdNanoseconds: Uint32Array
    /** 0 or an errno value for each path. */
    errors: Int32Array
    kept: { index: number; name: Uint8Array; value: Uint8Array }[]
    left: { index: number; name: Uint8Array }[]
  }>
}

/** One element each in every column; paths are below their roots, one after the other. */
export interface RawExcludedFiles {
  readonly count: number
  readonly rootIndex: Uint32Array
  readonly pathBytes: Uint8Array
  readonly pathEnds: Uint32Array
  /** The place of its rule in `ruleCounts`. */
  readonly rule: Uint32Array
  readonly bytes: Float64Array
}

export interface RawRuleCount {
  /** A value of `RuleOrigin` in native/src/core/rules/rules.h. */
  readonly origin: number
  readonly rootIndex: number
  readonly folder: Uint8Array
  readonly line: number
  readonly text: Uint8Array
  readonly used: boolean
  readonly files: number
  readonly bytes: number
  readonly folders: number
}

export interface RawRules {
  given: Uint8Array[]
  presets: Uint8Array[]
  ignoreFiles: boolean
  caches: boolean
  mostBytes: number | null
  oneFileSystem: boolean
  /** Lists that leave nothing out, each counted as if it alone were asked after the others. */
  trials: Uint8Array[][]
}

/** The exports of `stowage.node`. Wrong arguments throw TypeError. */
export interface RawAddon
  extends RawTiming,
    RawContainers,
    RawPipe,
    RawDeflate,
    RawProcesses,
    RawProtecting,
    RawCombining,
    RawSectorReading,
    RawDiscImage,
    RawDrives {
  startSurvey(options: {
    roots: Uint8Array[]
    leaveOut: Uint8Array[]
    /** Null leaves nothing out. */
    rules: RawRules | null
    countExcluded: boolean
    walkOnly: boolean
    listFirst: boolean
    blocksFrom512: boolean
    blockSizes: Float64Array
    sha256: boolean
    /** Five numbers for each: see CutRule. */
    chunkers: Float64Array
    anchors: boolean
    sampleBytes: number
    maxTableBytes: number
    marks: boolean
    fingerprints: RawFingerprints | null
    known: NativeKnownFiles | null
    threads: number
  }): RawSurvey
  /** The rules of a file in the form of gitignore(5). */
  rulesOfFile(content: Uint8Array): {
    rules: { line: number; text: Uint8Array }[]
    faults: { line: number; column: number; cause: string }[]
    isUtf8: boolean
  }
  /** `ineffective`: rules that take nothing back, as `by` leaves out a folder above. */
  checkRules(texts: Uint8Array[]): {
    faults: { index: number; column: number; cause: string }[]
    ineffective: { rule: number; by: number; folder: Uint8Array }[]
  }
  /**
   * For each file the index of the first rule that describes it or a folder above it, or -1.
   * @param files paths, each with a zero at its end
   */
  firstRules(rules: Uint8Array[], files: Uint8Array): Int32Array
  hashRanges(paths: Uint8Array[], offsets: Float64Array, lengths: Float64Array, threads: number): RawHashing
  createKnownFiles(isPart: boolean): NativeKnownFiles
  /**
   * Times are seconds and nanoseconds accessed, seconds and nanoseconds modified. Gives 0 or an
   * errno value.
   */
  setFileTimes(path: Uint8Array, times: Float64Array): number
  /**
   * Owners and extended attributes (see native/src/platform/attributes.h) of files, folders and
   * links themselves.
   */
  readAttributes(paths: Uint8Array[]): RawAttributeReading
  /** Gives 0 or an errno value. */
  setAttribute(path: Uint8Array, name: Uint8Array, value: Uint8Array): number
  accountName(isGroup: boolean, id: number): Uint8Array | null
  accountId(isGroup: boolean, name: Uint8Array): number | null
  /** An `out` of null writes nothing. */
  mergeSketches(
    paths: Uint8Array[],
    fileMaps: (Uint32Array | null)[],
    out: Uint8Array | null,
  ): Promise<RawUnion>
  trimHeaps(): Promise<void>
  threadCpuMs(): number
  /**
   * The same at the full density of anchors for bytes that hold files of these lengths, on this
   * thread.
   */
  reuseWithin(
    bytes: Uint8Array,
    fileBytes: Float64Array,
    groups: Uint32Array,
    groupCount: number,
    dictionaries: Float64Array,
  ): Reuse
  /** Which form of the block hash this processor runs: `avx512`, `avx2` or `portable`. */
  readonly blockHash: string
}

/** This platform and architecture, as Node names them: `linux-x64`, `win32-x64`, `darwin-arm64`. */
const SYSTEM = `${process.platform}-${process.arch}`
/** Each platform and architecture has a folder of its own, so that one tree may hold several. */
const PLACE = join('build', 'native', SYSTEM, 'stowage.node')
/**
 * From src/engine/native and from dist/engine it is three and two folders up; a package may nest
 * one deeper.
 */
const MOST_FOLDERS_UP = 4

let loaded: RawAddon | undefined

/**
 * The native addon, loaded once: the file named by STOWAGE_ADDON, or else
 * `build/native/<platform>-<arch>/stowage.node` in the nearest folder above this code that has one
 * (for a packaged app next to app.asar, since the system cannot load from inside).
 * @throws AppError `tool-missing` that lists the places tried, or says why the file found cannot
 *   be loaded.
 */
export function loadAddon(): RawAddon {
  loaded ??= loadFrom(addonCandidates(process.env['STOWAGE_ADDON'], ownFolder()))
  return loaded
}

/**
 * Gives memory that native code has freed back to the system, off this thread; does nothing while
 * the addon is not in use.
 */
export async function trimHeaps(): Promise<void> {
  await loaded?.trimHeaps()
}

/**
 * CPU time of the calling thread in milliseconds, to a microsecond: Node's own counts whole ticks
 * of the system where that does.
 */
export function threadCpuMs(): number {
  return loadAddon().threadCpuMs()
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
    throw new AppError(
      'tool-missing',
      said`there is no native addon for ${SYSTEM}; looked for ${candidates.join(', ')}`,
    )
  try {
    return createRequire(place)(place) as RawAddon
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new AppError('tool-missing', said`cannot load the native addon ${place}: ${reason}`, { cause })
  }
}

/** The bundles are CommonJS, the sources are modules. */
function ownFolder(): string {
  return typeof __dirname === 'string' ? __dirname : dirname(fileURLToPath(import.meta.url))
}
