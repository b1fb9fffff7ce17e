import type { Excluded, Rules } from '../../domain/survey/rules/rules'
import type { Skipped } from '../../domain/survey/surveyDocument'
import { AppError } from '../../primitives/appError'
import { said } from '../../primitives/said'
import { lstatAt } from '../files/fileSystem'
import { pausing } from '../jobs/slowly'
import { type EntryBatch, NATIVE_KIND } from '../native/addon'
import { absolutePath } from '../survey/surveyFigures'
import { listSource } from '../survey/walk/listSource'

/** A file below a root. */
export interface ListedFile {
  readonly path: string
  readonly bytes: number
}

/**
 * Lists all files below roots, also further names of one file; links are not followed.
 * @param roots as `surveyRoots` gives them
 * @param onFiles files found so far
 * @returns also what the rules leave out; null where that is nothing and no rule is wrong
 * @throws AppError `cancelled`
 */
export async function listFiles(
  roots: readonly string[],
  rules: Rules,
  signal: AbortSignal,
  onFiles: (files: number) => void,
): Promise<{ files: ListedFile[]; skipped: Skipped[]; excluded: Excluded | null }> {
  const files: ListedFile[] = []
  const links: string[] = []
  const skipped: Skipped[] = []
  const take = (batch: EntryBatch): void => {
    for (let at = 0; at < batch.count; at++) {
      const kind = batch.kinds[at]
      const skip = batch.skips.get(at)
      if (skip) skipped.push({ path: absolutePath(batch, at, roots), ...skip })
      else if (kind === NATIVE_KIND.file)
        files.push({ path: absolutePath(batch, at, roots), bytes: batch.bytes[at] ?? 0 })
      else if (kind === NATIVE_KIND.hardLink) links.push(absolutePath(batch, at, roots))
    }
    onFiles(files.length)
  }
  const pause = pausing(() => {
    if (signal.aborted) throw new AppError('cancelled', said`the listing was cancelled`)
  })
  const { excluded } = await listSource({ roots, leaveOut: [], rules }, pause, take)
  // The listing has the size of a file with its first name.
  for (const path of links) {
    const found = lstatAt(path)
    if (found) files.push({ path, bytes: Number(found.size) })
  }
  return { files: files.toSorted((one, other) => (one.path < other.path ? -1 : 1)), skipped, excluded }
}
