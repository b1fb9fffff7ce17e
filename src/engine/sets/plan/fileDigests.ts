import { createHash } from 'node:crypto'
import { type BigIntStats, lstatSync } from 'node:fs'
import { said } from '../../../primitives/said'
import type { FileSha256, SurveyEntry } from '../../catalog/entry'
import { cannot, fileFailure, fsPath } from '../../files/fileSystem'
import { hashRangesHex } from '../../files/read'
import { entryTime, inSlices } from '../../files/sourceCheck'
import { type SourceEntries, sourcePath } from '../../survey/sourceEntries'

const SHA256_OF_NOTHING = createHash('sha256').digest('hex')
/**
 * Ranges handed over together: enough for all threads, few enough that progress can name a
 * file.
 */
const BATCH_FILES = 2000
/** The most that is read again after a plan was stopped, besides one file. */
const BATCH_BYTES = 64 * 2 ** 30

interface HashProgress {
  readonly files: number
  readonly bytes: number
  readonly current: string
}

/**
 * SHA-256 of every file of the survey, by entry id: from the survey where it has them, read now
 * where not. Every file must still have the size and time that the survey saw.
 * @param keep takes what was read, after each batch, without files that now have another inode: a
 *   copy of the source is not what was surveyed. `everyFile` where nothing is missing after it
 * @throws AppError `changed`, `vanished`, `cancelled`, …
 */
export async function fileDigests(
  source: SourceEntries,
  signal: AbortSignal,
  keep: (digests: readonly FileSha256[], everyFile: boolean) => void,
  onProgress: (progress: HashProgress) => void,
): Promise<Map<number, string>> {
  const files = [...source.entries.values()].filter(({ kind }) => kind === 'file')
  await checkUnchanged(source, files, signal)
  const digests = new Map<number, string>()
  for (const { id, sha256, bytes: size } of files) {
    if (sha256) digests.set(id, sha256)
    else if (size === 0) digests.set(id, SHA256_OF_NOTHING)
  }
  const wanted = files.filter(({ id }) => !digests.has(id))
  let start = 0
  let bytes = 0
  let kept = 0
  while (start < wanted.length) {
    const batch = wanted.slice(start, batchEnd(wanted, start))
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
    // A file that was changed while it was read has another time now.
    const isSame = await checkUnchanged(source, batch, signal)
    const own: FileSha256[] = []
    for (const [at, { id, bytes: size }] of batch.entries()) {
      const digest = hashed[at] as string
      digests.set(id, digest)
      if (isSame[at]) own.push({ id, sha256: Buffer.from(digest, 'hex') })
      bytes += size
    }
    start += batch.length
    kept += own.length
    keep(own, kept === wanted.length)
  }
  // A file may have changed while later ones were read.
  if (wanted.length > 0) await checkUnchanged(source, wanted, signal)
  return digests
}

/**
 * The end of a batch: it has a file at least, and no more files and bytes than a batch may have.
 */
function batchEnd(files: readonly SurveyEntry[], start: number): number {
  let end = start
  let bytes = 0
  while (end < files.length && end - start < BATCH_FILES) {
    bytes += files[end]?.bytes ?? 0
    if (end > start && bytes > BATCH_BYTES) break
    end += 1
  }
  return end
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
 * One flag for each file: true when it still has the inode that the survey saw.
 * @throws AppError `changed`, `vanished`, `cancelled`, …
 */
async function checkUnchanged(
  source: SourceEntries,
  files: readonly SurveyEntry[],
  signal: AbortSignal,
): Promise<boolean[]> {
  return inSlices(files, signal, (entry) => checkFile(source, entry))
}

function checkFile(source: SourceEntries, entry: SurveyEntry): boolean {
  const path = sourcePath(source, entry)
  const now = look(path)
  if (!now.isFile() || now.size !== BigInt(entry.bytes) || entryTime(now.mtimeNs) !== entry.mtimeNs) {
    throw cannot('changed', 'plan', path, said`it changed after the survey; survey it again`)
  }
  return BigInt.asUintN(64, now.ino) === entry.inode
}

function look(path: string): BigIntStats {
  try {
    return lstatSync(fsPath(path), { bigint: true })
  } catch (thrown) {
    const failure = fileFailure(thrown, 'plan', path)
    if (failure.code !== 'not-found') throw failure
    throw cannot('vanished', 'plan', path, said`it was removed after the survey`, thrown)
  }
}
