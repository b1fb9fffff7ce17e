import type { Pace } from '../../domain/media/speedCurve'
import type { AppErrorCode } from '../../primitives/appError'

export interface RawPipeOptions {
  /** Open files by their numbers. */
  readonly input: number
  readonly output: number
  readonly ringBytes: number
  readonly startBytes: number
  readonly lowBytes: number
  readonly paces: readonly Pace[]
  readonly lockMemory: boolean
  readonly hash: boolean
}

/** What one side had to wait for the other: in all, and how often longer than 10 ms. */
interface RawPipeWaiting {
  readonly ns: number
  readonly stalls: number
}

/** Bytes, and monotonic ns since the start. `leastFilled` and `mostFilled` are from the first write until the input ended. */
export interface PipeProgress {
  readonly bytesIn: number
  readonly bytesOut: number
  readonly filled: number
  readonly leastFilled: number
  readonly mostFilled: number
  readonly ns: number
  /** Of the side that reads the input: the buffer was full. */
  readonly full: RawPipeWaiting
  /** Of the side that writes the output: the buffer was empty, or filled up again after it ran low. */
  readonly empty: RawPipeWaiting
  readonly inputEnded: boolean
  readonly locked: boolean
}

export interface RawPipeOutcome {
  readonly cancelled: boolean
  readonly failed: 'none' | 'memory' | 'input' | 'output'
  /** Nobody reads the output any more. */
  readonly readerGone: boolean
  readonly code: AppErrorCode | null
  readonly cause: string | null
  readonly sha256: Uint8Array | null
}

export interface RawPipe {
  /** Open files by their numbers, which programs started later do not inherit. */
  openPipe(): { read: number; write: number }
  startPipe(options: RawPipeOptions): {
    progress(): PipeProgress
    cancel(): void
    pause(paused: boolean): void
    readonly finished: Promise<RawPipeOutcome>
  }
}
