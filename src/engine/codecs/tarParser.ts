import { pathFromBytes } from '../../primitives/pathText'
import { said } from '../../primitives/said'

const BLOCK = 512
/** The most bytes of a name or of extended headers. */
const LONGEST_FACTS = 1 << 20
/** In the header of a sparse file, and in each further block of its map: another one follows. */
const SPARSE_GOES_ON = 482
const MAP_GOES_ON = 504

/** Why a stream is no tar, without the name of the file. */
export class TarFault extends Error {}

/** An entry of a tar archive, with its content in the archive. */
export interface TarEntry {
  /**
   * `link` is a further name of the file `target`. The content of a `sparse` file lacks its holes,
   * and its size is not known. Folders, symbolic links and devices are `other`.
   */
  readonly kind: 'file' | 'link' | 'sparse' | 'other'
  /** Byte for byte but for `./` and `/` in front. */
  readonly name: string
  readonly target: string
  /** The bytes of the content that follows. */
  readonly bytes: number
}

/** Takes the entries of an archive as they come. */
export interface TarEvents {
  begin(entry: TarEntry): void | Promise<void>
  /** A piece of the content, which is there until this has been answered. */
  content(piece: Uint8Array): void | Promise<void>
  /** The content has come whole. */
  end(): void | Promise<void>
}

/**
 * Reads a tar stream as it comes: of GNU's format, as Stowage and borg write it, or POSIX.1-2001
 * (pax), as restic writes it.
 */
export class TarParser {
  readonly #events: TarEvents
  readonly #head = Buffer.alloc(BLOCK)
  #headBytes = 0
  /** Bytes left of the content that is being read, and of the zeros after it. */
  #left = 0
  #padding = 0
  #facts: { readonly kind: string; readonly pieces: Buffer[] } | null = null
  #longName: Buffer | null = null
  #longTarget: Buffer | null = null
  #size: number | null = null
  #isSparse = false
  /** A sparse file whose map goes on in the next block. */
  #mapped: TarEntry | null = null
  #isEnded = false

  constructor(events: TarEvents) {
    this.#events = events
  }

  /** True when the archive has said that it ends. */
  get isEnded(): boolean {
    return this.#isEnded
  }

  /** False in the middle of something. */
  get isWhole(): boolean {
    return this.#isEnded || (this.#left === 0 && this.#headBytes === 0 && this.#mapped === null)
  }

  /** @throws TarFault for what is no tar, and as the events throw */
  async push(chunk: Uint8Array): Promise<void> {
    for (let at = 0; at < chunk.length && !this.#isEnded; ) {
      const rest = chunk.subarray(at)
      if (this.#left > 0) {
        const piece = rest.subarray(0, this.#left)
        this.#left -= piece.length
        at += piece.length
        if (this.#facts) this.#facts.pieces.push(Buffer.from(piece))
        else await this.#events.content(piece)
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
        if (this.#headBytes === BLOCK) await this.#block()
      }
    }
  }

  async #block(): Promise<void> {
    this.#headBytes = 0
    const mapped = this.#mapped
    if (!mapped) return this.#header()
    if (this.#head[MAP_GOES_ON] !== 0) return
    this.#mapped = null
    return this.#begin(mapped)
  }

  async #header(): Promise<void> {
    const head = this.#head
    let sum = 8 * 0x20
    for (let at = 0; at < BLOCK; at++) if (at < 148 || at >= 156) sum += head[at] as number
    if (sum === 8 * 0x20 && head.every((byte) => byte === 0)) {
      this.#isEnded = true
      return
    }
    if (sum !== numberAt(head, 148, 8)) throw new TarFault(said`a header has a wrong checksum`)
    const type = String.fromCharCode(head[156] as number)
    const bytes = numberAt(head, 124, 12)
    if ('LKxg'.includes(type)) {
      if (bytes > LONGEST_FACTS) throw new TarFault(said`a name is too long`)
      this.#facts = { kind: type, pieces: [] }
      return this.#contentBegins(bytes)
    }
    const kind = this.#isSparse ? 'sparse' : kindOf(type)
    const entry = {
      kind,
      name: memberOf(this.#longName ?? shortName(head)),
      target: memberOf(this.#longTarget ?? textAt(head, 157, 100)),
      bytes: kind === 'file' || kind === 'sparse' || !'123456'.includes(type) ? (this.#size ?? bytes) : 0,
    }
    this.#longName = null
    this.#longTarget = null
    this.#size = null
    this.#isSparse = false
    if (type !== 'S' || head[SPARSE_GOES_ON] === 0) return this.#begin(entry)
    this.#mapped = entry
  }

  async #begin(entry: TarEntry): Promise<void> {
    await this.#events.begin(entry)
    return this.#contentBegins(entry.bytes)
  }

  async #contentBegins(bytes: number): Promise<void> {
    this.#left = bytes
    this.#padding = (BLOCK - (bytes % BLOCK)) % BLOCK
    if (bytes === 0) await this.#contentEnds()
  }

  async #contentEnds(): Promise<void> {
    if (!this.#facts) return this.#events.end()
    const { kind, pieces } = this.#facts
    this.#facts = null
    this.#take(kind, Buffer.concat(pieces))
  }

  #take(kind: string, content: Buffer): void {
    if (kind === 'L') this.#longName = textAt(content, 0, content.length)
    else if (kind === 'K') this.#longTarget = textAt(content, 0, content.length)
    else if (kind === 'x') {
      const records = new Map(paxRecords(content))
      const size = records.get('size')
      this.#longName = records.get('GNU.sparse.name') ?? records.get('path') ?? this.#longName
      this.#longTarget = records.get('linkpath') ?? this.#longTarget
      if (size) this.#size = sizeOf(size)
      this.#isSparse = [...records.keys()].some((key) => key.startsWith('GNU.sparse.'))
    }
  }
}

function kindOf(type: string): TarEntry['kind'] {
  if (type === '0' || type === '\0' || type === '7') return 'file'
  if (type === '1') return 'link'
  return type === 'S' ? 'sparse' : 'other'
}

/** `LENGTH KEY=VALUE\n`, where the length counts the whole record. */
function* paxRecords(content: Buffer): Generator<[string, Buffer]> {
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(0x20, at)
    const length = Number(content.toString('latin1', at, Math.max(at, space)))
    const record = content.subarray(space + 1, at + length - 1)
    const equals = record.indexOf(0x3d)
    if (space < 0 || !Number.isSafeInteger(length) || length <= space - at || equals < 0)
      throw new TarFault(said`a header is not readable`)
    yield [record.toString('latin1', 0, equals), record.subarray(equals + 1)]
    at += length
  }
}

function sizeOf(value: Buffer): number {
  const size = Number(value.toString('latin1'))
  if (!Number.isSafeInteger(size) || size < 0) throw new TarFault(said`a header has a wrong size`)
  return size
}

/** Octal, or in base 256 where the first bit is set. */
function numberAt(head: Buffer, at: number, length: number): number {
  const first = head[at] as number
  if (first < 0x80) {
    const value = Number.parseInt(textAt(head, at, length).toString('latin1').trim() || '0', 8)
    if (!Number.isSafeInteger(value)) throw new TarFault(said`a header is not readable`)
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
