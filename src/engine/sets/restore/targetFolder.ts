import { stat } from 'node:fs/promises'
import { ensureFolder } from '../../files/ensureFolder'
import { cannot, fileFailure, fsPath } from '../../files/fileSystem'

/** Makes the folder that is restored into, with those above it, or finds it. @throws AppError `not-a-folder`, … */
export async function makeTarget(to: string): Promise<void> {
  try {
    ensureFolder(to)
    if ((await stat(fsPath(to))).isDirectory()) return
  } catch (thrown) {
    throw fileFailure(thrown, 'restore to', to)
  }
  throw cannot('not-a-folder', 'restore to', to, 'it is not a folder')
}
