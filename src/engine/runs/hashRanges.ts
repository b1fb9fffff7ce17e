import type { Hash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { AppError } from '../../primitives/appError'
import { pathForDisplay } from '../../primitives/pathText'
import { fileFailure, fsPath } from '../exporters/fileSystem'
import { throwIfAborted } from '../tools/runTool'

/** A range of a file whose SHA-256 is wanted. */
export interface HashRange {
  readonly path: string
  readonly offset: number
  readonly bytes: number
}

/** The digest in hex, or why there is none. A file that ends before the range does is `changed`. */
export type RangeDigest = { readonly sha256: string } | { readonly error: AppError }

/**
 * Hashes ranges of files, in whatever order is fast. Answers in the order asked. One file's failure spoils no other's
 * digest. `onBytes` is called with the bytes read since its last call.
 * @throws AppError `cancelled`
 */
export type HashRanges = (
  ranges: readonly HashRange[],
  options: { readonly signal?: AbortSignal; readonly onBytes?: (bytes: number) => void },
) => Promise<RangeDigest[]>

const CHUNK_BYTES = 1 << 20

/** Feeds a range of a file to a hash. @throws AppError when it cannot be read or ends early (`changed`) */
export async function feedRange(
  hash: Hash,
  range: HashRange,
  options: { readonly signal?: AbortSignal; readonly onBytes?: (bytes: number) => void },
): Promise<void> {
  try {
    const file = await open(fsPath(range.path))
    try {
      const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(1, range.bytes)))
      let done = 0
      while (done < range.bytes) {
        throwIfAborted(options.signal)
        const wanted = Math.min(buffer.length, range.bytes - done)
        const { bytesRead } = await file.read(buffer, 0, wanted, range.offset + done)
        if (bytesRead === 0) throw endedEarly(range.path)
        hash.update(buffer.subarray(0, bytesRead))
        done += bytesRead
        options.onBytes?.(bytesRead)
      }
    } finally {
      await file.close()
    }
  } catch (thrown) {
    throw fileFailure(thrown, 'read', range.path)
  }
}

function endedEarly(path: string): AppError {
  return new AppError('changed', `cannot read ${pathForDisplay(path)}: it is shorter than it was`, { path })
}
