import { createHash, type Hash } from 'node:crypto'
import { closeSync, constants, openSync, readSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { AppError } from '../../primitives/appError'
import { said } from '../../primitives/said'
import { throwIfAborted } from '../jobs/throwIfAborted'
import { hashRanges } from '../native/addon'
import { attempt, cannot, fsPath, joinPath } from './fileSystem'

/** Where content is: a range of a file, such as an image, or the whole of it. */
export interface ContentPlace {
  readonly file: string
  readonly offset: number
  readonly bytes: number
}

const CHUNK_BYTES = 1 << 20

/**
 * The bytes of a range in pieces; each is there until the next is asked for.
 * @throws AppError `verification-failed` where the file ends before the range, `io`, `cancelled`
 */
export async function* rangeOf(
  { file: path, offset, bytes }: ContentPlace,
  signal: AbortSignal,
): AsyncGenerator<Buffer, void, void> {
  const file = await opened(path)
  try {
    const buffer = Buffer.allocUnsafe(Math.max(1, Math.min(CHUNK_BYTES, bytes)))
    for (let done = 0; done < bytes; ) {
      throwIfAborted(signal)
      const room = buffer.subarray(0, Math.min(buffer.length, bytes - done))
      const length = await readSome(file, room, offset + done, path)
      done += length
      yield buffer.subarray(0, length)
    }
  } finally {
    await file.close()
  }
}

/** The content of a short range. @throws as `rangeOf` */
export async function shortRange(place: ContentPlace, signal: AbortSignal): Promise<Buffer> {
  const file = await opened(place.file)
  try {
    return await contentOf(file, place, signal)
  } finally {
    await file.close()
  }
}

function opened(path: string): Promise<FileHandle> {
  return attempt('read', path, open(fsPath(path)))
}

/**
 * The content of a short range of an open file.
 * @throws as `rangeOf`
 */
async function contentOf(
  file: FileHandle,
  { file: path, offset, bytes }: ContentPlace,
  signal: AbortSignal,
): Promise<Buffer> {
  const content = Buffer.allocUnsafe(bytes)
  for (let done = 0; done < bytes; ) {
    throwIfAborted(signal)
    done += await readSome(file, content.subarray(done), offset + done, path)
  }
  return content
}

async function readSome(file: FileHandle, room: Buffer, offset: number, path: string): Promise<number> {
  const { bytesRead } = await attempt('read', path, file.read(room, 0, room.length, offset))
  if (bytesRead > 0) return bytesRead
  throw cannot('verification-failed', 'read', path, said`it ends early`)
}

/** Feeds a range of a file to a hash. @throws as `rangeOf` */
export async function feedRange(
  hash: Hash,
  range: ContentPlace,
  signal: AbortSignal,
  onBytes?: (bytes: number) => void,
): Promise<void> {
  for await (const piece of rangeOf(range, signal)) {
    hash.update(piece)
    onBytes?.(piece.length)
  }
}

/**
 * The SHA-256 of a range of a file.
 * @param onBytes bytes that were read since the last call
 * @throws as `rangeOf`
 */
export async function sha256Of(
  range: ContentPlace,
  signal: AbortSignal,
  onBytes?: (bytes: number) => void,
): Promise<string> {
  const hash = createHash('sha256')
  await feedRange(hash, range, signal, onBytes)
  return hash.digest('hex')
}

/**
 * Digests in hex, in the order of the ranges.
 * @throws AppError the first range's failure
 */
export async function hashRangesHex(
  ranges: readonly { path: string; offset: number; length: number }[],
  signal: AbortSignal,
  onProgress: (bytesDone: number) => void,
): Promise<string[]> {
  const { sha256, errors } = await hashRanges(ranges, { signal, onProgress })
  const [first] = errors.values()
  if (first) throw new AppError(first.code, first.message)
  return ranges.map((_, at) => digestHex(sha256, at))
}

/** Returns the digest at a place of a row of SHA-256 digests, in hex. */
export function digestHex(digests: Uint8Array, at: number): string {
  return Buffer.from(digests.subarray(at * 32, at * 32 + 32)).toString('hex')
}

/**
 * Opens a file for reading on the thread that asks, also what has become a pipe meanwhile: that
 * would wait for a writer for ever. Whoever asked closes it. @throws the system's errors
 */
export function openedAtOnce(source: string): number {
  // Windows has no such flag.
  return openSync(fsPath(source), constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
}

/**
 * Reads from the beginning until there is no room or the file ends, on the thread that asks.
 * @returns how much that was
 * @throws the system's errors
 */
export function readAtOnce(file: number, room: Buffer): number {
  let length = 0
  while (length < room.length) {
    const read = readSync(file, room, length, room.length - length, length)
    if (read === 0) break
    length += read
  }
  return length
}

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

/**
 * Cuts a stream of bytes into lines, however the bytes are cut into chunks. Empty lines are
 * dropped.
 */
interface LineSplitter {
  push(chunk: Uint8Array): void
  /** Hands over the text after the last line end. */
  end(): void
}

/** Longer lines are cut here: output of a foreign program must not fill the memory. */
const MAX_LINE_BYTES = 1024 * 1024

/**
 * @param onLine receives each line without its end
 * @param encoding how the bytes are read; `latin1` keeps them all, for names that need not be UTF-8
 * @param carriageReturnEnds false where a lone `\r` may be inside a name
 */
export function lineSplitter(
  onLine: (line: string) => void,
  encoding: 'utf8' | 'latin1' = 'utf8',
  carriageReturnEnds = true,
): LineSplitter {
  let pending: Uint8Array[] = []
  let pendingBytes = 0
  const flush = (): void => {
    if (pendingBytes > 0) onLine(Buffer.concat(pending).toString(encoding))
    pending = []
    pendingBytes = 0
  }
  return {
    push(chunk) {
      let start = 0
      for (let index = 0; index < chunk.length; index++) {
        const byte = chunk[index]
        const isEnd = byte === 0x0a || (byte === 0x0d && carriageReturnEnds)
        if (!isEnd && pendingBytes + (index - start) < MAX_LINE_BYTES) continue
        const stop = isEnd ? index : index + 1
        if (stop > start) {
          pending.push(Uint8Array.from(chunk.subarray(start, stop)))
          pendingBytes += stop - start
        }
        flush()
        start = index + 1
      }
      if (start < chunk.length) {
        pending.push(Uint8Array.from(chunk.subarray(start)))
        pendingBytes += chunk.length - start
      }
    },
    end: flush,
  }
}

/** `plan.json` begins with its schema and its id, of which neither is long. */
const HEAD_BYTES = 512
const HEAD = /^\s*\{\s*"schema":\s*"stowage\.plan\/\d+",\s*"id":\s*"([^"\\]+)"/

/**
 * The id of the plan that was exported to a folder; null where there is none, or none that can be
 * read.
 */
export function planIdIn(directory: string): string | null {
  try {
    const file = openedAtOnce(joinPath(directory, 'plan.json'))
    try {
      const head = Buffer.alloc(HEAD_BYTES)
      return HEAD.exec(head.toString('utf8', 0, readAtOnce(file, head)))?.[1] ?? null
    } finally {
      closeSync(file)
    }
  } catch {
    return null
  }
}
