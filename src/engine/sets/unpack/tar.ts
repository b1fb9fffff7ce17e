import { createHash, type Hash, hash as hashAtOnce } from 'node:crypto'
import { constants, createZstdDecompress } from 'node:zlib'
import { AppError } from '../../../primitives/appError'
import { pathFromBytes } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import { joinPath } from '../../files/fileSystem'
import { SHORT_BYTES } from '../../files/read'
import { type GrowingFile, growingFile, writeNewFileAtOnce } from '../../files/write'
import { throwIfAborted } from '../../jobs/throwIfAborted'
import { runTool, type ToolResult, type ToolRun } from '../../tools/runTool'
import { followedRange } from './byProgram'
import { decompressed } from './compressedFile'
import type { FoundMember, Unpack, Unpacking } from './unpacker'

const BLOCK = 512
/** The most bytes of a name or of extended headers. */
const LONGEST_FACTS = 1 << 20

/** The parts of an unpacking that the reader works with. */
type Reading = Pick<Unpacking, 'scratch' | 'digestsOnly' | 'found'> & {
  /** Bytes of wanted members that were written since the last call. */
  readonly onBytes: (bytes: number) => void
}

/**
 * A member that is being read: short ones are written whole at their end, in one go; of others only
 * `hash` knows all.
 */
interface Open {
  readonly member: string
  readonly bytes: number
  readonly short: { readonly content: Buffer; length: number } | null
  readonly long: { readonly file: GrowingFile | null; readonly path: string; readonly hash: Hash } | null
}

/**
 * Takes wanted files out of a tar stream as it comes: of GNU's format, as Stowage and borg write
 * it, or POSIX.1-2001 (pax), as restic writes it. Names are only compared, byte for byte: files are
 * written under numbers, so that no name leads anywhere.
 */
export class TarReader {
  readonly #wanted: ReadonlySet<string>
  readonly #work: Reading
  readonly #head = Buffer.alloc(BLOCK)
  #headBytes = 0
  /** Bytes left of the content that is being read, and of the zeros after it. */
  #left = 0
  #padding = 0
  #facts: { readonly kind: string; readonly pieces: Buffer[] } | null = null
  #open: Open | null = null
  #longName: Buffer | null = null
  #longTarget: Buffer | null = null
  #size: number | null = null
  #number = 0
  #isEnded = false
  readonly #found = new Map<string, FoundMember>()
  /** Wanted further names of files that came before and were not wanted, with the first name. */
  readonly links = new Map<string, string>()

  constructor(wanted: ReadonlySet<string>, work: Reading) {
    this.#wanted = wanted
    this.#work = work
  }

  /** True when no more wanted members can be taken from the stream. */
  get isDone(): boolean {
    return this.#isEnded || this.#found.size + this.links.size >= this.#wanted.size
  }

