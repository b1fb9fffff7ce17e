import { closeSync } from 'node:fs'
import type { WritePipe } from '../../../contract/dto/run'
import type { JobContext } from '../../jobs/jobContext'
import { type PipeProgress, type RunningPipe, startPipe } from '../../native/pipe'

/** A burner that had to stop starts again with so much in the buffer, not with every few bytes. */
const START_SHARE = 0.9
const LOW_SHARE = 0.05
const LOOK_MS = 100
/** Rates are those of the last second. */
const RATE_LOOKS = 10
const NS_A_MS = 1e6

export interface Passed {
  /** SHA-256 in hex of what passed; null when not all did. */
  readonly sha256: string | null
  readonly pipe: WritePipe
  readonly end: 'done' | 'cancelled' | 'readerGone'
}

interface StreamOptions {
  /** Open files by their numbers; `output` is closed in the end, so that its reader sees it. */
  readonly input: number
  readonly output: number
  readonly bufferBytes: number
  /** The size of the stream: a larger buffer is of no use. */
  readonly bytes: number
  readonly context: Pick<JobContext, 'piped' | 'signal'>
  /** Called ten times a second with what the buffer has done so far. */
  readonly onLook: (now: PipeProgress) => void
  /** Called with the running pipe, to pause or cancel it. */
  readonly onStart?: (pipe: RunningPipe) => void
}

/**
 * Passes a stream through the ring buffer, shows its figures, and hashes it on the way.
 * @throws AppError of the side that failed: `no-space`, `io`, …
 */
export async function streamThrough(options: StreamOptions): Promise<Passed> {
  const { input, output, context, onLook } = options
  const bufferBytes = Math.max(65_536, Math.min(options.bufferBytes, options.bytes))
  let pipe: RunningPipe
  try {
    pipe = startPipe({
      input,
      output,
      bufferBytes,
      startBytes: Math.round(bufferBytes * START_SHARE),
      lowBytes: Math.round(bufferBytes * LOW_SHARE),
      paces: [],
      hash: true,
    })
  } catch (thrown) {
    closeSync(output)
    throw thrown
  }
  const cancel = (): void => pipe.cancel()
  context.signal.addEventListener('abort', cancel, { once: true })
  options.onStart?.(pipe)
  const looks: PipeProgress[] = []
  const look = (): void => {
    const now = pipe.progress()
    looks.push(now)
    if (looks.length > RATE_LOOKS) looks.shift()
    const [first] = looks
    if (first && now.ns > first.ns) {
      const perSecond = (bytes: number): number => (bytes * 1e9) / (now.ns - first.ns)
      context.piped({
        inBytesPerSecond: perSecond(now.bytesIn - first.bytesIn),
        outBytesPerSecond: perSecond(now.bytesOut - first.bytesOut),
        filledBytes: now.filled,
        bufferBytes,
      })
    }
    onLook(now)
  }
  const timer = setInterval(look, LOOK_MS)
  try {
    const end = await pipe.finished
    onLook(pipe.progress())
    return {
      end,
      sha256: end === 'done' ? pipe.sha256() : null,
      pipe: statisticsOf(pipe.progress(), bufferBytes),
    }
  } finally {
    clearInterval(timer)
    context.signal.removeEventListener('abort', cancel)
    context.piped(null)
    closeSync(output)
  }
}

function statisticsOf(last: PipeProgress, bufferBytes: number): WritePipe {
  return {
    bufferBytes,
    bytes: last.bytesOut,
    seconds: last.ns / 1e9,
    leastFilledBytes: last.leastFilled,
    mostFilledBytes: last.mostFilled,
    inputWaitedMs: last.full.ns / NS_A_MS,
    inputStalls: last.full.stalls,
    outputWaitedMs: last.empty.ns / NS_A_MS,
    outputStalls: last.empty.stalls,
    locked: last.locked,
  }
}
