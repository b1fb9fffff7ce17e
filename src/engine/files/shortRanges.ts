import { type FileHandle, open } from 'node:fs/promises'
import { throwIfAborted } from '../jobs/throwIfAborted'
import { attempt, fsPath } from './fileSystem'
import { type ContentPlace, contentOf } from './rangeOf'

/** The bytes that are read at once, and processed in less than the engine may be silent. */
export const SHORT_BYTES = 1 << 20
/** Files in an image lie one after the other, in whole sectors. */
const NEXT_BYTES = 2048

/**
 * Reads short ranges, of which many often follow each other in one image: its file stays open, and
 * is read ahead where the last range ended. Nothing is read on the thread that asks: discs may need
 * long for a sector.
 */
export class ShortRanges {
  readonly #signal: AbortSignal
  readonly #ahead = Buffer.allocUnsafeSlow(SHORT_BYTES)
  #open: { readonly path: string; readonly file: FileHandle } | null = null
  /** The range of the open file in `#ahead`, and the end of the last range. */
  #held = { from: 0, to: 0 }
  #ended = Number.NaN
  /** Sectors ahead that cannot be read would be tried once for every file before them. */
  readonly #unreadable = new Set<string>()

  constructor(signal: AbortSignal) {
    this.#signal = signal
  }

  takes(bytes: number): boolean {
    return bytes <= SHORT_BYTES
  }

  /**
   * The content of a range; it is there until the next is asked for.
   * @throws AppError `verification-failed` where the file ends before the range, `io`, `cancelled`
   */
  async read(range: ContentPlace): Promise<Buffer> {
    throwIfAborted(this.#signal)
    const { offset, bytes } = range
    const file = await this.#fileOf(range.file)
    const end = offset + bytes
    const isNext = offset >= this.#ended && offset - this.#ended < NEXT_BYTES
    this.#ended = end
    if (offset < this.#held.from || end > this.#held.to) {
      if (!isNext || this.#unreadable.has(range.file) || !(await this.#readAhead(file, range)))
        return contentOf(file, range, this.#signal)
    }
    return this.#ahead.subarray(offset - this.#held.from, end - this.#held.from)
  }

  async close(): Promise<void> {
    const last = this.#open
    this.#open = null
    this.#held = { from: 0, to: 0 }
    this.#ended = Number.NaN
    await last?.file.close()
  }

  async #fileOf(path: string): Promise<FileHandle> {
    if (this.#open?.path === path) return this.#open.file
    await this.close()
    return attempt('read', path, async () => {
      const file = await open(fsPath(path))
      this.#open = { path, file }
      return file
    })
  }

  /** True when the whole range is there then. */
  async #readAhead(file: FileHandle, { file: path, offset, bytes }: ContentPlace): Promise<boolean> {
    this.#held = { from: 0, to: 0 }
    try {
      const { bytesRead } = await file.read(this.#ahead, 0, SHORT_BYTES, offset)
      this.#held = { from: offset, to: offset + bytesRead }
      return bytesRead >= bytes
    } catch {
      this.#unreadable.add(path)
      return false
    }
  }
}
