import { AppError, type AppErrorCode } from './appError'
import { pathForDisplay } from './pathText'

const CAUSES: Readonly<Record<string, readonly [AppErrorCode, string]>> = {
  ENOENT: ['not-found', 'no such file or folder'],
  EACCES: ['permission-denied', 'permission denied'],
  EPERM: ['permission-denied', 'operation not permitted'],
  EROFS: ['permission-denied', 'the file system is read-only'],
  ENOSPC: ['no-space', 'no space left on the device'],
  EDQUOT: ['no-space', 'the disk quota is used up'],
  EFBIG: ['no-space', 'the file system cannot hold a file of this size'],
  EEXIST: ['exists', 'it already exists'],
  ENOTEMPTY: ['exists', 'the folder is not empty'],
  ENOTDIR: ['not-a-folder', 'not a folder'],
  EISDIR: ['io', 'it is a folder'],
  ELOOP: ['symlink-loop', 'too many symbolic links'],
  ENAMETOOLONG: ['name-unsupported', 'the name is too long'],
}

/** A failure of a file operation as one plain line: `cannot <doing> <path>: <cause>`. AppErrors pass unchanged. */
export function fileFailure(thrown: unknown, doing: string, path: string): AppError {
  if (thrown instanceof AppError) return thrown
  const number = (thrown as { readonly code?: string } | null)?.code
  const [code, cause] = CAUSES[number ?? ''] ?? [
    'io',
    thrown instanceof Error ? thrown.message : String(thrown),
  ]
  return cannot(code, doing, path, cause, thrown)
}

/** The error `cannot <doing> <path>: <because>`. */
export function cannot(
  code: AppErrorCode,
  doing: string,
  path: string,
  because: string,
  cause?: unknown,
): AppError {
  return new AppError(code, `cannot ${doing} ${pathForDisplay(path)}: ${because}`, { path, cause })
}

/** What a file operation gives. @throws AppError that says what could not be done to the path, as `fileFailure` does */
export async function attempt<T>(
  doing: string,
  path: string,
  work: Promise<T> | (() => Promise<T>),
): Promise<T> {
  try {
    return await (typeof work === 'function' ? work() : work)
  } catch (thrown) {
    throw fileFailure(thrown, doing, path)
  }
}

/** The same of an operation that is done at once. */
export function attemptAtOnce<T>(doing: string, path: string, work: () => T): T {
  try {
    return work()
  } catch (thrown) {
    throw fileFailure(thrown, doing, path)
  }
}
