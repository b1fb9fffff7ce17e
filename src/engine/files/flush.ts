import { open } from 'node:fs/promises'
import { attempt, fileFailure, fsPath } from './fileSystem'

/** The errors of a system that cannot flush a folder's names, or lets only some open it. */
const NOT_FLUSHABLE: ReadonlySet<string> = new Set([
  'EINVAL',
  'ENOTSUP',
  'EISDIR',
  'EACCES',
  'EPERM',
  'EBADF',
])

/**
 * Brings a file's content to the device.
 * @throws AppError `no-space`, `io`
 */
export async function flushFile(path: string): Promise<void> {
  await attempt('write', path, async () => {
    // Windows flushes only what may be written.
    await using file = await open(fsPath(path), process.platform === 'win32' ? 'r+' : 'r')
    await file.sync()
  })
}

/**
 * Brings the names in a folder to the device: what was made or renamed there outlasts a loss of
 * power. Does nothing where the system cannot.
 * @throws AppError `no-space`, `io`
 */
export async function flushFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  try {
    await using folder = await open(fsPath(path), 'r')
    await folder.sync()
  } catch (thrown) {
    if (!NOT_FLUSHABLE.has((thrown as NodeJS.ErrnoException).code ?? ''))
      throw fileFailure(thrown, 'write', path)
  }
}

/** The folder that a path lies in. */
export function folderOf(path: string): string {
  const slash = path.lastIndexOf('/')
  return slash < 0 ? '.' : slash === 0 ? '/' : path.slice(0, slash)
}
