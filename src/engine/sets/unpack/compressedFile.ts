import { createHash } from 'node:crypto'
import type { Transform } from 'node:stream'
import { constants, createGunzip, createZstdDecompress, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { storesAsIs } from '../../../domain/options/recipes/asIs'
import type { RecipeOf } from '../../../domain/options/recipes/recipe'
import { AppError } from '../../../primitives/appError'
import { said } from '../../../primitives/said'
import { lz4Content } from '../../codecs/lz4Content'
import { through } from '../../codecs/through'
import { joinPath } from '../../files/fileSystem'
import { SHORT_BYTES, shortRange } from '../../files/read'
import { writeNewFile } from '../../files/write'
import { followedRange } from './byProgram'
import type { FoundMember, Unpack, Unpacking } from './unpacker'

type Codec = RecipeOf<'compressed-files'>['codec']

const ZSTD = { params: { [constants.ZSTD_d_windowLogMax]: 31 } }

/** Decompresses a file that was compressed by itself: the container has one member. */
export const unpackCompressedFile: Unpack<'compressed-files'> = async (container, members, work, recipe) => {
  const { codec } = recipe
  const isAsIs = storesAsIs(recipe)
  if ([...members].every(isAsIs)) {
    for (const member of members)
      work.found(member, { bytes: container.bytes, content: container, sha256: null })
    return work.onShare(1)
  }
  const isShort = container.bytes <= SHORT_BYTES && work.bytes <= SHORT_BYTES
  const whole = isShort ? shortContent(codec, await shortRange(container, work.signal)) : null
  if (whole) work.onShare(1)
  const found = whole
    ? { bytes: whole.length, content: whole, sha256: null }
    : await streamed(contentOf(codec, followedRange(container, work.signal, work.onShare)), work)
  for (const member of members) work.found(member, found)
}

/**
 * Decompressed at once; null for what is damaged or longer than expected, which streams tell apart,
 * and for LZ4.
 */
function shortContent(codec: Codec, stored: Buffer): Buffer | null {
  const limit = { maxOutputLength: SHORT_BYTES }
  try {
    switch (codec) {
      case 'gzip-6':
      case 'gzip-9':
        return gunzipSync(stored, limit)
      case 'zstd-3':
      case 'zstd-19':
        return zstdDecompressSync(stored, { ...ZSTD, ...limit })
      case 'lz4':
        return null
    }
  } catch {
    return null
  }
}

async function streamed(content: AsyncIterable<Uint8Array>, work: Unpacking): Promise<FoundMember> {
  const hash = createHash('sha256')
  let bytes = 0
  async function* hashed(): AsyncGenerator<Uint8Array, void, void> {
    for await (const piece of content) {
      hash.update(piece)
      bytes += piece.length
      yield piece
    }
  }
  if (work.digestsOnly) {
    for await (const _ of hashed());
    return { bytes, content: null, sha256: hash.digest('hex') }
  }
  const file = joinPath(work.scratch(), 'member')
  await writeNewFile(file, hashed(), { flush: false, mode: 0o600, signal: work.signal })
  return { bytes, content: { file, offset: 0, bytes }, sha256: hash.digest('hex') }
}

function contentOf(codec: Codec, input: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  switch (codec) {
    case 'gzip-6':
    case 'gzip-9':
      return decompressed(input, createGunzip())
    case 'zstd-3':
    case 'zstd-19':
      return decompressed(input, createZstdDecompress(ZSTD))
    case 'lz4':
      return lz4Content(input)
  }
}

/**
 * The decompressed content of a stream, read on demand. A piece of the input is not needed when the
 * next is asked for.
 * @throws AppError `verification-failed` for a damaged stream, and errors that `input` throws
 */
export async function* decompressed(
  input: AsyncIterable<Uint8Array>,
  transform: Transform,
): AsyncGenerator<Uint8Array, void, void> {
  try {
    yield* through(transform, input)
  } catch (thrown) {
    if (thrown instanceof AppError) throw thrown
    const because = thrown instanceof Error ? thrown.message : String(thrown)
    throw new AppError('verification-failed', said`cannot decompress it: ${because}`, { cause: thrown })
  }
}
