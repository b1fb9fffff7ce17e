import { closeSync, constants, mkdirSync, openSync, statSync, writeSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { said } from '../../primitives/said'
import { throwIfAborted } from '../jobs/throwIfAborted'
import { attempt, attemptAtOnce, cannot, fileFailure, fsPath, textBytes } from './fileSystem'

/**
 * The content of a new file. Strings are lossless path text: lone surrogates become their bytes.
 */
export type Pieces = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>

interface Writing {
  /** Less what the umask takes away. */
  readonly mode?: number
  /**
   * False for what need not outlast a loss of power by itself: temporary files, and files of a
   * folder that is flushed as a whole before it takes its place (`flushTree`).
   */
  readonly flush?: boolean
  /** Leaves holes where whole blocks of the content are zeros. */
  readonly holes?: boolean
  readonly signal?: AbortSignal
}

const CHUNK_BYTES = 1 << 20
const MOST_BUFFERS = 1000
/** File systems keep holes in multiples of this or of more. */
const HOLE_BYTES = 4096
const ZEROS = Buffer.alloc(HOLE_BYTES)

/**
 * Writes a new file piece by piece: all of it, or it throws. On return the content is on the
 * device. The file must not exist; whoever calls this does so next to a file's place or in a folder
 * that is not yet in its place, and removes it after a failure.
 * @returns the bytes written
 * @throws AppError `exists`, `no-space`, `io`, `cancelled`, …; what the pieces throw passes
 *   unchanged
 */
export async function writeNewFile(path: string, pieces: Pieces, writing: Writing = {}): Promise<number> {
  const file = await attempt('write', path, () => open(fsPath(path), 'wx', writing.mode ?? 0o666))
  let total = 0
  try {
    let waiting: Uint8Array[] = []
    let waitingBytes = 0
    const pass = async (): Promise<void> => {
      if (waitingBytes === 0) return
      await attempt('write', path, () =>
        writing.holes === true ? writeWithHoles(file, waiting, total, path) : writeAll(file, waiting, path),
      )
      total += waitingBytes
      waiting = []
      waitingBytes = 0
    }
    const take = (piece: string | Uint8Array): boolean => {
      const bytes = typeof piece === 'string' ? textBytes(piece) : piece
      waiting.push(bytes)
      waitingBytes += bytes.length
      return waitingBytes >= CHUNK_BYTES || waiting.length >= MOST_BUFFERS
    }
    if (Symbol.iterator in pieces) {
      for (const piece of pieces) {
        if (!take(piece)) continue
        throwIfAborted(writing.signal)
        await pass()
      }
    } else {
      for await (const piece of pieces) {
        throwIfAborted(writing.signal)
        // Written before the next one is asked for, as it may come in the same buffer.
        take(piece)
        await pass()
      }
    }
    await pass()
    if (writing.holes === true) await attempt('write', path, () => file.truncate(total))
    if (writing.flush !== false) await attempt('write', path, () => file.sync())
  } catch (thrown) {
    await file.close().catch(() => undefined)
    throwIfAborted(writing.signal)
    throw thrown
  }
  // Network file systems report here what they could not write.
  await attempt('write', path, () => file.close())
  return total
}

/** A new file whose pieces come one by one. */
export interface GrowingFile {
  /** @throws AppError `no-space`, `io` */
  add(piece: Uint8Array): Promise<void>
  /** May be called again. @throws as `add` */
  close(): Promise<void>
}

/**
 * Opens a new file for pieces that someone else hands over; nothing is flushed. @throws AppError
 * `exists`, `no-space`, …
 */
export async function growingFile(path: string, mode = 0o666): Promise<GrowingFile> {
  const file = await attempt('write', path, () => open(fsPath(path), 'wx', mode))
  let isOpen = true
  return {
    add: (piece) => attempt('write', path, () => writeAll(file, [piece], path)),
    async close() {
      if (!isOpen) return
      isOpen = false
      await attempt('write', path, () => file.close())
    },
  }
}

/**
 * Writes into a file from an offset on, which is made if it is not there, and brings the whole to
 * the device: all of it, or it throws. What lies before and behind stays as it is.
 * @param options.holes leaves holes where whole blocks of the content are zeros and the file has
 *   zeros already
 * @throws AppError `no-space`, `io`, `cancelled`, …; what the pieces throw passes unchanged
 */
export async function writeIntoFile(
  path: string,
  offset: number,
  pieces: AsyncIterable<Uint8Array>,
  { holes = false, signal }: { readonly holes?: boolean; readonly signal?: AbortSignal } = {},
): Promise<void> {
  const flags = constants.O_CREAT | constants.O_RDWR
  const file = await attempt('write', path, () => open(fsPath(path), flags, 0o600))
  try {
    let at = offset
    for await (const piece of pieces) {
      throwIfAborted(signal)
      const position = at
      await attempt('write', path, async () => {
        const canLeave = holes && (await isZero(file, position, piece.length))
        if (canLeave) await writeWithHoles(file, [piece], position, path)
        else await writeAt(file, piece, 0, piece.length, position, path)
      })
      at += piece.length
    }
    const { size } = await attempt('read', path, () => file.stat())
    if (size < at) await attempt('write', path, () => file.truncate(at))
    await attempt('write', path, () => file.sync())
  } finally {
    await file.close()
  }
}

/** True when a range of a file has only zeros, or is behind its end. */
async function isZero(file: FileHandle, position: number, length: number): Promise<boolean> {
  const there = Buffer.alloc(length)
  const { bytesRead } = await file.read(there, 0, length, position)
  return there.subarray(0, bytesRead).every((byte) => byte === 0)
}

/**
 * Writes a new short file, all of it or it throws, at once on this thread, without flushing.
 * @param finish what else is done to the open file, such as setting its times
 */
export function writeNewFileAtOnce(
  path: string,
  bytes: Uint8Array,
  mode = 0o666,
  finish?: (file: number) => void,
): void {
  attemptAtOnce('write', path, () => {
    const file = openSync(fsPath(path), 'wx', mode)
    try {
      writeAllAtOnce(file, bytes, path)
      finish?.(file)
    } catch (thrown) {
      closeSync(file)
      throw thrown
    }
    closeSync(file)
  })
}

/**
 * Writes to a file that is open, from where it is, at once on this thread: all of it, or it throws.
 * @param path for the failure's words
 * @throws the system's errors; AppError `io`
 */
export function writeAllAtOnce(file: number, bytes: Uint8Array, path: string): void {
  for (let at = 0; at < bytes.length; ) at += moved(writeSync(file, bytes, at, bytes.length - at), path)
}

/**
 * The system may take less than it was given without an error; what is left then meets the error,
 * if there is one.
 */
async function writeAll(file: FileHandle, buffers: readonly Uint8Array[], path: string): Promise<void> {
  let rest = buffers.filter(({ length }) => length > 0)
  while (rest.length > 0) {
    const { bytesWritten } = await file.writev(rest)
    let left = moved(bytesWritten, path)
    let at = 0
    while (at < rest.length && left >= (rest[at] as Uint8Array).length)
      left -= (rest[at++] as Uint8Array).length
    rest = rest.slice(at)
    if (left > 0) rest[0] = (rest[0] as Uint8Array).subarray(left)
  }
}

/** Writes from a position on, but for the blocks that hold only zeros. */
async function writeWithHoles(
  file: FileHandle,
  buffers: readonly Uint8Array[],
  position: number,
  path: string,
): Promise<void> {
  const bytes = Buffer.concat(buffers)
  const isHole = (from: number, to: number): boolean =>
    to - from === HOLE_BYTES && ZEROS.compare(bytes, from, to) === 0
  const blockEnd = (from: number): number =>
    Math.min(bytes.length, from + HOLE_BYTES - ((position + from) % HOLE_BYTES))
  for (let from = 0; from < bytes.length; ) {
    let to = blockEnd(from)
    if (isHole(from, to)) {
      from = to
      continue
    }
    while (to < bytes.length && !isHole(to, blockEnd(to))) to = blockEnd(to)
    await writeAt(file, bytes, from, to, position + from, path)
    from = to
  }
}

/** Writes the bytes of a buffer between two places to a position of an open file. */
export async function writeAt(
  file: FileHandle,
  bytes: Uint8Array,
  from: number,
  to: number,
  position: number,
  path: string,
): Promise<void> {
  for (let at = from; at < to; ) {
    const { bytesWritten } = await file.write(bytes, at, to - at, position + at - from)
    at += moved(bytesWritten, path)
  }
}

function moved(bytes: number, path: string): number {
  if (bytes > 0) return bytes
  throw cannot('io', 'write', path, said`the system accepts no more data`)
}

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

/** The folder that a path lies in; of one at the top of a drive (`C:/photos`) the drive's root. */
export function folderOf(path: string): string {
  const slash = path.lastIndexOf('/')
  if (slash < 0) return '.'
  const isTop = slash === 0 || /^[A-Z]:$/.test(path.slice(0, slash))
  return path.slice(0, isTop ? slash + 1 : slash)
}

/**
 * Makes a folder and the folders above it where they are missing. Node's own recursive form never
 * returns where the system answers "not found" for a folder that cannot be made, as below /proc.
 * @param mode of the folders that are made
 * @returns the folders that were missing, those above first
 * @throws AppError that names the folder and why it cannot be made
 */
export function ensureFolder(folder: string, mode = 0o777): string[] {
  return attemptAtOnce('make the folder', folder, () => {
    const made = makes(folder, mode)
    if (made !== 'orphan') return made === 'made' ? [folder] : []
    const parent = dirname(folder)
    const above = parent === folder ? [] : ensureFolder(parent, mode)
    mkdirSync(fsPath(folder), { mode })
    return [...above, folder]
  })
}

/** Makes one folder, or finds it made; an orphan lacks the folder above. */
function makes(folder: string, mode: number): 'made' | 'there' | 'orphan' {
  try {
    mkdirSync(fsPath(folder), { mode })
    return 'made'
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException
    if (code === 'ENOENT') return 'orphan'
    // Some systems answer so for a folder on a disk that is read-only.
    const isThere = statSync(fsPath(folder), { throwIfNoEntry: false })?.isDirectory() ?? false
    if (isThere) return 'there'
    throw thrown
  }
}
