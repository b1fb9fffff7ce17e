import { isAbsolute } from 'node:path'
import type { CacheMode } from '../../domain/devices/measurement'
import { AppError, type AppErrorCode } from '../../primitives/appError'
import { pathForDisplay, pathFromBytes, pathToBytes } from '../../primitives/pathText'
import { said } from '../../primitives/said'
import { loadAddon } from './loadAddon'
import type { RawTimedOutcome, SystemFacts, TimedCache, TimedControl, TimedProgress } from './rawTiming'

export type { TimedSamples } from './rawTiming'

/** A file that the run makes inside its folder, or somebody's that it only reads. */
export type TimedFile =
  | {
      /** Lower-case letters, digits and `-`, at most 80; on the disk `.timed` is added. */
      readonly name: string
      /**
       * Rounded up to a multiple of 4096 where requests are direct: samples have what was moved.
       */
      readonly bytes: number
      /**
       * Its content follows from it. Different for each file, or a storage might keep two alike
       * only once.
       */
      readonly seed: number
    }
  | {
      /** Absolute, lossless text. Never written, nor removed; a symbolic link is refused. */
      readonly path: string
      /** Its length as known before, for progress; what is read is its length when it is opened. */
      readonly bytes: number
    }

/**
 * `file` is an index of `files`; sequential steps move all of it in requests of `requestBytes`,
 * `depth` at once.
 */
export type TimedStep =
  /**
   * Makes the file's name, which must be new; the first `write` then goes on with the open file.
   */
  | { readonly op: 'create'; readonly file: number }
  /**
   * Samples: open (unless just created), preallocate, writeRequest…, write, flush (policy `each`),
   * close.
   */
  | { readonly op: 'write'; readonly file: number; readonly requestBytes: number; readonly depth: number }
  /**
   * Samples: open, readRequest…, read, close. When buffered, what the cache holds is flushed and
   * dropped before, unless `keepCache`.
   */
  | {
      readonly op: 'read'
      readonly file: number
      readonly requestBytes: number
      readonly depth: number
      readonly keepCache?: boolean
    }
  /**
   * `count` requests at seeded places, multiples of `requestBytes`, none twice before all were met.
   */
  | {
      readonly op: 'randomRead' | 'randomWrite'
      readonly file: number
      readonly requestBytes: number
      readonly depth: number
      readonly count: number
      readonly seed: number
    }
  /** Reads one file while writing another (created if need be), each with one request at a time. */
  | {
      readonly op: 'stream'
      readonly file: number
      readonly writeFile: number
      readonly requestBytes: number
    }
  /**
   * Reads the file into the system's cache, then times reading it from there: the rate that a disk
   * cannot have.
   */
  | { readonly op: 'cachedRead'; readonly file: number; readonly requestBytes: number }
  /**
   * Reads the file and compares it with what its last `write` wrote. Not timed; not after
   * `randomWrite`.
   */
  | { readonly op: 'verify'; readonly file: number }
  | { readonly op: 'remove'; readonly file: number }
  | { readonly op: 'pause'; readonly ms: number }

export interface TimedRunOptions {
  /** Where the run's folder is made; absolute, lossless text. */
  readonly directory: string
  /**
   * The name of the folder to be made there, fresh: `stowage-measure-` and lower-case letters,
   * digits or `-`, at most 80. Everything the run makes is inside. Null for a run that only reads
   * files given by path.
   */
  readonly runFolder: string | null
  readonly files: readonly TimedFile[]
  /** Carried out in this order. */
  readonly steps: readonly TimedStep[]
  readonly cacheMode: CacheMode
  /**
   * After each write step its file is flushed; or after the last write step all files; or never.
   * Always timed apart.
   */
  readonly flush: 'none' | 'each' | 'end'
  /** Claims a file's space before its first write, where the file system can. */
  readonly preallocate: boolean
  /** Nothing is written that would leave less than this free: the run ends with `no-space`. */
  readonly minimumFreeBytes: number
  /**
   * Leaves the folder for `removeRunFolder`. Default: the run removes it at its end, however it
   * ends.
   */
  readonly keepFolder?: boolean
}

/** Values of `TimedSamples.phase`: see native/src/core/timing/timedSamples.h for each. */
export const TIMED_PHASE = {
  create: 0,
  preallocate: 1,
  open: 2,
  write: 3,
  read: 4,
  randomWrite: 5,
  randomRead: 6,
  streamWrite: 7,
  streamRead: 8,
  cachedRead: 9,
  flush: 10,
  close: 11,
  remove: 12,
  writeRequest: 13,
  readRequest: 14,
} as const

export interface TimedOutcome {
  readonly cancelled: boolean
  readonly cache: TimedCache & { readonly requested: CacheMode }
  /** True when the file system could claim space beforehand at all. */
  readonly preallocated: boolean
  readonly verifiedBytes: number
  /** Why it ended early; the samples so far are valid. */
  readonly error: { readonly code: AppErrorCode; readonly message: string } | null
  /** Why the folder could not be removed; null if it was (or was to be kept). */
  readonly notRemoved: string | null
}

export interface TimedRun extends TimedControl {
  /** `current`: the name or path of the file under way. */
  progress(): TimedProgress & { current: string | null }
  /**
   * Settles when nothing is under way any more and the folder is removed; rejects only if memory
   * runs out.
   */
  readonly finished: Promise<TimedOutcome>
}

/**
 * Carries out timed steps on a thread of its own. Nothing that can happen to a file makes it throw:
 * see `error`.
 * @throws AppError `tool-missing` without the addon, `usage` for options that make no sense.
 */