  /** @throws AppError `verification-failed` for what is no tar, `no-space`, `io` */
  async push(chunk: Uint8Array): Promise<void> {
    for (let at = 0; at < chunk.length && !this.#isEnded; ) {
      const rest = chunk.subarray(at)
      if (this.#left > 0) {
        const piece = rest.subarray(0, this.#left)
        this.#left -= piece.length
        at += piece.length
        await this.#content(piece)
        if (this.#left === 0) await this.#contentEnds()
      } else if (this.#padding > 0) {
        const skipped = Math.min(this.#padding, rest.length)
        this.#padding -= skipped
        at += skipped
      } else {
        const piece = rest.subarray(0, BLOCK - this.#headBytes)
        this.#head.set(piece, this.#headBytes)
        this.#headBytes += piece.length
        at += piece.length
        if (this.#headBytes === BLOCK) await this.#header()
      }
    }
  }

  /**
   * Says that the stream has ended.
   * @throws AppError `verification-failed` in the middle of something
   */
  async end(): Promise<void> {
    const isWhole = this.#isEnded || (this.#left === 0 && this.#headBytes === 0)
    await this.close()
    if (!isWhole) throw damaged('it ends early')
  }

  /** Closes what is open; to be called whatever happened. */
  async close(): Promise<void> {
    const { long } = this.#open ?? {}
    this.#open = null
    await long?.file?.close()
  }

  async #header(): Promise<void> {
    const head = this.#head
    this.#headBytes = 0
    let sum = 8 * 0x20
    for (let at = 0; at < BLOCK; at++) if (at < 148 || at >= 156) sum += head[at] as number
    if (sum === 8 * 0x20 && head.every((byte) => byte === 0)) {
      this.#isEnded = true
      return
    }
    if (sum !== numberAt(head, 148, 8)) throw damaged('a header has a wrong checksum')
    const kind = String.fromCharCode(head[156] as number)
    const bytes = numberAt(head, 124, 12)
    if ('LKxg'.includes(kind)) {
      if (bytes > LONGEST_FACTS) throw damaged('a name is too long')
      this.#facts = { kind, pieces: [] }
      return this.#begin(bytes)
    }
    const name = memberOf(this.#longName ?? shortName(head))
    const target = memberOf(this.#longTarget ?? textAt(head, 157, 100))
    const size = this.#size ?? bytes
    this.#longName = null
    this.#longTarget = null
    this.#size = null
    if (kind === '1' && this.#wanted.has(name)) {
      const first = this.#found.get(target)
      if (first) this.#note(name, first)
      else this.links.set(name, target)
    }
    const isFile = kind === '0' || kind === '\0' || kind === '7'
    if (isFile && this.#wanted.has(name)) await this.#openFile(name, size)
    return this.#begin(isFile || !'123456'.includes(kind) ? size : 0)
  }

  async #begin(bytes: number): Promise<void> {
    this.#left = bytes
    this.#padding = (BLOCK - (bytes % BLOCK)) % BLOCK
    if (bytes === 0) await this.#contentEnds()
  }

  async #openFile(member: string, bytes: number): Promise<void> {
    if (bytes <= SHORT_BYTES) {
      const short = { content: Buffer.allocUnsafe(bytes), length: 0 }
      this.#open = { member, bytes, short, long: null }
      return
    }
    const path = this.#work.digestsOnly ? '' : this.#nextPath()
    const file = this.#work.digestsOnly ? null : await growingFile(path, 0o600)
    this.#open = { member, bytes, short: null, long: { file, path, hash: createHash('sha256') } }
  }

  #nextPath(): string {
    return joinPath(this.#work.scratch(), `member-${(this.#number += 1)}`)
  }

  async #content(piece: Uint8Array): Promise<void> {
    if (this.#facts) this.#facts.pieces.push(Buffer.from(piece))
    if (!this.#open) return
    const { short, long } = this.#open
    if (short) {
      short.content.set(piece, short.length)
      short.length += piece.length
    }
    long?.hash.update(piece)
    await long?.file?.add(piece)
    this.#work.onBytes(piece.length)
  }

  async #contentEnds(): Promise<void> {
    if (this.#facts) {
      const { kind, pieces } = this.#facts
      this.#facts = null
      this.#take(kind, Buffer.concat(pieces))
    }
    if (!this.#open) return
    const { member, bytes, short, long } = this.#open
    await this.close()
    const sha256 = short ? hashAtOnce('sha256', short.content) : (long?.hash.digest('hex') ?? '')
    let file = long?.path ?? ''
    if (short && !this.#work.digestsOnly) {
      file = this.#nextPath()
      writeNewFileAtOnce(file, short.content, 0o600)
    }
    this.#note(member, { bytes, content: file === '' ? null : { file, offset: 0, bytes }, sha256 })
  }

  #note(member: string, found: FoundMember): void {
    this.#found.set(member, found)
    this.#work.found(member, found)
  }

  #take(kind: string, content: Buffer): void {
    if (kind === 'L') this.#longName = textAt(content, 0, content.length)
    else if (kind === 'K') this.#longTarget = textAt(content, 0, content.length)
    else if (kind === 'x') {
      for (const [key, value] of paxRecords(content)) {
        if (key === 'path') this.#longName = value
        else if (key === 'linkpath') this.#longTarget = value
        else if (key === 'size') this.#size = sizeOf(value)
      }
    }
  }
}

/** `LENGTH KEY=VALUE\n`, where the length counts the whole record. */
function* paxRecords(content: Buffer): Generator<[string, Buffer]> {
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(0x20, at)
    const length = Number(content.toString('latin1', at, Math.max(at, space)))
    const record = content.subarray(space + 1, at + length - 1)
    const equals = record.indexOf(0x3d)
    if (space < 0 || !Number.isSafeInteger(length) || length <= space - at || equals < 0)
      throw damaged('a header is not readable')
    yield [record.toString('latin1', 0, equals), record.subarray(equals + 1)]
    at += length
  }
}

function sizeOf(value: Buffer): number {
  const size = Number(value.toString('latin1'))
  if (!Number.isSafeInteger(size) || size < 0) throw damaged('a header has a wrong size')
  return size
}

/** Octal, or in base 256 where the first bit is set. */
function numberAt(head: Buffer, at: number, length: number): number {
  const first = head[at] as number
  if (first < 0x80) {
    const value = Number.parseInt(textAt(head, at, length).toString('latin1').trim() || '0', 8)
    if (!Number.isSafeInteger(value)) throw damaged('a header is not readable')
    return value
  }
  let value = first & 0x7f
  for (const byte of head.subarray(at + 1, at + length)) value = value * 256 + byte
  return sizeOf(Buffer.from(String(value)))
}

function shortName(head: Buffer): Buffer {
  const name = textAt(head, 0, 100)
  // GNU's format has other facts there.
  const prefix = head.toString('latin1', 257, 263) === 'ustar\0' ? textAt(head, 345, 155) : Buffer.alloc(0)
  return prefix.length === 0 ? name : Buffer.concat([prefix, Buffer.from('/'), name])
}

function textAt(head: Buffer, at: number, length: number): Buffer {
  const field = head.subarray(at, at + length)
  const end = field.indexOf(0)
  return Buffer.from(end < 0 ? field : field.subarray(0, end))
}

function memberOf(name: Buffer): string {
  return pathFromBytes(name).replace(/^(\.?\/)+/, '')
}

function damaged(because: string): AppError {
  return new AppError('verification-failed', said`cannot read the archive: ${because}`)
}

/**
 * Takes members out of a tar stream, and reads no further than they are. Whoever gives the stream
 * says how much of it is read.
 * @throws as `TarReader` and the stream do
 */
async function unpackTar(
  stream: AsyncIterable<Uint8Array>,
  members: ReadonlySet<string>,
  work: Unpacking,
): Promise<void> {
  const reader = new TarReader(members, { ...work, onBytes: () => undefined })
  try {
    for await (const chunk of stream) {
      throwIfAborted(work.signal)
      await reader.push(chunk)
      if (reader.isDone) return work.onShare(1)
    }
    await reader.end()
  } finally {
    await reader.close()
  }
}

/**
 * Takes members out of the tar stream that a program writes, and ends it when they are all there.
 * @returns how the program ended, null if it was not needed to its end; and further names whose
 *   first was not wanted
 * @throws AppError `cancelled`, `tool-missing`, and as `TarReader`
 */
export async function unpackToolTar(
  program: string,
  args: readonly string[],
  run: ToolRun,
  members: ReadonlySet<string>,
  work: Unpacking,
): Promise<{ result: ToolResult | null; links: ReadonlyMap<string, string> }> {
  let done = 0
  const onBytes = (bytes: number): void => work.onShare((done += bytes) / work.bytes)
  const reader = new TarReader(members, { ...work, onBytes })
  const enough = new AbortController()
  try {
    const result = await runTool(program, args, {
      ...run,
      signal: AbortSignal.any([work.signal, enough.signal]),
      async onOutput(chunk) {
        await reader.push(chunk)
        if (reader.isDone) enough.abort()
      },
    })
    if (result.exitCode === 0) await reader.end()
    return { result, links: reader.links }
  } catch (thrown) {
    throwIfAborted(work.signal)
    if (!(enough.signal.aborted && thrown instanceof AppError && thrown.code === 'cancelled')) throw thrown
    return { result: null, links: reader.links }
  } finally {
    await reader.close()
  }
}

/** The longest window that recipes have, 2 GiB. */
const WINDOW_LOG_MAX = 31

/** Reads a compressed tar archive from where it is. */
export const unpackTarZst: Unpack<'tar-zst'> = (container, members, work) => {
  const zstd = createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: WINDOW_LOG_MAX } })
  return unpackTar(decompressed(followedRange(container, work.signal, work.onShare), zstd), members, work)
}
