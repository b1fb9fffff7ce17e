import type { Hash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { AppError } from '../../primitives/appError'
import { pathForDisplay } from '../../primitives/pathText'
import { throwIfAborted } from '../jobs/throwIfAborted'
import { fileFailure, fsPath } from './fileSystem'

const CHUNK_BYTES = 1 << 20

/** Feeds a range of a file to a hash. @throws AppError when it cannot be read or ends early (`changed`) */
export async function feedRange(
  hash: Hash,
  range: { readonly path: string; readonly offset: number; readonly bytes: number },
  signal: AbortSignal,
): Promise<void> {
  try {
    const file = await open(fsPath(range.path))
    try {
      const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(1, range.bytes)))
      let done = 0
      while (done < range.bytes) {
        throwIfAborted(signal)
        const wanted = Math.min(buffer.length, range.bytes - done)
        const { bytesRead } = await file.read(buffer, 0, wanted, range.offset + done)
        if (bytesRead === 0) throw endedEarly(range.path)
        hash.update(buffer.subarray(0, bytesRead))
        done += bytesRead
      }
    } finally {
      await file.close()
    }
  } catch (thrown) {
    throw fileFailure(thrown, 'read', range.path)
  }
}

function endedEarly(path: string): AppError {
  return new AppError('changed', `cannot read ${pathForDisplay(path)}: it became shorter`, { path })
}
