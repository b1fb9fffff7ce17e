import { hash } from 'node:crypto'
import {
  type BigIntStats,
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  fstatSync,
} from 'node:fs'
import { AppError } from '../../primitives/appError'

import { setFileTimes } from '../native/fileTimes'
import { cannot, fsPath } from './fileSystem'
import { writeNewFileAtOnce } from './newFile'
import { openedAtOnce, readAtOnce } from './readAtOnce'
import { contentChanged } from './sourceCheck'

/**
 * The bytes that are read and written in less than the engine may be silent; handing as much to
 * another thread costs more than doing it.
 */
const SHORT_BYTES = 1024 * 1024

/**
 * Attributes, streams and forks come along with the system's own copies there. On Linux they do
 * not, and take five times as long.
 */
const SYSTEM_KEEPS_MORE = process.platform === 'darwin' || process.platform === 'win32'

/**
 * Copies of short files with mode and times, each made at once on the thread that asks: the ten
 * calls that one takes cost a few microseconds each, and ten times as much where each is handed to
 * another thread.
 */
export class SmallFileCopier {
  // One byte more than expected reveals a file that has grown.
  readonly #buffer = Buffer.allocUnsafeSlow(SHORT_BYTES + 1)
  /** Devices whose files cannot share their blocks with what is written; each was asked once. */
  readonly #cannotClone = new Set<bigint>()

  takes(bytes: number): boolean {
    return bytes <= SHORT_BYTES
  }

  /**
   * @param sha256 of the content, where it is known
   * @throws AppError `changed` when it gives another length or content, and the system's errors
   */
  copy(source: string, path: string, bytes: number, sha256?: string): void {
    const from = openedAtOnce(source)
    try {
      const stats = fstatSync(from, { bigint: true })
      if (!stats.isFile() || stats.size !== BigInt(bytes)) throw wrongLength(source, stats.size, bytes)
      // Of an empty file nothing can be shared, but attributes may come along.
      if ((bytes > 0 || SYSTEM_KEEPS_MORE) && this.#bySystem(source, path, stats)) {
        if (sha256 !== undefined) this.#checkCopy(source, path, bytes, sha256)
        return
      }
      const content = this.#contentOf(from, source, bytes)
      if (sha256 !== undefined && hash('sha256', content) !== sha256) throw contentChanged(source)
      write(path, content, stats)
    } finally {
      closeSync(from)
    }
  }

  #contentOf(file: number, source: string, bytes: number): Buffer {
    const length = readAtOnce(file, this.#buffer.subarray(0, bytes + 1))
    if (length !== bytes) throw wrongLength(source, length, bytes)
    return this.#buffer.subarray(0, bytes)
  }

  /** The copy is what counts: the source may have changed between two looks. */
  #checkCopy(source: string, path: string, bytes: number, sha256: string): void {
    const copy = openedAtOnce(path)
    try {
      if (hash('sha256', this.#contentOf(copy, source, bytes)) !== sha256) throw contentChanged(source)
    } finally {
      closeSync(copy)
    }
  }

  #bySystem(source: string, path: string, stats: BigIntStats): boolean {
    const { dev, mode } = stats
    if (this.#cannotClone.has(dev)) return false
    const clone = SYSTEM_KEEPS_MORE ? constants.COPYFILE_FICLONE : constants.COPYFILE_FICLONE_FORCE
    try {
      copyFileSync(fsPath(source), fsPath(path), constants.COPYFILE_EXCL | clone)
    } catch (thrown) {
      if (SYSTEM_KEEPS_MORE || (thrown as NodeJS.ErrnoException).code === 'EEXIST') throw thrown
      this.#cannotClone.add(dev)
      return false
    }
    setFileTimes(path, stats)
    chmodSync(fsPath(path), Number(mode) & 0o777)
    return true
  }
}

function write(path: string, content: Buffer, stats: BigIntStats): void {
  writeNewFileAtOnce(path, content, 0o600, (file) => {
    setFileTimes(path, stats)
    fchmodSync(file, Number(stats.mode) & 0o777)
  })
}

export function wrongLength(source: string, found: number | bigint, bytes: number): AppError {
  return cannot('changed', 'copy', source, `read ${found} bytes instead of ${bytes}`)
}
