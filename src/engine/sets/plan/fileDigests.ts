import { createHash } from 'node:crypto'
import { type BigIntStats, lstatSync } from 'node:fs'
import { AppError } from '../../../primitives/appError'

import type { SurveyEntry } from '../../catalog/entry'
import { entryTime } from '../../files/entryTime'
import { cannot, fileFailure, fsPath } from '../../files/fileSystem'
import { inSlices } from '../../files/inSlices'
import { hashRanges } from '../../native/addon'
import { type SourceEntries, sourcePath } from '../../survey/sourceEntries'

const SHA256_OF_NOTHING = createHash('sha256').digest('hex')
/** Ranges handed over together: enough for all threads, few enough that progress has a file's name to tell. */
const BATCH_FILES = 2000

interface HashProgress {
  readonly files: number
  readonly bytes: number
  readonly current: string
}

/**
 * SHA-256 of every file of the survey, by entry id: from the survey where it has them, read now where not. Every file must
 * still have the size and time that the survey saw.
 * @throws AppError `changed`, `vanished`, `cancelled`, …
 */
export async function fileDigests(
  source: SourceEntries,
  signal: AbortSignal,
  onProgress: (progress: HashProgress) => void,
): Promise<Map<number, string>> {
  const files = [...source.entries.values()].filter(({ kind }) => kind === 'file')
  await checkUnchanged(source, files, signal)
  const digests = new Map<number, string>()
  for (const { id, sha256, bytes: size } of files) {
    if (sha256) digests.set(id, Buffer.from(sha256).toString('hex'))
    else if (size === 0) digests.set(id, SHA256_OF_NOTHING)
  }
  const wanted = files.filter(({ id }) => !digests.has(id))
  let bytes = 0
  for (let start = 0; start < wanted.length; start += BATCH_FILES) {
    const batch = wanted.slice(start, start + BATCH_FILES)
    const ranges = batch.map((entry) => ({ path: sourcePath(source, entry), offset: 0, length: entry.bytes }))
    let finished = 0
    let finishedBytes = 0
    const hashed = await hashRangesHex(ranges, signal, (done) => {
      // Threads take the files in this order.
      for (const { length } of ranges.slice(finished)) {
        if (finishedBytes + length > done) break
        finishedBytes += length
        finished += 1
      }
      const current = (ranges[finished] ?? ranges.at(-1))?.path ?? ''
      onProgress({ files: start + finished, bytes: bytes + done, current })
    })
    for (const [at, entry] of batch.entries()) digests.set(entry.id, hashed[at] as string)
    bytes += batch.reduce((sum, entry) => sum + entry.bytes, 0)
  }
  // A file that was changed while it was read has another time now.
  if (wanted.length > 0) await checkUnchanged(source, wanted, signal)
  return digests
}

/** Bytes that `fileDigests` will have to read. */
export function bytesToHash(source: SourceEntries): { files: number; bytes: number } {
  let files = 0
  let bytes = 0
  for (const entry of source.entries.values()) {
    if (entry.kind !== 'file' || entry.sha256 || entry.bytes === 0) continue
    files += 1
    bytes += entry.bytes
  }
  return { files, bytes }
}

/**
 * Digests in hex, in the order of the ranges.
 * @throws AppError the first range's failure
 */
export async function hashRangesHex(
  ranges: readonly { path: string; offset: number; length: number }[],
  signal: AbortSignal,
  onProgress: (bytesDone: number) => void,
): Promise<string[]> {
  const { sha256, errors } = await hashRanges(ranges, { signal, onProgress })
  const [first] = errors.values()
  if (first) throw new AppError(first.code, first.message)
  return ranges.map((_, at) => Buffer.from(sha256.subarray(at * 32, at * 32 + 32)).toString('hex'))
}

async function checkUnchanged(
  source: SourceEntries,
  files: readonly SurveyEntry[],
  signal: AbortSignal,
): Promise<void> {
  await inSlices(files, signal, (entry) => checkFile(source, entry))
}

function checkFile(source: SourceEntries, entry: SurveyEntry): void {
  const path = sourcePath(source, entry)
  const now = look(path)
  if (now.isFile() && now.size === BigInt(entry.bytes) && entryTime(now.mtimeNs) === entry.mtimeNs) return
  throw cannot('changed', 'plan', path, 'it changed after the survey; survey it again')
}

function look(path: string): BigIntStats {
  try {
    return lstatSync(fsPath(path), { bigint: true })
  } catch (thrown) {
    const failure = fileFailure(thrown, 'plan', path)
    if (failure.code !== 'not-found') throw failure
    throw cannot('vanished', 'plan', path, 'it was removed after the survey', thrown)
  }
}
