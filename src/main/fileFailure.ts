import { AppError, type AppErrorCode } from '../primitives/appError'
import { pathForDisplay } from '../primitives/pathText'

const BY_ERRNO: Readonly<Record<string, readonly [AppErrorCode, string]>> = {
  ENOENT: ['not-found', 'not found'],
  EACCES: ['permission-denied', 'permission denied'],
  EPERM: ['permission-denied', 'not permitted'],
  EROFS: ['permission-denied', 'the volume is read-only'],
  ENOTDIR: ['not-a-folder', 'not a folder'],
  EEXIST: ['exists', 'it already exists'],
  ENOSPC: ['no-space', 'no space left on the volume'],
  EDQUOT: ['no-space', 'the quota is used up'],
  ELOOP: ['symlink-loop', 'too many symbolic links'],
  ENAMETOOLONG: ['name-unsupported', 'the name is too long'],
}

/** A failed file operation as one plain line, `cannot <verb> <path>: <cause>`; anything but a system error as it is. */
export function fileFailure(verb: string, file: string, thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown
  const errno = (thrown as NodeJS.ErrnoException | null)?.code
  if (errno === undefined || !/^E[A-Z]+$/.test(errno)) return AppError.from(thrown)
  const [code, cause] = BY_ERRNO[errno] ?? (['io', errno] as const)
  return new AppError(code, `cannot ${verb} ${pathForDisplay(file)}: ${cause}`, { path: file, cause: thrown })
}
