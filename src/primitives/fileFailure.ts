import { AppError, type AppErrorCode } from './appError'
import { pathForDisplay } from './pathText'
import { literally, said, saidAs } from './said'

const GONE = said`the drive or server that holds it is gone`
const UNSUPPORTED = said`the file system does not support this operation`

const CAUSES: Readonly<Record<string, readonly [AppErrorCode, string]>> = {
  ENOENT: ['not-found', said`no such file or folder`],
  EACCES: ['permission-denied', said`permission denied`],
  EPERM: ['permission-denied', said`operation not permitted`],
  EROFS: ['permission-denied', said`the file system is read-only`],
  ENOSPC: ['no-space', said`no space left on the device`],
  EDQUOT: ['no-space', said`the disk quota is used up`],
  EFBIG: ['no-space', said`the file system cannot hold a file of this size`],
  EEXIST: ['exists', said`it already exists`],
  ENOTEMPTY: ['exists', said`the folder is not empty`],
  ENOTDIR: ['not-a-folder', said`not a folder`],
  EISDIR: ['io', said`it is a folder`],
  ELOOP: ['symlink-loop', said`too many symbolic links`],
  ENAMETOOLONG: ['name-unsupported', said`the name is too long`],
  EILSEQ: ['name-unsupported', said`the file system cannot hold this name`],
  ENOTCONN: ['not-found', GONE],
  ENODEV: ['not-found', GONE],
  ENXIO: ['not-found', GONE],
  ESHUTDOWN: ['not-found', GONE],
  ESTALE: ['not-found', GONE],
  EHOSTDOWN: ['not-found', GONE],
  EHOSTUNREACH: ['not-found', GONE],
  ENETDOWN: ['not-found', GONE],
  ENETUNREACH: ['not-found', GONE],
  ECONNABORTED: ['not-found', GONE],
  ECONNRESET: ['not-found', GONE],
  ETIMEDOUT: ['not-found', said`the drive or server does not answer`],
  ENOSYS: ['refused', UNSUPPORTED],
  ENOTSUP: ['refused', UNSUPPORTED],
  EOPNOTSUPP: ['refused', UNSUPPORTED],
  EINVAL: ['refused', said`the file system or device refuses this operation`],
  EXDEV: ['refused', said`it is on another file system`],
  EMLINK: ['refused', said`the file has as many names as the file system allows`],
  EBUSY: ['refused', said`it is in use`],
  ETXTBSY: ['refused', said`it is a program that is running`],
  EIO: ['io', said`the device reports an input/output error`],
  EMFILE: ['io', said`too many files are open`],
  ENFILE: ['io', said`too many files are open`],
  ENOMEM: ['io', said`there is not enough memory`],
  // Node has no names for EUCLEAN and ENOMEDIUM of Linux.
  'Unknown system error -117': ['io', said`the file system is damaged`],
  'Unknown system error -123': ['not-found', said`no disc is in the drive`],
}

/** A message of Node: `ENOANO: no anode, lstat '/a'`. */
const SYSTEM_MESSAGE = /^(?:E[A-Z0-9]+|Unknown system error -\d+): (.+?), \w+(?: '.*)?$/s

/**
 * A failure of a file operation as one plain line, `cannot <doing> <path>: <cause>`, without the
 * name of an errno. AppErrors pass unchanged.
 */
export function fileFailure(thrown: unknown, doing: string, path: string): AppError {
  if (thrown instanceof AppError) return thrown
  const { code, because } = failureCause(thrown)
  return cannot(code, doing, path, because, thrown)
}

/** The cause of a failed file operation in plain words: `permission denied`. */
export function failureCause(thrown: unknown): { readonly code: AppErrorCode; readonly because: string } {
  const number = (thrown as { readonly code?: string } | null)?.code
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  const [code, because] = CAUSES[number ?? ''] ?? ['io', SYSTEM_MESSAGE.exec(message)?.[1] ?? message]
  return { code, because }
}

/** The error `cannot <doing> <path>: <because>`. */
export function cannot(
  code: AppErrorCode,
  doing: string,
  path: string,
  because: string,
  cause?: unknown,
): AppError {
  return new AppError(code, saidAs(`cannot ${literally(doing)} {0}: {1}`, pathForDisplay(path), because), {
    path,
    cause,
  })
}

/**
 * The result of a file operation.
 * @throws AppError that names the operation and the path, as `fileFailure` does
 */
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
