import { setTimeout } from 'node:timers/promises'
import type { Skipped } from '../../domain/survey/surveyDocument'
import { AppError } from '../../primitives/appError'
import { said } from '../../primitives/said'
import { type EntryBatch, NATIVE_KIND, startNativeSurvey } from '../native/addon'
import { absolutePath } from '../survey/surveyFigures'

/** A file below a root. */
export interface ListedFile {
  readonly path: string
  readonly bytes: number
}

const POLL_MS = 20

/**
 * Lists all files below roots, also further names of one file; links are not followed.
 * @param roots as `surveyRoots` gives them
 * @param onFiles files found so far
 * @throws AppError `cancelled`
 */
export async function listFiles(
  roots: readonly string[],
  signal: AbortSignal,
  onFiles: (files: number) => void,
): Promise<{ files: ListedFile[]; skipped: Skipped[] }> {
  const native = startNativeSurvey({
    roots,
    walkOnly: true,
    blocksFrom512: false,
    sha256: false,
    maxTableBytes: 1 << 20,
    marks: false,
  })
  const cancel = (): void => native.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  if (signal.aborted) cancel()
  const files: ListedFile[] = []
  const skipped: Skipped[] = []
  const take = (batch: EntryBatch): void => {
    for (let at = 0; at < batch.count; at++) {
      const kind = batch.kinds[at]
      const skip = batch.skips.get(at)
      if (skip) skipped.push({ path: absolutePath(batch, at, roots), ...skip })
      else if (kind === NATIVE_KIND.file || kind === NATIVE_KIND.hardLink)
        files.push({ path: absolutePath(batch, at, roots), bytes: batch.bytes[at] ?? 0 })
    }
  }
  try {
    let hasEnded = false
    const ended = native.finished.finally(() => {
      hasEnded = true
    })
    ended.catch(() => {})
    for (;;) {
      const isLast = hasEnded
      const batch = native.takeEntries()
      if (batch) take(batch)
      onFiles(files.length)
      if (!batch && isLast) break
      await (batch ? setTimeout(0) : Promise.race([setTimeout(POLL_MS), ended]))
    }
    await native.finished
    if (signal.aborted) throw new AppError('cancelled', said`the listing was cancelled`)
    return { files: files.toSorted((one, other) => (one.path < other.path ? -1 : 1)), skipped }
  } finally {
    signal.removeEventListener('abort', cancel)
    native.cancel()
    await native.finished.catch(() => {})
    await native.close()
  }
}
