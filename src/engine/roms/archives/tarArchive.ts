import { createGunzip, createZstdDecompress } from 'node:zlib'
import { AppError } from '../../../primitives/appError'
import { said } from '../../../primitives/said'
import { type TarEntry, type TarEvents, TarFault, TarParser } from '../../codecs/tarParser'
import { through } from '../../codecs/through'
import { cannot } from '../../files/fileSystem'
import { rangeOf } from '../../files/read'
import { type MemberSink, type MemberSinks, MOST_MEMBERS } from './archiveMember'
import type { SevenZipArchives } from './sevenZipArchive'

/** How a tar is compressed; `xz`, `bzip2` and `lzma` are 7-Zip's names. */
export type TarCompression = 'none' | 'gzip' | 'zstd' | 'xz' | 'bzip2' | 'lzma'

interface TarFile {
  readonly path: string
  readonly bytes: number
  readonly compression: TarCompression
}

/**
 * Hands over the members of a tar with their contents, in one pass over all of it.
 * @param onBytes bytes of the file that were read since the last call
 * @throws AppError `bad-input` for what is no tar, is damaged or ends early, `tool-missing`, `io`,
 *   `cancelled`
 */
export async function readTar(
  { path, bytes, compression }: TarFile,
  sevenZip: SevenZipArchives,
  signal: AbortSignal,
  sinks: MemberSinks,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const members = new Members(sinks)
  const parser = new TarParser(members)
  let length = 0
  const take = (piece: Uint8Array): Promise<void> => {
    length += piece.length
    return parser.push(piece)
  }
  async function* stored(): AsyncGenerator<Uint8Array, void, void> {
    for await (const piece of rangeOf({ file: path, offset: 0, bytes }, signal)) {
      yield piece
      onBytes(piece.length)
    }
  }
  try {
    switch (compression) {
      case 'none':
        for await (const piece of stored()) await take(piece)
        break
      case 'gzip':
        for await (const piece of through(createGunzip(), stored())) await take(piece)
        break
      case 'zstd':
        for await (const piece of through(createZstdDecompress(), stored())) await take(piece)
        break
      default:
        await sevenZip.decompress(path, compression, take)
        onBytes(bytes)
    }
    if (length === 0) throw new TarFault(said`it is empty`)
    if (!parser.isWhole) throw new TarFault(said`it ends early`)
  } catch (thrown) {
    if (!isDamage(thrown)) throw thrown
    throw cannot('bad-input', 'read', path, said`the archive is damaged (${thrown.message})`, thrown)
  }
}

/** True for what is no tar, and for what Node's decompressors refuse. */
function isDamage(thrown: unknown): thrown is Error {
  if (thrown instanceof TarFault) return true
  return thrown instanceof Error && !(thrown instanceof AppError) && 'errno' in thrown
}

/** Passes the files of a tar on. */
class Members implements TarEvents {
  readonly #sinks: MemberSinks
  #sink: MemberSink | null = null
  #count = 0

  constructor(sinks: MemberSinks) {
    this.#sinks = sinks
  }

  begin({ kind, name, target, bytes }: TarEntry): void {
    if (++this.#count > MOST_MEMBERS) throw new TarFault(said`it has more than ${MOST_MEMBERS} files`)
    if (kind === 'other') return
    if (kind === 'link') return this.#sinks.link(name, target)
    this.#sink = this.#sinks.begin({ name, bytes, crc: null, hidden: kind === 'sparse' ? kind : null })
  }

  content(piece: Uint8Array): void {
    this.#sink?.update(piece)
  }

  end(): void {
    this.#sink?.end()
    this.#sink = null
  }
}
