import { totalmem } from 'node:os'
import { AppError } from '../../primitives/appError'
import { said } from '../../primitives/said'
import { loadAddon } from './loadAddon'
import type { PipeOptions, PipeProgress, RawPipeOutcome } from './rawPipe'

export type { PipeOptions, PipeProgress } from './rawPipe'

/** The addon takes no smaller one: one request of a pipe. */
export const LEAST_BUFFER_BYTES = 64 * 1024

const USUAL_BUFFER_BYTES = 256 * 1024 * 1024
/** The rest of the memory is for the programs on both sides. */
const MOST_OF_MEMORY = 1 / 8

/**
 * The buffer that is used where none was asked for: 256 MiB, or an eighth of the memory where that
 * is less.
 */
export function usualBufferBytes(): number {
  return Math.min(USUAL_BUFFER_BYTES, Math.floor(totalmem() * MOST_OF_MEMORY))
}

export interface RunningPipe {
  progress(): PipeProgress
  /** Drops the buffer's content; `finished` settles soon. */
  cancel(): void
  /** While it is paused nothing is written, and reading ends when the buffer is full. */
  pause(paused: boolean): void
  /**
   * Settles when everything was carried over, it was cancelled, or the reader of the output has
   * gone.
   */
  readonly finished: Promise<'done' | 'cancelled' | 'readerGone'>
  /**
   * SHA-256 of all that passed, in hex, once it is finished; null where it was not asked for or did
   * not all pass.
   */
  sha256(): string | null
}

/**
 * Carries bytes from one open file to another through a buffer in memory, on threads of its own.
 * `finished` rejects with an AppError that names the side that failed: `no-space`, `io` and others.
 * @throws AppError `tool-missing` without the addon, `usage` for options that make no sense
 */
export function startPipe(options: PipeOptions): RunningPipe {
  const raw = loadAddon().startPipe({ hash: false, ...options })
  let sha256: string | null = null
  return {
    progress: () => raw.progress(),
    cancel: () => raw.cancel(),
    pause: (paused) => raw.pause(paused),
    finished: raw.finished.then((outcome) => {
      sha256 = outcome.sha256 && Buffer.from(outcome.sha256).toString('hex')
      return endOf(outcome, options.bufferBytes)
    }),
    sha256: () => sha256,
  }
}

/**
 * A pipe of the system between two programs, or a program and `startPipe`. Whoever opens it closes
 * both ends, each as soon as the program that uses it is started.
 */
export function openPipe(): { readonly read: number; readonly write: number } {
  return loadAddon().openPipe()
}

function endOf(outcome: RawPipeOutcome, bufferBytes: number): 'done' | 'cancelled' | 'readerGone' {
  if (outcome.cancelled) return 'cancelled'
  if (outcome.readerGone) return 'readerGone'
  const { code, cause, failed } = outcome
  if (code === null || failed === 'none') return 'done'
  if (failed === 'memory')
    throw new AppError('usage', said`cannot use a buffer of ${bufferBytes} bytes: ${cause ?? code}`)
  const because = cause ?? code
  const message =
    failed === 'input' ? said`cannot read the input: ${because}` : said`cannot write the output: ${because}`
  throw new AppError(code, message)
}
