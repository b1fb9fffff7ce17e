import type { Project } from '../domain/project/project'
import { AppError } from '../primitives/appError'
import { cannot } from '../primitives/fileFailure'
import { pathForDisplay } from '../primitives/pathText'
import { said } from '../primitives/said'
import { changeFile, readText } from './atomicFile'
import { changedProjectText } from './projectEdit'
import { type ProjectText, readProjectText, requireProject } from './projectText'

/** @throws AppError `not-found`, and as `readProjectText` */
export async function readProjectFile(file: string): Promise<ProjectText> {
  return readProjectText(await projectFileText(file), pathForDisplay(file))
}

/** @throws AppError `not-found`, `bad-input` for what is not UTF-8 */
export async function projectFileText(file: string): Promise<string> {
  return required(await readText(file), file)
}

function required(text: string | null, file: string): string {
  if (text === null) throw cannot('not-found', 'read', file, said`no such file or folder`)
  return text
}

/**
 * Changes some values of a project; comments and the order stay.
 * @param change takes the project as it is on disk
 * @throws AppError `not-found`, and as `changedProjectText`; then nothing is written
 */
export async function changeProjectFile(file: string, change: (project: Project) => Project): Promise<void> {
  const shown = pathForDisplay(file)
  await changeFile(file, (there) => {
    const text = required(there, file)
    return changedProjectText(text, shown, change(requireProject(readProjectText(text, shown), shown)))
  })
}

/** @throws AppError `exists` for a file that is there, unless it may be replaced */
export async function createProjectFile(file: string, text: string, isReplaced: boolean): Promise<void> {
  await changeFile(file, (there) => {
    if (there === null || isReplaced) return text
    throw new AppError('exists', said`${pathForDisplay(file)} is already there (--force replaces it)`, {
      path: file,
    })
  })
}
