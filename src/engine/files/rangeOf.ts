import { createHash, type Hash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { AppError } from '../../primitives/appError'
import { pathForDisplay } from '../../primitives/pathText'
import { throwIfAborted } from '../jobs/throwIfAborted'
import { fileFailure, fsPath } from './fileSystem'

/** Where content is: a range of a file, such as an image, or the whole of it. */
export interface ContentPlace {
  readonly file: string
  readonly offset: number
  readonly bytes: number
}

const CHUNK_BYTES = 1 << 20

/**
 * The bytes of a range in pieces; each is there until the next is asked for.
 * @throws AppError `verification-failed` where the file ends before the range, `io`, `cancelled`
 */
export async function* rangeOf(
  { file: path, offset, bytes }: ContentPlace,
  signal: AbortSignal,
): AsyncGenerator<Buffer, void, void> {
  const file = await open(fsPath(path)).catch((thrown: unknown) => {
    throw fileFailure(thrown, 'read', path)
  })
  try {
    const buffer = Buffer.allocUnsafe(Math.max(1, Math.min(CHUNK_BYTES, bytes)))
    for (let done = 0; done < bytes; ) {
      throwIfAborted(signal)
      const length = Math.min(buffer.length, bytes - done)
      const { bytesRead } = await file.read(buffer, 0, length, offset + done).catch((thrown: unknown) => {
        throw fileFailure(thrown, 'read', path)
      })
      if (bytesRead === 0) {
        const message = `cannot read ${pathForDisplay(path)}: it ends early`
        throw new AppError('verification-failed', message, { path })
      }
      done += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}

/** Feeds a range of a file to a hash. @throws as `rangeOf` */
export async function feedRange(
  hash: Hash,
  range: ContentPlace,
  signal: AbortSignal,
  onBytes?: (bytes: number) => void,
): Promise<void> {
  for await (const piece of rangeOf(range, signal)) {
    hash.update(piece)
    onBytes?.(piece.length)
  }
}

/**
 * The SHA-256 of a range of a file.
 * @param onBytes bytes that were read since the last call
 * @throws as `rangeOf`
 */
export async function sha256Of(
  range: ContentPlace,
  signal: AbortSignal,
  onBytes?: (bytes: number) => void,
): Promise<string> {
  const hash = createHash('sha256')
  await feedRange(hash, range, signal, onBytes)
  return hash.digest('hex')
}
