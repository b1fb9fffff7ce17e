import { hash } from 'node:crypto'
import { joinPath, textBytes } from '../../files/fileSystem'
import { writeNewFile } from '../../files/newFile'
import { BlockTable } from './blockTable'
import type { BuildFile } from './optionBuilder'
import { contentThrough } from './sourceContent'

/*
 * A store that proves a count, no format for keeping things: `blocks.data` has every unique block once, one after another;
 * `blocks.index` says which they are and of which each file is made. All numbers little-endian.
 *   head (32): `STOWBLK1`, block size u32, files u32, unique blocks u32, blocks u32, 8 zero bytes
 *   each unique block (44): SHA-256, offset u64, length u32
 *   each file (12 + its path): bytes u64, length of the path u32, path
 *   each block of the files in turn (4): number of the unique block
 */
const MAGIC = Buffer.from('STOWBLK1')
const HEAD_BYTES = 32
const ENTRY_BYTES = 44
const DATA = 'blocks.data'
const INDEX = 'blocks.index'
const BATCH_BYTES = 1024 * 1024

interface BlockCount {
  readonly blocks: number
  readonly uniqueBlocks: number
  readonly uniqueBytes: number
}

/**
 * Writes the blocks of files into a folder that exists, each once. What is shorter at the end of a file is a block of its own.
 * @throws AppError `no-space`, `changed`, `vanished`, `cancelled`
 */
export async function writeBlocks(
  folder: string,
  files: readonly Pick<BuildFile, 'source' | 'path' | 'bytes' | 'digest'>[],
  blockBytes: number,
  options: { readonly signal: AbortSignal; onProgress(bytesDone: number): void },
): Promise<BlockCount> {
  const table = new BlockTable()
  const lengths: number[] = []
  const numbers: number[] = []
  // Whole blocks fill it, so that only a file's last piece has a shorter one.
  const buffer = Buffer.allocUnsafeSlow(Math.ceil(BATCH_BYTES / blockBytes) * blockBytes)
  // Blocks that were not there yet, until they are worth a write.
  const fresh = Buffer.allocUnsafeSlow(buffer.length)
  let waiting = 0
  let done = 0
  const newBlocks = async function* (): AsyncGenerator<Uint8Array, void, void> {
    for (const { source, bytes, digest } of files) {
      for await (const piece of contentThrough(buffer, source, bytes, options.signal, digest)) {
        if (waiting + piece.length > fresh.length) {
          yield fresh.subarray(0, waiting)
          waiting = 0
        }
        for (let at = 0; at < piece.length; at += blockBytes) {
          const block = piece.subarray(at, at + blockBytes)
          const number = table.numberOf(hash('sha256', block, 'buffer'))
          numbers.push(number)
          if (number < lengths.length) continue
          lengths.push(block.length)
          waiting += block.copy(fresh, waiting)
        }
        options.onProgress((done += piece.length))
      }
    }
    yield fresh.subarray(0, waiting)
  }
  await writeNewFile(joinPath(folder, DATA), newBlocks(), { flush: false })
  await writeNewFile(joinPath(folder, INDEX), indexPieces(files, blockBytes, table, lengths, numbers), {
    flush: false,
  })
  return {
    blocks: numbers.length,
    uniqueBlocks: table.count,
    uniqueBytes: lengths.reduce((sum, length) => sum + length, 0),
  }
}

function* indexPieces(
  files: readonly Pick<BuildFile, 'path' | 'bytes'>[],
  blockBytes: number,
  table: BlockTable,
  lengths: readonly number[],
  numbers: readonly number[],
): Generator<Uint8Array> {
  const head = Buffer.alloc(HEAD_BYTES)
  MAGIC.copy(head)
  head.writeUInt32LE(blockBytes, 8)
  head.writeUInt32LE(files.length, 12)
  head.writeUInt32LE(table.count, 16)
  head.writeUInt32LE(numbers.length, 20)
  yield head
  let offset = 0
  for (const [number, length] of lengths.entries()) {
    const entry = Buffer.alloc(ENTRY_BYTES)
    table.digest(number).copy(entry)
    entry.writeBigUInt64LE(BigInt(offset), 32)
    entry.writeUInt32LE(length, 40)
    yield entry
    offset += length
  }
  for (const { path, bytes } of files) {
    const name = textBytes(path)
    const entry = Buffer.alloc(12)
    entry.writeBigUInt64LE(BigInt(bytes))
    entry.writeUInt32LE(name.length, 8)
    yield Buffer.concat([entry, name])
  }
  for (let at = 0; at < numbers.length; at += BATCH_BYTES) {
    const batch = Uint32Array.from(numbers.slice(at, at + BATCH_BYTES))
    yield Buffer.from(batch.buffer)
  }
}
