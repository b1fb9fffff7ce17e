import type { AppErrorCode } from '../../primitives/appError'

/** What the addon exports for timing; `timing.ts` gives it its types. */
export interface RawTiming {
  startTimedRun(options: {
    directory: Uint8Array
    runFolder: string
    files: { name: Uint8Array; foreign: boolean; bytes: number; seed: number }[]
    steps: readonly object[]
    cacheMode: 'uncached' | 'buffered'
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

export interface RawRunFolder {
  remove(): RawTimingError | null
}

export interface RawTimingError {
  readonly code: AppErrorCode
  readonly cause: string
}

export interface RawTimedRun {
  takeSamples(): RawTimedSamples | null
  progress(): {
    stepsDone: number
    stepsTotal: number
    bytesDone: number
    bytesTotal: number
    /** A file's number, -1 for none. */
    current: number
  }
  pause(): void
  resume(): void
  cancel(): void
  readonly finished: Promise<RawTimedOutcome>
}

export interface RawTimedSamples {
  readonly count: number
  readonly step: Uint32Array
  readonly phase: Uint8Array
  readonly bytes: Float64Array
  readonly startNs: Float64Array
  readonly ns: Float64Array
}

export interface RawDeviceShare {
  readonly issuedBytes: number
  readonly deviceBytes: number
}

export interface RawTimedOutcome {
  readonly cancelled: boolean
  readonly cache: {
    readonly obtained: 'uncached' | 'buffered'
    readonly because: string
    readonly alignment: number
    readonly residencyKnown: boolean
    readonly residentBeforeBytes: number
    readonly residentAfterBytes: number
    readonly checkedBytes: number
    readonly countersKnown: boolean
    readonly reading: RawDeviceShare
    readonly writing: RawDeviceShare
  }
  readonly preallocated: boolean
  readonly verifiedBytes: number
  readonly error: (RawTimingError & { action: string; file: number }) | null
  readonly removeCause: string | null
}

export interface RawDeviceFacts {
  readonly model: string | null
  readonly kind: string
  readonly bus: string | null
  readonly fileSystem: string
  readonly mountPoint: Uint8Array
  readonly device: Uint8Array
  readonly totalBytes: number
  readonly freeBytes: number
  readonly source: string
}
