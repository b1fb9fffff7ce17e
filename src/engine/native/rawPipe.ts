import type { Pace } from '../../domain/media/speedCurve'
import type { AppErrorCode } from '../../primitives/appError'

export interface PipeOptions {
  /** Open files by their numbers, which stay open. */
  readonly input: number
  readonly output: number
  readonly bufferBytes: number
  /** Nothing is written before the buffer holds this much or the input has ended. */
  readonly startBytes: number
  /**
   * Writing pauses below this until the buffer holds `startBytes` again or the input has ended; 0
   * for never.
   */
  readonly lowBytes: number
  /** In rising order from byte 0; empty for as fast as the output takes it. */
  readonly paces: readonly Pace[]
  /** Hash what passes. */
  readonly hash?: boolean
}

/** The waits of one side for the other: in all, and the number of those longer than 10 ms. */
interface RawPipeWaiting {
  readonly ns: number
  readonly stalls: number
}

/**
 * Bytes, and monotonic ns since the start. `leastFilled` and `mostFilled` are from the first write
 * until the input ended.
 */
export interface PipeProgress {
  readonly bytesIn: number
  readonly bytesOut: number
  readonly filled: number
  readonly leastFilled: number
  readonly mostFilled: number
  readonly ns: number
  /** Waits of the side that reads the input: the buffer was full. */
  readonly full: RawPipeWaiting
  /**
   * Waits of the side that writes the output: the buffer was empty, or filled up again after it ran
   * low.
   */
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
  startPipe(options: PipeOptions): {
    progress(): PipeProgress
    cancel(): void
    pause(paused: boolean): void
    readonly finished: Promise<RawPipeOutcome>
  }
}
