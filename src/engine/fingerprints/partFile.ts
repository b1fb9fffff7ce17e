import { type FileHandle, open } from 'node:fs/promises'
import type { AsyncBuffer } from 'hyparquet'
import { fileFailure, fsPath } from '../files/fileSystem'

/**
 * Lends a Parquet file to a reader of it, and closes it in the end.
 * @throws AppError where it cannot be opened; what `use` throws passes unchanged
 */
export async function* onPart<T>(
  path: string,
  use: (file: AsyncBuffer) => AsyncIterable<T>,
): AsyncIterable<T> {
  let handle: FileHandle
  try {
    handle = await open(fsPath(path), 'r')
  } catch (thrown) {
    throw fileFailure(thrown, 'read', path)
  }
  try {
    const { size } = await handle.stat()
    yield* use({
      byteLength: size,
      async slice(start, end = size) {
        const bytes = new Uint8Array(Math.max(0, end - start))
        for (let at = 0; at < bytes.length; ) {
          const { bytesRead } = await handle.read(bytes, at, bytes.length - at, start + at)
          if (bytesRead === 0) break
          at += bytesRead
        }
        return bytes.buffer
      },
    })
  } finally {
    await handle.close()
  }
}
