import { AppError } from '../../primitives/appError'
import { pathForDisplay } from '../../primitives/pathText'
import { fileFailure } from './fileSystem'
import { type Pieces, writeNewFile } from './newFile'
import type { PlaceNotes } from './placeNotes'
import { replacePlace, takeFreePlace } from './replacePlace'
import { partialPath, withTempPath } from './scratch'

/**
 * Writes a file next to its place and puts it there when it is whole and on the device: whoever
 * looks sees the old file or the new one, also after a loss of power.
 * @throws AppError `exists` when it is there and `force` is not set; `no-space`,
 *   `permission-denied`, `io`
 */
export async function replaceFile(
  notes: PlaceNotes,
  file: string,
  force: boolean,
  pieces: () => Pieces,
): Promise<void> {
  await withTempPath(notes, partialPath(file), async (beside) => {
    try {
      await writeNewFile(beside, pieces())
      if (force) await replacePlace(notes, beside, file)
      else await takeFreePlace(beside, file)
    } catch (thrown) {
      throw failureAt(thrown, beside, file)
    }
  })
}

/** The failure with the name that the person gave. */
function failureAt(thrown: unknown, beside: string, file: string): AppError {
  const failure = fileFailure(thrown, 'write', file)
  const options = { path: file, cause: thrown }
  const shown = pathForDisplay(file)
  if (failure.code === 'exists')
    return new AppError('exists', `${shown} is already there (--force replaces it)`, options)
  if (failure.path !== beside) return failure
  return new AppError(
    failure.code,
    failure.message.replace(pathForDisplay(beside), () => shown),
    options,
  )
}