export function startTimedRun(options: TimedRunOptions): TimedRun {
  const raw = start(options)
  return {
    takeSamples: () => raw.takeSamples(),
    progress: () => {
      const { current, ...progress } = raw.progress()
      return { ...progress, current: current < 0 ? null : nameOf(options, current) }
    },
    pause: () => raw.pause(),
    resume: () => raw.resume(),
    cancel: () => raw.cancel(),
    finished: raw.finished.then((outcome) => outcomeOf(options, outcome)),
  }
}

function start(options: TimedRunOptions) {
  if (!isAbsolute(options.directory))
    throw new AppError(
      'usage',
      said`cannot measure ${pathForDisplay(options.directory)}: the path is not absolute`,
    )
  const addon = loadAddon()
  try {
    return addon.startTimedRun({
      ...options,
      directory: pathToBytes(options.directory),
      runFolder: options.runFolder ?? '',
      files: options.files.map((file) =>
        'path' in file
          ? { name: pathToBytes(file.path), foreign: true, bytes: file.bytes, seed: 0 }
          : { name: pathToBytes(file.name), foreign: false, bytes: file.bytes, seed: file.seed },
      ),
      keepFolder: options.keepFolder ?? false,
    })
  } catch (cause) {
    if (cause instanceof TypeError)
      throw new AppError('usage', said`cannot measure: ${cause.message}`, { cause })
    throw cause
  }
}

function nameOf(options: TimedRunOptions, index: number): string {
  const file = options.files[index]
  if (!file) return options.runFolder ?? options.directory
  return 'path' in file ? file.path : file.name
}

function outcomeOf(options: TimedRunOptions, raw: RawTimedOutcome): TimedOutcome {
  const folder = `${options.directory.replace(/\/+$/, '')}/${options.runFolder ?? ''}`
  const pathOf = (index: number) => {
    const file = options.files[index]
    if (!file) return folder
    return 'path' in file ? file.path : `${folder}/${file.name}.timed`
  }
  return {
    cancelled: raw.cancelled,
    cache: { ...raw.cache, requested: options.cacheMode },
    preallocated: raw.preallocated,
    verifiedBytes: raw.verifiedBytes,
    error: raw.error && {
      code: raw.error.code,
      message: said`cannot ${raw.error.action} ${pathForDisplay(pathOf(raw.error.file))}: ${raw.error.cause}`,
    },
    notRemoved:
      raw.removeCause === null ? null : `cannot remove ${pathForDisplay(folder)}: ${raw.removeCause}`,
  }
}

/**
 * Removes the folder of a run that was killed: only one that bears a run's marker (or is empty) and
 * is not in use, in it only the names that runs make, and never through a link.
 * `foreign-files-left`: something else is in it, and it stays.
 * @throws AppError if the system refuses.
 */
export function removeRunFolder(
  directory: string,
  runFolder: string,
): 'removed' | 'absent' | 'not-ours' | 'in-use' | 'foreign-files-left' {
  const answer = loadAddon().removeRunFolder(pathToBytes(directory), runFolder)
  if (typeof answer === 'string') return answer as ReturnType<typeof removeRunFolder>
  const path = `${directory.replace(/\/+$/, '')}/${runFolder}`
  throw new AppError(answer.code, said`cannot remove ${pathForDisplay(path)}: ${answer.cause}`)
}

/**
 * A run's folder that is held from outside of a timed run: in use until it is removed or this
 * process ends.
 */
interface HeldRunFolder {
  readonly path: string
  /**
   * Removes what runs and containers make in it, and it. Why that failed, in words; null if it did
   * not.
   */
  remove(): string | null
}

/**
 * Makes a run's folder, fresh; `runFolder` as in `TimedRunOptions`. Files in it must end in
 * `.timed`, bundles in `.sparsebundle`: nothing else is removed with it.
 * @throws AppError `exists`, `permission-denied`, `no-space`, … as the system refuses
 */
export function makeRunFolder(directory: string, runFolder: string): HeldRunFolder {
  const path = `${directory.replace(/\/+$/, '')}/${runFolder}`
  const made = loadAddon().makeRunFolder(pathToBytes(directory), runFolder)
  if ('cause' in made) throw new AppError(made.code, said`cannot make ${pathForDisplay(path)}: ${made.cause}`)
  return {
    path,
    remove: () => {
      const failure = made.remove()
      return failure && `cannot remove ${pathForDisplay(path)}: ${failure.cause}`
    },
  }
}

type DeviceKind = 'ssd' | 'hdd' | 'usb' | 'network' | 'optical' | 'memory' | 'virtual' | 'unknown'

/** The system's own report on the device under a path, with paths in lossless text. */
export interface DeviceFacts extends SystemFacts {
  readonly kind: DeviceKind
  readonly mountPoint: string
  /** `/dev/sda1`, `server:/share`. */
  readonly device: string
}

/** @throws AppError `not-found`, `permission-denied`, … for a path that cannot be asked about. */
export function deviceFacts(path: string): DeviceFacts {
  const answer = loadAddon().deviceFacts(pathToBytes(path))
  if ('cause' in answer)
    throw new AppError(answer.code, said`cannot find the device of ${pathForDisplay(path)}: ${answer.cause}`)
  return {
    ...answer,
    kind: answer.kind as DeviceKind,
    mountPoint: pathFromBytes(answer.mountPoint),
    device: pathFromBytes(answer.device),
  }
}

/**
 * The sectors of 512 bytes that the device under a path has moved since the system found it; null
 * if nobody counts.
 */
export function readCounters(path: string): { sectorsRead: number; sectorsWritten: number } | null {
  return loadAddon().readCounters(pathToBytes(path))
}

/**
 * The cost of timing one operation here and now, in nanoseconds: two looks at the clock and the
 * storing.
 */
export function timingOverheadNs(): number {
  return loadAddon().timingOverheadNs()
}
