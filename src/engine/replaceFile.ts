import { link, rename, rm } from 'node:fs/promises'
import { AppError } from '../primitives/appError'
import { fileFailure, fsPath, writeNewFile } from './exporters/fileSystem'
import { newId } from './newId'

/**
 * Writes a file beside its place and puts it there when it is whole: whoever looks sees the old file or the new one.
 * @throws AppError `exists` when it is there and `force` is not set; `no-space`, `permission-denied`, `io`
 */
export async function replaceFile(
  file: string,
  force: boolean,
  pieces: () => Iterable<string | Uint8Array>,
): Promise<void> {
  const beside = `${file}.${newId('partial')}`
  try {
    await writeNewFile(beside, pieces())
    if (force) await rename(fsPath(beside), fsPath(file))
    // A link refuses to replace what is there, even what came there a moment ago.
    else await link(fsPath(beside), fsPath(file))
  } catch (thrown) {
    const failure = fileFailure(thrown, 'write', file)
    if (failure.code !== 'exists') throw failure
    throw new AppError('exists', `${file} is already there (--force replaces it)`, {
      path: file,
      cause: thrown,
    })
  } finally {
    await rm(fsPath(beside), { force: true })
  }
}
