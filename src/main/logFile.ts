import { appendFileSync, renameSync, statSync } from 'node:fs'
import path from 'node:path'
import { ensureFolder } from '../files/ensureFolder'
import { AppError } from '../primitives/appError'
import type { Clock } from '../primitives/clock'
import { pathForDisplay } from '../primitives/pathText'

/** Two files of this size are kept: the current one and the one before. */
export const LOG_LIMIT_BYTES = 1024 * 1024
/** Longer lines are cut: a log is for events, not for data. */
const LINE_LIMIT = 4000

export interface Log {
  /** Where the lines go. */
  readonly file: string
  line(text: string): void
  /** An unexpected failure with its stack, which only the log shows. */
  failure(where: string, thrown: unknown): void
}

/**
 * A small log in the data folder, `stowage.log`, with the one before as `stowage.log.1`. It gets
 * one line an event: never the environment, never file contents. A log that cannot be written is no
 * reason to stop, so it fails silently.
 */
export function openLog(dataDir: string, clock: Clock): Log {
  const file = path.join(dataDir, 'stowage.log')
  let written = 0
  try {
    ensureFolder(dataDir)
    written = statSync(file).size
  } catch {
    written = 0
  }

  const append = (text: string): void => {
    const stamp = new Date(clock.wallMs()).toISOString()
    const lines = text.split('\n').map((line) => pathForDisplay(line.slice(0, LINE_LIMIT)))
    const entry = `${stamp} ${lines.join('\n    ')}\n`
    try {
      if (written > 0 && written + entry.length > LOG_LIMIT_BYTES) {
        renameSync(file, `${file}.1`)
        written = 0
      }
      appendFileSync(file, entry)
      written += Buffer.byteLength(entry)
    } catch {
      // A full or read-only disk: the failure that is being logged is shown to the person in any case.
    }
  }

  return {
    file,
    line: append,
    failure: (where, thrown) => append(`${where}: ${AppError.from(thrown).stack ?? String(thrown)}`),
  }
}
