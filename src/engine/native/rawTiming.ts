import type { CacheMode } from '../../domain/devices/measurement'
import type { AppErrorCode } from '../../primitives/appError'

/** The exports of the addon for timing; `timing.ts` gives them their types. */
export interface RawTiming {
  startTimedRun(options: {
    directory: Uint8Array
    runFolder: string
    files: { name: Uint8Array; foreign: boolean; bytes: number; seed: number }[]
    steps: readonly object[]
    cacheMode: CacheMode
    flush: 'none' | 'each' | 'end'
    preallocate: boolean
    keepFolder: boolean
    minimumFreeBytes: number
  }): RawTimedRun
  deviceFacts(path: Uint8Array): RawDeviceFacts | RawTimingError
  readCounters(path: Uint8Array): { sectorsRead: number; sectorsWritten: number } | null
  removeRunFolder(directory: Uint8Array, name: string): string | RawTimingError
  /** Throws TypeError for a name that no run's folder has. */
  makeRunFolder(directory: Uint8Array, name: string): RawRunFolder | RawTimingError
  timingOverheadNs(): number
}

interface RawRunFolder {
  remove(): RawTimingError | null
}

interface RawTimingError {
  readonly code: AppErrorCode
  readonly cause: string
}

/** The controls that both sides share. */
export interface TimedControl {
  /**
   * Samples not yet taken, or null if there are none at present; after `finished`, null means that
   * was all.
   */
  takeSamples(): TimedSamples | null
  /** Takes effect before the next step, so that no pause is in a time. */
  pause(): void
  resume(): void
  /** Ends before the next request. */
  cancel(): void
}

export interface TimedProgress {
  stepsDone: number
  stepsTotal: number
  bytesDone: number
  bytesTotal: number
}

interface RawTimedRun extends TimedControl {
  /** `current`: a file's number, -1 for none. */
  progress(): TimedProgress & { current: number }
  readonly finished: Promise<RawTimedOutcome>
}

/**
 * Some samples, in no particular order (`startNs` has it). `write`, `read` and the like are whole
 * transfers, from the first request's start to the last one's end, and are there only if complete;
 * their requests are samples of their own. Opening, preallocating, flushing and closing are in
 * neither. `bytes` of open, create and close are 0.
 */
export interface TimedSamples {
  readonly count: number
  readonly step: Uint32Array
  readonly phase: Uint8Array
  readonly bytes: Float64Array
  readonly startNs: Float64Array
  readonly ns: Float64Array
}

/**
 * The bytes that steps issued, and the device's own count meanwhile, other programs' work included.
 */
export interface DeviceShare {
  readonly issuedBytes: number
  readonly deviceBytes: number
}

export interface TimedCache {
  readonly obtained: CacheMode
  /** A sentence: by what means it was obtained, or why not. */
  readonly because: string
  /**
   * How much of the files read lay in the system's cache right before and right after reading, of
   * `checkedBytes`; null if the system cannot report it. Both are 0 for direct reads; the former
   * also after a proper drop when buffered.
   */
  readonly residentBeforeBytes: number | null
  readonly residentBytes: number | null
  readonly checkedBytes: number
  /** Requests must be multiples of this. */
  readonly alignment: number
  /**
   * The counts of read and randomRead steps, and of write and randomWrite steps with their flushes;
   * null without such counters.
   */
  readonly device: { readonly reading: DeviceShare; readonly writing: DeviceShare } | null
}

export interface RawTimedOutcome {
  readonly cancelled: boolean
  readonly cache: TimedCache
  readonly preallocated: boolean
  readonly verifiedBytes: number
  readonly error: (RawTimingError & { action: string; file: number }) | null
  readonly removeCause: string | null
}

/** The system's own report on a device; null where it reports nothing. */
export interface SystemFacts {
  readonly model: string | null
  /** `nvme`, `sata`, `scsi`, `usb`, `mmc`, `virtio`, … */
  readonly bus: string | null
  readonly fileSystem: string
  readonly totalBytes: number
  readonly freeBytes: number
  /** Which of the system's sources said so. */
  readonly source: string
}

interface RawDeviceFacts extends SystemFacts {
  readonly kind: string
  readonly mountPoint: Uint8Array
  readonly device: Uint8Array
}
