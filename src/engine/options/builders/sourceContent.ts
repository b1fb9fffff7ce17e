import { createHash, type Hash, hash as hashOf } from 'node:crypto'
import { closeSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { AppError } from '../../../primitives/appError'
import { said } from '../../../primitives/said'
import { cannot, fsPath } from '../../files/fileSystem'
import { openedAtOnce, readAtOnce } from '../../files/read'
import { contentChanged, readFailure } from '../../files/sourceCheck'
import { pausing } from '../../jobs/slowly'
import { throwIfAborted } from '../../jobs/throwIfAborted'

/**
 * The bytes that slow codecs compress in less than a tenth of a second: a cancel waits for as much.
 */
export const PIECE_BYTES = 128 * 1024

/**
 * Short files are read at once, which costs a tenth of handing them to another thread; the engine
 * answers between them.
 */
const pause = pausing(() => undefined)

/**
 * The bytes of a file, exactly as many as it had, in pieces that whoever asked owns.
 * @param digest SHA-256 of the content where it is known: other bytes are refused at the end
 * @throws AppError `changed` when it gives fewer bytes, has more or has others, `vanished`,
 *   `cancelled`
 */
export function contentOf(
  source: string,
  bytes: number,
  signal: AbortSignal,
  digest: string | null = null,
): AsyncGenerator<Buffer> {
  const room = (rest: number): Buffer => Buffer.allocUnsafe(Math.min(PIECE_BYTES, rest))
  return pieces({ source, bytes, digest }, signal, room)
}

/**
 * The same in pieces that fill one buffer, all but the last: each is there until the next is asked
 * for.
 */
export function contentThrough(
  buffer: Buffer,
  source: string,
  bytes: number,
  signal: AbortSignal,
  digest: string | null = null,
): AsyncGenerator<Buffer> {
  return pieces({ source, bytes, digest }, signal, (rest) => buffer.subarray(0, rest))
}

/**
 * The same of a short file, at once.
 * @param into has room for one byte more
 */
export async function wholeContent(
  source: string,
  bytes: number,
  into: Buffer,
  digest: string | null = null,
): Promise<Buffer> {
  const content = await beginningOf(source, into.subarray(0, bytes + 1))
  if (content.length !== bytes) throw wrongSize(source, content.length, bytes)
  if (digest !== null && hashOf('sha256', content) !== digest) throw contentChanged(source)
  return content
}

/**
 * As much of the beginning of a file as there is room for.
 * @throws AppError `vanished`, …
 */
export async function beginningOf(source: string, into: Buffer): Promise<Buffer> {
  await pause()
  try {
    const file = openedAtOnce(source)
    try {
      return into.subarray(0, readAtOnce(file, into))
    } finally {
      closeSync(file)
    }
  } catch (thrown) {
    throw readFailure(thrown, source)
  }
}

interface Wanted {
  readonly source: string
  readonly bytes: number
  readonly digest: string | null
}

async function* pieces(
  { source, bytes, digest }: Wanted,
  signal: AbortSignal,
  roomFor: (rest: number) => Buffer,
): AsyncGenerator<Buffer, void, void> {
  throwIfAborted(signal)
  if (bytes < PIECE_BYTES) {
    const room = roomFor(bytes + 1)
    if (room.length > bytes) {
      const content = await wholeContent(source, bytes, room, digest)
      if (content.length > 0) yield content
      return
    }
  }
  const file = await opened(source)
  const hash: Hash | null = digest === null ? null : createHash('sha256')
  try {
    for (let at = 0; ; ) {
      throwIfAborted(signal)
      // One byte more is asked for at the end: a file that has grown is another file.
      const room = roomFor(bytes - at + 1)
      const length = await filled(file, room, { source, bytes, at })
      const piece = room.subarray(0, length)
      hash?.update(piece)
      if (length < room.length && hash !== null && hash.digest('hex') !== digest) throw contentChanged(source)
      if (length > 0) yield piece
      if (length < room.length) return
      at += length
    }
  } finally {
    await file.close()
  }
}

/** Reads until there is no room or the file ends, and answers how much that was. */
async function filled(
  file: FileHandle,
  room: Buffer,
  { source, bytes, at }: { source: string; bytes: number; at: number },
): Promise<number> {
  let length = 0
  while (length < room.length) {
    const { bytesRead } = await file
      .read(room, length, room.length - length, at + length)
      .catch((thrown: unknown) => {
        throw readFailure(thrown, source)
      })
    length += bytesRead
    if (at + length > bytes || (bytesRead === 0 && at + length < bytes))
      throw wrongSize(source, at + length, bytes)
    if (bytesRead === 0) break
  }
  return length
}

async function opened(source: string): Promise<FileHandle> {
  return open(fsPath(source), 'r').catch((thrown: unknown) => {
    throw readFailure(thrown, source)
  })
}

function wrongSize(source: string, found: number, bytes: number): AppError {
  const than = found > bytes ? 'more than' : `${found} bytes instead of`
  return cannot('changed', 'use', source, said`read ${than} ${bytes} bytes`)
}
