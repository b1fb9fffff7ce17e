import { open } from 'node:fs/promises'
import { promisify } from 'node:util'
import { constants, type ZstdOptions, zstdCompress } from 'node:zlib'
import { attempt, fsPath } from '../../files/fileSystem'
import { throwIfAborted } from '../../jobs/throwIfAborted'
import { type SourceEntries, sourcePath } from '../../survey/sourceEntries'

/** Pieces that are read of one file, evenly over it, and their length. */
const PIECES = 32
const PIECE_BYTES = 256 * 1024

/** Fast, and at least as large as what the packing codecs but LZ4 make; a file that barely fits is left to the build. */
const CODEC: ZstdOptions = { params: { [constants.ZSTD_c_compressionLevel]: 3 } }
const compressed = promisify<Buffer, ZstdOptions, Buffer>(zstdCompress)

/**
 * Compression ratios (stored / original, at most 1) of files that are longer than a volume's room, by their entries' ids, from pieces
 * of each: the mean ratio of a whole source says nothing about one film in it. Empty where there are none.
 * @throws AppError `vanished`, `permission-denied`, `cancelled`, `io`
 */
export async function largeFileRatios(
  source: SourceEntries,
  roomBytes: number,
  signal: AbortSignal,
): Promise<ReadonlyMap<number, number>> {
  const ratios = new Map<number, number>()
  for (const { index, kind, bytes } of source.items) {
    const entry = source.entries.get(index)
    if (kind !== 'file' || bytes <= roomBytes || !entry) continue
    ratios.set(index, await ratioOf(sourcePath(source, entry), bytes, signal))
  }
  return ratios
}

async function ratioOf(path: string, bytes: number, signal: AbortSignal): Promise<number> {
  await using file = await attempt('read', path, open(fsPath(path)))
  const buffer = Buffer.alloc(PIECE_BYTES)
  let [read, stored] = [0, 0]
  for (let at = 0; at < PIECES; at++) {
    throwIfAborted(signal)
    const offset = Math.floor((Math.max(0, bytes - PIECE_BYTES) * at) / (PIECES - 1))
    const { bytesRead } = await attempt('read', path, file.read(buffer, 0, PIECE_BYTES, offset))
    const piece = buffer.subarray(0, bytesRead)
    read += bytesRead
    stored += Math.min(bytesRead, (await compressed(piece, CODEC)).length)
  }
  return read === 0 ? 0 : stored / read
}
