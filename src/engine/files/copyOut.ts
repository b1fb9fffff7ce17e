import { ensureFolder } from './ensureFolder'
import { folderOf } from './flush'
import { writeNewFile } from './newFile'
import { type ContentPlace, rangeOf } from './rangeOf'

/**
 * Writes a range of a file to a new file, with the folders above it; nothing is flushed.
 * @param onBytes bytes that were copied since the last call
 * @throws as `rangeOf` and `writeNewFile`
 */
export async function copyOut(
  from: ContentPlace,
  to: string,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<void> {
  ensureFolder(folderOf(to))
  async function* followed(): AsyncGenerator<Buffer, void, void> {
    for await (const piece of rangeOf(from, signal)) {
      yield piece
      onBytes(piece.length)
    }
  }
  await writeNewFile(to, followed(), { flush: false, signal })
}
