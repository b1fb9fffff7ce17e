import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  fstatSync,
  futimesSync,
  type Stats,
  utimesSync,
} from 'node:fs'
import { AppError } from '../../primitives/appError'
import { pathForDisplay } from '../../primitives/pathText'
import { fsPath } from '../exporters/fileSystem'
import { writeNewFileAtOnce } from '../files/newFile'
import { openedAtOnce, readAtOnce } from './readAtOnce'

/** What is read and written in less than the engine may be silent; handing as much to another thread costs more than doing it. */
const SHORT_BYTES = 1024 * 1024

/** Attributes, streams and forks come along with the system's own copies there. On Linux they do not, and take five times as long. */
const SYSTEM_KEEPS_MORE = process.platform === 'darwin' || process.platform === 'win32'

/**
 * Copies of short files with mode and times, each made at once on the thread that asks: the ten calls that one takes cost a few
 * microseconds each, and ten times as much where each is handed to another thread.
 */
export class ShortCopies {
  // One byte more than is expected tells of a file that has grown.
  readonly #buffer = Buffer.allocUnsafeSlow(SHORT_BYTES + 1)
  /** Devices whose files cannot share their blocks with what is written; each was asked once. */
  readonly #cannotClone = new Set<number>()

  takes(bytes: number): boolean {
    return bytes <= SHORT_BYTES
  }

  /** @throws AppError `changed` when it gives another length, and the system's errors */
  copy(source: string, path: string, bytes: number): void {
    const from = openedAtOnce(source)
    try {
      const stats = fstatSync(from)
      if (!stats.isFile() || stats.size !== bytes) throw wrongLength(source, stats.size, bytes)
      // Of an empty file nothing can be shared, but attributes may come along.
      if ((bytes > 0 || SYSTEM_KEEPS_MORE) && this.#bySystem(source, path, stats)) return
      const length = readAtOnce(from, this.#buffer.subarray(0, bytes + 1))
      if (length !== bytes) throw wrongLength(source, length, bytes)
      write(path, this.#buffer.subarray(0, bytes), stats)
    } finally {
      closeSync(from)
    }
  }

  #bySystem(source: string, path: string, { dev, mode, atimeMs, mtimeMs }: Stats): boolean {
    if (this.#cannotClone.has(dev)) return false
    const clone = SYSTEM_KEEPS_MORE ? constants.COPYFILE_FICLONE : constants.COPYFILE_FICLONE_FORCE
    try {
      copyFileSync(fsPath(source), fsPath(path), constants.COPYFILE_EXCL | clone)
    } catch (thrown) {
      if (SYSTEM_KEEPS_MORE || (thrown as NodeJS.ErrnoException).code === 'EEXIST') throw thrown
      this.#cannotClone.add(dev)
      return false
    }
    utimesSync(fsPath(path), atimeMs / 1000, mtimeMs / 1000)
    chmodSync(fsPath(path), mode & 0o777)
    return true
  }
}

function write(path: string, content: Buffer, { mode, atimeMs, mtimeMs }: Stats): void {
  writeNewFileAtOnce(path, content, 0o600, (file) => {
    futimesSync(file, atimeMs / 1000, mtimeMs / 1000)
    fchmodSync(file, mode & 0o777)
  })
}

export function wrongLength(source: string, found: number, bytes: number): AppError {
  const message = `cannot copy ${pathForDisplay(source)}: it gave ${found} bytes instead of ${bytes}`
  return new AppError('changed', message, { path: source })
}
