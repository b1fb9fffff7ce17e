import { closeSync } from 'node:fs'
import type { DriveMedium, VolumeWrite } from '../../../contract/dto/run'
import { AppError } from '../../../primitives/appError'
import { said } from '../../../primitives/said'
import { formatDuration } from '../../../primitives/spokenTime'
import { lineSplitter } from '../../files/read'
import type { JobContext } from '../../jobs/jobContext'
import { throwIfAborted } from '../../jobs/throwIfAborted'
import { openPipe, type PipeProgress, type RunningPipe } from '../../native/pipe'
import type { FoundTool } from '../../tools/externalTool'
import { runTool, type ToolResult } from '../../tools/runTool'
import type { Burner } from './burners'
import type { ImageSource } from './imageSource'
import { streamThrough } from './streamThrough'

/** How long a burner may show no progress before it is taken for hung. */
export interface StallLimits {
  /** While there is something to write: formatting a BD-R takes two minutes, calibration less. */
  readonly writingMs: number
  /** After the last byte: early drives needed a quarter of an hour to close a short DVD-R. */
  readonly closingMs: number
}

export const STALL_LIMITS: StallLimits = { writingMs: 5 * 60_000, closingMs: 30 * 60_000 }

/** The most characters that are shown of a tool's output. */
const SHOWN_CHARACTERS = 200

interface BurnOptions {
  readonly burner: Burner
  readonly tool: FoundTool
  /** As the burner names it. */
  readonly device: string
  readonly medium: DriveMedium
  readonly label: string
  readonly sectors: number
  readonly speed: number | null
  readonly bufferBytes: number
  readonly limits: StallLimits
  readonly context: Pick<JobContext, 'piped' | 'signal' | 'clock'>
  /** Bytes that the burner reports as written, never more than the image has. */
  readonly onBytes: (done: number) => void
  readonly onStart?: (pipe: RunningPipe) => void
}

/**
 * Burns one image: the source through the ring buffer into the burner's standard input.
 * @returns what was written; whether the medium has it is seen when it is read back
 * @throws AppError `tool-failed` for a burner that fails or hangs, `no-space`, `changed`,
 *   `vanished`, `cancelled`, …
 */
export async function burnDisc(
  source: ImageSource,
  options: BurnOptions,
): Promise<Pick<VolumeWrite, 'sha256' | 'bytes' | 'writeMs' | 'pipe'>> {
  const { burner, tool, label, sectors, context } = options
  const bytes = sectors * 2048
  const startedMs = context.clock.monotonicMs()
  const ends = openPipe()
  const watch = stallWatch(options)
  let problem: string | null = null
  let lastLine = ''
  let isReadClosed = false
  const closeRead = (): void => {
    if (!isReadClosed) closeSync(ends.read)
    isReadClosed = true
  }
  const onLine = (line: string): void => {
    const reading = burner.read(line)
    lastLine = line
    if (reading.kind === 'problem') problem ??= reading.text
    if (reading.kind !== 'progress') return
    watch.alive()
    if (reading.bytes !== null) options.onBytes(Math.min(reading.bytes, bytes))
  }
  const output = lineSplitter(onLine)
  const burnt = runTool(tool.path, burner.args(options), {
    stdin: ends.read,
    signal: AbortSignal.any([context.signal, watch.signal]),
    onStart: closeRead,
    onErrorLine: onLine,
    onOutput: (chunk) => output.push(chunk),
  }).finally(closeRead)
  burnt.catch(() => undefined)
  const passed = streamThrough({
    input: source.input,
    output: ends.write,
    bufferBytes: options.bufferBytes,
    bytes,
    context: { piped: context.piped, signal: AbortSignal.any([context.signal, watch.signal]) },
    onLook: watch.look,
    ...(options.onStart ? { onStart: options.onStart } : {}),
  })
  const [flow, burn] = await Promise.allSettled([passed, burnt])
  watch.stop()
  throwIfAborted(context.signal)
  const cannot = said`cannot write ${label} to ${options.device}`
  if (watch.signal.aborted) {
    const waited = formatDuration(watch.limitMs())
    throw new AppError(
      'tool-failed',
      said`${cannot}: ${burner.name} made no progress for ${waited} and was ended`,
    )
  }
  if (flow.status === 'rejected') throw flow.reason
  // A source that failed says more than a burner that got too little.
  await source.settled()
  if (burn.status === 'rejected') throw burn.reason
  requireSuccess(cannot, burner.name, burn.value, problem, lastLine)
  const { end, sha256, pipe } = flow.value
  if (end !== 'done' || sha256 === null || pipe.bytes !== bytes) {
    const message = said`${cannot}: ${burner.name} took ${pipe.bytes} of ${bytes} bytes`
    throw new AppError('tool-failed', message)
  }
  return { sha256, bytes, pipe, writeMs: context.clock.monotonicMs() - startedMs }
}

function requireSuccess(
  cannot: string,
  name: string,
  { exitCode }: ToolResult,
  problem: string | null,
  lastLine: string,
): void {
  if (exitCode === 0 && problem === null) return
  const cause = readable(problem ?? lastLine).slice(0, SHOWN_CHARACTERS)
  if (/No space left on device/.test(cause))
    throw new AppError('no-space', said`${cannot}: no space left on the device`)
  const because =
    cause === '' ? said`${name} ended with code ${exitCode}` : said`${name}: ${cause} (exit code ${exitCode})`
  throw new AppError('tool-failed', said`${cannot}: ${because}`)
}

/** Words of a tool as they are shown; nothing of what is no text, nor of a line without a word. */
function readable(line: string): string {
  return /[\p{Cc}\ufffd]/u.test(line) || !/\p{L}{3}/u.test(line) ? '' : line
}

/** Ends a burner that neither takes bytes nor reports progress for too long. */
function stallWatch({ limits, context, sectors }: BurnOptions) {
  const abort = new AbortController()
  let moved = ''
  let sinceMs = context.clock.monotonicMs()
  let limitMs = limits.writingMs
  const alive = (): void => {
    sinceMs = context.clock.monotonicMs()
  }
  const timer = setInterval(
    () => {
      if (context.clock.monotonicMs() - sinceMs > limitMs) abort.abort()
    },
    Math.min(1000, limits.writingMs),
  )
  return {
    signal: abort.signal,
    limitMs: () => limitMs,
    alive,
    look({ bytesIn, bytesOut }: PipeProgress): void {
      const now = `${bytesIn} ${bytesOut}`
      if (now === moved) return
      moved = now
      if (bytesOut >= sectors * 2048) limitMs = limits.closingMs
      alive()
    },
    stop: () => clearInterval(timer),
  }
}
