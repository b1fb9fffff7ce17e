import { createHash, type Hash, hash as hashAtOnce } from 'node:crypto'
import { constants, createZstdDecompress } from 'node:zlib'
import { AppError } from '../../../primitives/appError'
import { said } from '../../../primitives/said'
import { type TarEntry, TarFault, TarParser } from '../../codecs/tarParser'
import { joinPath } from '../../files/fileSystem'
import { SHORT_BYTES } from '../../files/read'
import { type GrowingFile, growingFile, writeNewFileAtOnce } from '../../files/write'
import { throwIfAborted } from '../../jobs/throwIfAborted'
import { runTool, type ToolResult, type ToolRun } from '../../tools/runTool'
import { followedRange } from './byProgram'
import { decompressed } from './compressedFile'
import type { FoundMember, Unpack, Unpacking } from './unpacker'

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
 * Takes wanted files out of a tar stream as it comes. Names are only compared, byte for byte: files
 * are written under numbers, so that no name leads anywhere.
 */
export class TarReader {
  readonly #wanted: ReadonlySet<string>
  readonly #work: Reading
  readonly #parser = new TarParser({
    begin: (entry) => this.#begin(entry),
    content: (piece) => this.#content(piece),
    end: () => this.#contentEnds(),
  })
  #open: Open | null = null
  #number = 0
  readonly #found = new Map<string, FoundMember>()
  /** Wanted further names of files that came before and were not wanted, with the first name. */
  readonly links = new Map<string, string>()

  constructor(wanted: ReadonlySet<string>, work: Reading) {
    this.#wanted = wanted
    this.#work = work
  }

  /** True when no more wanted members can be taken from the stream. */
  get isDone(): boolean {
    return this.#parser.isEnded || this.#found.size + this.links.size >= this.#wanted.size
  }

  /** @throws AppError `verification-failed` for what is no tar, `no-space`, `io` */
  async push(chunk: Uint8Array): Promise<void> {
    try {
      await this.#parser.push(chunk)
    } catch (thrown) {
      throw thrown instanceof TarFault ? damaged(thrown.message) : thrown
    }
  }

  /**
   * Says that the stream has ended.
   * @throws AppError `verification-failed` in the middle of something
   */
  async end(): Promise<void> {
    await this.close()
    if (!this.#parser.isWhole) throw damaged(said`it ends early`)
  }

  /** Closes what is open; to be called whatever happened. */
  async close(): Promise<void> {
    const { long } = this.#open ?? {}
    this.#open = null
    await long?.file?.close()
  }

  async #begin({ kind, name, target, bytes }: TarEntry): Promise<void> {
    if (!this.#wanted.has(name)) return
    if (kind === 'file') return this.#openFile(name, bytes)
    if (kind !== 'link') return
    const first = this.#found.get(target)
    if (first) this.#note(name, first)
    else this.links.set(name, target)
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
