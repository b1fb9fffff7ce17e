import { AppError } from '../primitives/appError'
import { cannot } from '../primitives/fileFailure'
import { pathForDisplay } from '../primitives/pathText'
import { changeFile, readText } from './atomicFile'
import { type ProjectText, readProjectText } from './projectText'

/** @throws AppError `not-found`, and as `readProjectText` */
export async function readProjectFile(file: string): Promise<ProjectText> {
  const text = await readText(file)
  if (text === null) throw cannot('not-found', 'read', file, 'no such file or folder')
  return readProjectText(text, pathForDisplay(file))
}

/** @throws AppError `exists` for a file that is there, unless it may be replaced */
export async function createProjectFile(file: string, text: string, isReplaced: boolean): Promise<void> {
  await changeFile(file, (there) => {
    if (there === null || isReplaced) return text
    throw new AppError('exists', `${pathForDisplay(file)} is already there (--force replaces it)`, {
      path: file,
    })
  })
}
