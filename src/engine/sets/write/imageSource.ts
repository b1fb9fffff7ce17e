import { closeSync, fstatSync, openSync } from 'node:fs'
import { said } from '../../../primitives/said'
import { attemptAtOnce, cannot, fsPath } from '../../files/fileSystem'
import { changedSince, checkSources } from '../../files/sourceCheck'
import { openPipe } from '../../native/pipe'
import { type ChangedSources, streamImage } from '../mastering/writeImage'
import type { PlanFolder } from '../volume/planned/planFolder'
import type { SizedVolume } from '../volume/planned/plannedVolume'

/** Where the bytes of an image come from while it is written. */
export interface ImageSource {
  /** An open file by its number. */
  readonly input: number
  /**
   * To be called when all was read: whether what makes the bytes ended well and nothing changed
   * meanwhile.
   * @throws AppError `tool-failed`, `changed`, `vanished`, …
   */
  settled(): Promise<void>
  /** Ends what makes the bytes and closes the file. */
  close(): Promise<void>
}

/**
 * A finished image.
 * @throws AppError `not-found`, `changed` when it does not have the planned size
 */
export function imageFile(path: string, bytes: number): ImageSource {
  const input = attemptAtOnce('read', path, () => openSync(fsPath(path), 'r'))
  const found = fstatSync(input).size
  const close = async (): Promise<void> => closeSync(input)
  if (found === bytes) return { input, settled: async () => {}, close }
  closeSync(input)
  throw cannot('changed', 'write', path, said`it has ${found} bytes instead of ${bytes}`)
}

/**
 * The image of a volume, made while it is read: the bytes that `stowage build` would put into a
 * file.
 * @param changes what is on it instead of what is planned: then the digests alone say whether the
 *   sources are right
 * @throws AppError `changed`, `vanished` for sources that are not as planned, `bad-input`,
 *   `cancelled`
 */
export async function imageOnTheFly(
  folder: PlanFolder,
  volume: SizedVolume,
  {
    signal,
    changes,
  }: {
    readonly signal: AbortSignal
    readonly changes?: ChangedSources | undefined
  },
): Promise<ImageSource> {
  const { entries } = volume
  const before = changes ? null : await checkSources(entries, signal)
  if (before?.failures[0]) throw before.failures[0]
  const ends = openPipe()
  const abort = new AbortController()
  const ending = AbortSignal.any([signal, abort.signal])
  // The pipe ends with its last writer.
  const made = streamImage(folder, volume, ends.write, ending, changes).finally(() => closeSync(ends.write))
  made.catch(() => undefined)
  return {
    input: ends.read,
    async settled() {
      await made
      const changed = before ? await changedSince(entries, before.stamps, signal) : []
      if (changed[0]) throw changed[0]
    },
    async close() {
      abort.abort()
      await made.catch(() => undefined)
      closeSync(ends.read)
    },
  }
}
