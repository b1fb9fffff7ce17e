import { open } from 'node:fs/promises'

import { attempt, cannot, fsPath } from './fileSystem'

/**
 * Calls `use` with a text that a child process can take as its working directory. Node passes only
 * Unicode to children, so a folder whose name is not is reached through an open descriptor (Linux).
 * @throws AppError `name-unsupported` where that is not possible
 */
export async function withToolDirectory<T>(directory: string, use: (cwd: string) => Promise<T>): Promise<T> {
  if (!/[\ud800-\udfff]/u.test(directory)) return use(directory)
  if (process.platform !== 'linux') {
    throw cannot('name-unsupported', 'run a program in', directory, 'its name is not Unicode')
  }
  await using file = await attempt('open', directory, open(fsPath(directory)))
  return await use(`/proc/${process.pid}/fd/${file.fd}`)
}
