import type { Pace } from '../../domain/media/speedCurve'
import { AppError } from '../../primitives/appError'
import { loadAddon } from './loadAddon'
import type { PipeProgress, RawPipeOutcome } from './rawPipe'

export type { PipeProgress } from './rawPipe'

/** The addon takes no smaller one: one request of a pipe. */
export const LEAST_BUFFER_BYTES = 64 * 1024

interface PipeOptions {
  /** Open files by their numbers, which stay open. */
  readonly input: number
  readonly output: number
  readonly bufferBytes: number
  /** Nothing is written before the buffer holds this much or the input has ended. */
  readonly startBytes: number
  /** Writing pauses below this until the buffer holds `startBytes` again or the input has ended; 0 for never. */
  readonly lowBytes: number
  /** In rising order from byte 0; empty for as fast as the output takes it. */
  readonly paces: readonly Pace[]
}

export interface RunningPipe {
  progress(): PipeProgress
  /** What is in the buffer is not written any more; `finished` settles soon. */
  cancel(): void
  /** Settles when everything was carried over, it was cancelled, or the reader of the output has gone. */
  readonly finished: Promise<'done' | 'cancelled' | 'readerGone'>
}

/**
 * Carries bytes from one open file to another through a buffer in memory, on threads of its own. `finished` rejects with an
 * AppError that names the side that failed: `no-space`, `io` and others.
 * @throws AppError `tool-missing` without the addon, `usage` for options that make no sense
 */
export function startPipe(options: PipeOptions): RunningPipe {
  const { bufferBytes, ...more } = options
  const raw = loadAddon().startPipe({ ...more, ringBytes: bufferBytes, lockMemory: true })
  return {
    progress: () => raw.progress(),
    cancel: () => raw.cancel(),
    finished: raw.finished.then((outcome) => endOf(outcome, bufferBytes)),
  }
}

function endOf(outcome: RawPipeOutcome, bufferBytes: number): 'done' | 'cancelled' | 'readerGone' {
  if (outcome.cancelled) return 'cancelled'
  if (outcome.readerGone) return 'readerGone'
  const { code, cause, failed } = outcome
  if (code === null || failed === 'none') return 'done'
  if (failed === 'memory')
    throw new AppError('usage', `cannot use a buffer of ${bufferBytes} bytes: ${cause ?? code}`)
  throw new AppError(code, `cannot ${failed === 'input' ? 'read' : 'write'} the ${failed}: ${cause ?? code}`)
}
