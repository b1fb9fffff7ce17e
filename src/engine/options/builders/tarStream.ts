import { lstatSync } from 'node:fs'
import { fsPath, textBytes } from '../../files/fileSystem'
import { readFailure } from '../../files/sourceCheck'
import { throwIfAborted } from '../../jobs/throwIfAborted'
import type { BuildFile, BuildRequest } from './optionBuilder'
import { contentOf } from './sourceContent'

const BLOCK = 512
/** As GNU tar pads an archive. */
const RECORD = 20 * BLOCK

/**
 * A source as a tar archive in GNU's format (GNU tar manual, "GNU tar and POSIX tar": names of any
 * bytes and length by `L` and `K` members, sizes past 8 GiB in base 256): folders, links, then
 * files in the order given. Modes and whole seconds of times are kept, owners are not, so that an
 * unchanged source gives the same bytes again. Bytes of files are reported as progress.
 * @param secondsOf the time that a member gets, for readers that do not hold every time that tar
 *   does
 * @throws AppError `changed` when a file does not have the length or digest that it had,
 *   `vanished`, `cancelled`
 */
export async function* tarStream(
  request: TarRequest,
  secondsOf: SecondsOf = wholeSeconds,
): AsyncGenerator<Uint8Array, void, void> {
  const count = { written: 0, done: 0 }
  yield* counted(beginning(request, secondsOf), count)
  yield* counted(members(request, request.files, secondsOf, count), count)
  yield endOf(count)
}

/**
 * The same archive as two streams, the second to be read after the first: files for which `isLast`
 * is true come in the second.
 * @throws as `tarStream`
 */
export function tarInTwo(
  request: TarRequest,
  isLast: (path: string) => boolean,
): { first: AsyncGenerator<Uint8Array, void, void>; last: AsyncGenerator<Uint8Array, void, void> } {
  const count = { written: 0, done: 0 }
  const filesOf = (isLate: boolean): BuildFile[] =>
    request.files.filter(({ path }) => isLast(path) === isLate)
  async function* early(): AsyncGenerator<Uint8Array, void, void> {
    yield* counted(beginning(request, wholeSeconds), count)
    yield* counted(members(request, filesOf(false), wholeSeconds, count), count)
  }
  async function* late(): AsyncGenerator<Uint8Array, void, void> {
    yield* counted(members(request, filesOf(true), wholeSeconds, count), count)
    yield endOf(count)
  }
  return { first: early(), last: late() }
}

type TarRequest = Pick<BuildRequest, 'files' | 'folders' | 'symlinks' | 'signal' | 'onProgress'>
type SecondsOf = (mtimeMs: number) => number

/** Bytes of the archive, and of files, so far. */
interface Count {
  written: number
  done: number
}

const wholeSeconds: SecondsOf = (mtimeMs) => Math.floor(mtimeMs / 1000)

async function* counted(
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  count: Count,
): AsyncGenerator<Uint8Array, void, void> {
  for await (const piece of pieces) {
    count.written += piece.length
    yield piece
  }
}

/** Folders and links. */
function* beginning(
  { folders = [], symlinks = [] }: TarRequest,
  secondsOf: SecondsOf,
): Generator<Uint8Array, void, void> {
  for (const { source, path } of folders)
    if (path !== '') yield header(`${path}/`, statsOf(source, secondsOf), { kind: '5', bytes: 0, target: '' })
  for (const { source, path, target } of symlinks)
    yield header(path, statsOf(source, secondsOf), { kind: '2', bytes: 0, target })
}

async function* members(
  { signal, onProgress }: TarRequest,
  files: readonly BuildFile[],
  secondsOf: SecondsOf,
  count: Count,
): AsyncGenerator<Uint8Array, void, void> {
  for (const { source, path, bytes, digest } of files) {
    throwIfAborted(signal)
    yield header(path, statsOf(source, secondsOf), { kind: '0', bytes, target: '' })
    for await (const piece of contentOf(source, bytes, signal, digest)) {
      yield piece
      onProgress((count.done += piece.length))
    }
    if (bytes % BLOCK > 0) yield new Uint8Array(BLOCK - (bytes % BLOCK))
  }
}

/** Zeros that pad an archive to whole records. */
function endOf({ written }: Count): Uint8Array {
  return new Uint8Array(Math.ceil((written + 2 * BLOCK) / RECORD) * RECORD - written)
}

interface TarStats {
  readonly mode: number
  readonly mtimeSeconds: number
}

function statsOf(source: string, secondsOf: (mtimeMs: number) => number): TarStats {
  try {
    const { mode, mtimeMs } = lstatSync(fsPath(source))
    return { mode: mode & 0o7777, mtimeSeconds: secondsOf(mtimeMs) }
  } catch (thrown) {
    throw readFailure(thrown, source)
  }
}

/** Headers of one member, with those in front that carry long names. */
function header(
  path: string,
  { mode, mtimeSeconds }: TarStats,
  { kind, bytes, target }: { kind: string; bytes: number; target: string },
): Buffer {
  const name = Buffer.from(textBytes(path))
  const link = Buffer.from(textBytes(target))
  return Buffer.concat([
    ...(link.length > 100 ? [longName('K', link)] : []),
    ...(name.length > 100 ? [longName('L', name)] : []),
    block(name, link, { kind, mode, mtimeSeconds, bytes }),
  ])
}

function longName(kind: 'K' | 'L', name: Buffer): Buffer {
  const content = Buffer.alloc(Math.ceil((name.length + 1) / BLOCK) * BLOCK)
  name.copy(content)
  const front = block(Buffer.from('././@LongLink'), Buffer.alloc(0), {
    kind,
    mode: 0o644,
    mtimeSeconds: 0,
    bytes: name.length + 1,
  })
  return Buffer.concat([front, content])
}

function block(
  name: Buffer,
  link: Buffer,
  { kind, mode, mtimeSeconds, bytes }: { kind: string; mode: number; mtimeSeconds: number; bytes: number },
): Buffer {
  const head = Buffer.alloc(BLOCK)
  name.copy(head, 0, 0, 100)
  putNumber(head, 100, 8, mode)
  putNumber(head, 108, 8, 0)
  putNumber(head, 116, 8, 0)
  putNumber(head, 124, 12, bytes)
  putNumber(head, 136, 12, mtimeSeconds)
  head.write(' '.repeat(8), 148, 'latin1')
  head.write(kind, 156, 'latin1')
  link.copy(head, 157, 0, 100)
  head.write('ustar  \0', 257, 'latin1')
  const sum = head.reduce((total, byte) => total + byte, 0)
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return head
}

/**
 * Octal with a zero byte, or in base 256 (two's complement) when that has no room or the value is
 * below zero.
 */
function putNumber(head: Buffer, at: number, length: number, value: number): void {
  const octal = value.toString(8)
  if (value >= 0 && octal.length < length) {
    head.write(`${octal.padStart(length - 1, '0')}\0`, at, 'latin1')
    return
  }
  let rest = BigInt(value)
  for (let place = at + length - 1; place > at; place--) {
    head[place] = Number(rest & 0xffn)
    rest >>= 8n
  }
  head[at] = value < 0 ? 0xff : 0x80
}
