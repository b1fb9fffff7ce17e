import type { JsonDocument } from '../contract/documents'
import type { JobProgress } from '../contract/dto/job'
import { progressFigures } from '../contract/progressFigures'
import type { JsonSchema } from '../domain/jsonSchema'
import type { AppError } from '../primitives/appError'
import type { Surroundings } from '../primitives/dataFolder'
import { jsonForDisplay, pathForDisplay } from '../primitives/pathText'
import { formatCount } from '../primitives/quantity'
import { formatDuration } from '../primitives/spokenTime'
import { erasableLines } from './shape/erasableLines'
import { formatRate, formatSize } from './shape/sizes'
import { columnsOf, wrapped } from './shape/wrapped'

/**
 * Where a command writes: results to stdout, everything else to stderr. Whatever names are in them,
 * no text here reaches the terminal with characters that it would obey.
 */
export interface Terminal {
  readonly json: boolean
  /** The parts of the machine that decide where catalog and settings of this command are. */
  readonly surroundings: Surroundings
  /** True when stderr is a terminal, where a person can follow and interrupt. */
  readonly isInteractive: boolean
  /** The screen that results are read on; null where stdout is not a terminal. */
  readonly screen: { readonly rows: number | null } | null
  /** Prints a result that a better one replaces soon, see `eraseDraft`. */
  draft(print: () => void): void
  /**
   * Erases the draft where that leaves nothing of it and takes nothing else away: not where it is
   * taller than the screen, where the screen has changed, or where something follows it.
   * @returns false where it stays
   */
  eraseDraft(): boolean
  /** A line of the result, for people; nothing under --json. */
  line(text?: string): void
  /** Several of them, each after `indent`. */
  lines(lines: Iterable<string>, indent?: string): void
  /** The one JSON document of a command under --json; nothing otherwise. */
  document(value: JsonDocument | JsonSchema): void
  /** A line that is not part of the result. */
  note(text: string): void
  notes(lines: Iterable<string>, indent?: string): void
  failure(error: AppError): void
  /** @param name of the job where several run: each has its own line */
  progress(progress: JobProgress, name?: string): void
  /** A line that the next one replaces; nothing where stderr is not a terminal. */
  status(text: string): void
  /** Clears the progress line before something else is written. */
  clear(): void
}

export interface Streams {
  readonly out: {
    write(text: string): unknown
    readonly isTTY?: boolean
    readonly columns?: number
    readonly rows?: number
  }
  readonly err: { write(text: string): unknown; readonly isTTY?: boolean; readonly columns?: number }
}

/** A line as a terminal shows it best: broken at spaces where it is wider than that. */
function fitted(text: string, stream: { readonly columns?: number }): string {
  const shown = pathForDisplay(text)
  const columns = columnsOf(stream)
  if (columns === null) return `${shown}\n`
  const indent = /^ */.exec(shown)?.[0] ?? ''
  return `${wrapped(shown, `${indent}  `, indent.length, columns).join('\n')}\n`
}

/** On a terminal progress is one line that is rewritten; elsewhere a line every five seconds. */
const PLAIN_PROGRESS_INTERVAL_MS = 5_000

export function terminal(streams: Streams, json: boolean, surroundings: Surroundings): Terminal {
  /** The progress that is shown now, by the name of its job. */
  const shown = new Map<string, string>()
  const plainReportMs = new Map<string, number>()
  const status = (text: string, name = ''): void => {
    if (!streams.err.isTTY) return
    const up = shown.size > 1 ? `\u001b[${shown.size - 1}A` : ''
    shown.set(name, `${pathForDisplay(text).slice(0, (streams.err.columns ?? 80) - 1)}\u001b[K`)
    streams.err.write(`\r${up}${[...shown.values()].join('\n')}`)
  }
  const clear = (): void => {
    for (let left = shown.size; left > 0; left--)
      streams.err.write(left > 1 ? '\r\u001b[K\u001b[1A' : '\r\u001b[K')
    shown.clear()
  }
  const draft = erasableLines(streams.out)
  const line = (text = ''): void => {
    if (json) return
    clear()
    const written = fitted(text, streams.out)
    draft.wrote(written)
    streams.out.write(written)
  }
  const note = (text: string): void => {
    clear()
    const written = fitted(text, streams.err)
    if (streams.err.isTTY) draft.wrote(written)
    streams.err.write(written)
  }
  return {
    json,
    surroundings,
    isInteractive: streams.err.isTTY === true,
    screen: streams.out.isTTY ? { rows: streams.out.rows || null } : null,
    draft: (print) => draft.print(print),
    eraseDraft() {
      clear()
      return draft.erase()
    },
    line,
    lines(lines, indent = '') {
      for (const text of lines) line(indent + text)
    },
    document(value) {
      if (!json) return
      clear()
      streams.out.write(`${jsonForDisplay(value)}\n`)
    },
    note,
    notes(lines, indent = '') {
      for (const text of lines) note(indent + text)
    },
    failure(error) {
      clear()
      const { code, message, path } = error
      if (json) streams.err.write(`${jsonForDisplay({ error: { code, message, path } })}\n`)
      else streams.err.write(`stowage: ${pathForDisplay(message)}\n`)
      if (code !== 'internal' || json) return
      for (const frame of error.stack?.split('\n') ?? []) streams.err.write(`${pathForDisplay(frame)}\n`)
    },
    progress(progress, name = '') {
      const text = `${name === '' ? '' : `${name}: `}${progressText(progress)}`
      if (streams.err.isTTY) {
        status(text, name)
      } else if (progress.elapsedMs - (plainReportMs.get(name) ?? 0) >= PLAIN_PROGRESS_INTERVAL_MS) {
        plainReportMs.set(name, progress.elapsedMs)
        streams.err.write(`${pathForDisplay(text)}\n`)
      }
    },
    status: (text) => status(text),
    clear,
  }
}

/**
 * `building: 42 % done, about 2 min left, volume 2 of 5: 13 %, 41 of 78 files, 3.1 GB of 5.0 GB,
 * 81 MB/s, 1 min 32 s`. A narrow terminal cuts the end.
 */
function progressText(progress: JobProgress): string {
  const { phase, filesDone, filesTotal, bytesDone, bytesTotal, bytesPerSecond, elapsedMs } = progress
  const { share, left, still, volume } = progressFigures(progress)
  const parts = []
  if (share !== null) parts.push(`${share} done`)
  if (left !== null) parts.push(`about ${left} left`)
  if (still !== null) parts.push(`no progress for ${still}, time left unknown`)
  if (volume !== null) parts.push(`volume ${volume.index} of ${volume.count}: ${volume.share}`)
  if (filesDone > 0 || filesTotal !== null) {
    parts.push(
      `${formatCount(filesDone)}${filesTotal === null ? '' : ` of ${formatCount(filesTotal)}`} files`,
    )
  }
  if (bytesDone > 0 || bytesTotal !== null) {
    parts.push(`${formatSize(bytesDone)}${bytesTotal === null ? '' : ` of ${formatSize(bytesTotal)}`}`)
  }
  if (bytesPerSecond !== null && bytesPerSecond > 0) parts.push(formatRate(bytesPerSecond))
  parts.push(formatDuration(elapsedMs))
  const place = phase.count > 1 ? ` ${phase.index}/${phase.count}` : ''
  return `${phase.name}${place}: ${parts.join(', ')}`
}
