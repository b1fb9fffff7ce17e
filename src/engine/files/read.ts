import { createHash, type Hash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'

import { throwIfAborted } from '../jobs/throwIfAborted'
import { attempt, cannot, fsPath } from './fileSystem'

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
  const file = await opened(path)
  try {
    const buffer = Buffer.allocUnsafe(Math.max(1, Math.min(CHUNK_BYTES, bytes)))
    for (let done = 0; done < bytes; ) {
      throwIfAborted(signal)
      const room = buffer.subarray(0, Math.min(buffer.length, bytes - done))
      const length = await readSome(file, room, offset + done, path)
      done += length
      yield buffer.subarray(0, length)
    }
  } finally {
    await file.close()
  }
}

/** The content of a short range. @throws as `rangeOf` */
export async function shortRange(place: ContentPlace, signal: AbortSignal): Promise<Buffer> {
  const file = await opened(place.file)
  try {
    return await contentOf(file, place, signal)
  } finally {
    await file.close()
  }
}

function opened(path: string): Promise<FileHandle> {
  return attempt('read', path, open(fsPath(path)))
}

/**
 * The content of a short range of an open file.
 * @throws as `rangeOf`
 */
export async function contentOf(
  file: FileHandle,
  { file: path, offset, bytes }: ContentPlace,
  signal: AbortSignal,
): Promise<Buffer> {
  const content = Buffer.allocUnsafe(bytes)
  for (let done = 0; done < bytes; ) {
    throwIfAborted(signal)
    done += await readSome(file, content.subarray(done), offset + done, path)
  }
  return content
}

async function readSome(file: FileHandle, room: Buffer, offset: number, path: string): Promise<number> {
  const { bytesRead } = await attempt('read', path, file.read(room, 0, room.length, offset))
  if (bytesRead > 0) return bytesRead
  throw cannot('verification-failed', 'read', path, 'it ends early')
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
