import { type FileHandle, open } from 'node:fs/promises'
import { storesAsIs } from '../../../domain/options/recipes/asIs'
import type { Recipe } from '../../../domain/options/recipes/recipe'
import { CODECS, type CodecId } from '../../codecs/codecRegistry'
import { type BufferCodec, compressAfter } from '../../codecs/compressBuffer'
import { fsPath } from '../../files/fileSystem'
import { contentChanged, readFailure } from '../../files/sourceCheck'
import { throwIfAborted } from '../../jobs/throwIfAborted'
import { contentOf, type SourceEntries, sourcePath } from '../../survey/sourceEntries'

const SAMPLES = 64
const SAMPLE_BYTES = 128 * 1024
/** Standard errors between the mean of the samples and the upper end of the range. */
const SAFETY = 2

/**
 * Packed sizes of the files that may be larger than a volume, at the upper end of the range, by the
 * number of their entry: one file cannot be shared out, so the ratio of the whole source says
 * nothing of it. Samples of each are compressed with a codec that packs less than the recipe's.
 * @param room of a volume for archives, in bytes
 * @throws AppError `changed`, `vanished`, `permission-denied`, `cancelled`
 */
export async function largeFileSizes(
  source: SourceEntries,
  recipe: Recipe,
  room: number,
  signal: AbortSignal,
): Promise<ReadonlyMap<number, number>> {
  const sizes = new Map<number, number>()
  const codec = codecBelow(recipe)
  const isAsIs = storesAsIs(recipe)
  for (const { index, kind, bytes, path: name } of source.items) {
    const entry = source.entries.get(index)
    const most = bytes + overheadOf(recipe, bytes)
    if (kind !== 'file' || most <= room || !entry) continue
    const path = sourcePath(source, contentOf(source, entry))
    const ratio = codec === null || isAsIs(name) ? 1 : await sampledRatio(path, bytes, codec, signal)
    sizes.set(index, Math.ceil(bytes * ratio) + most - bytes)
  }
  return sizes
}

/** Bytes of an archive besides the content of its only file. */
function overheadOf({ family }: Recipe, bytes: number): number {
  // An image has a volume descriptor, directories and 150 sectors of padding.
  return (family === 'iso' ? 512 : 32) * 1024 + Math.ceil(bytes / 1000)
}

/** A codec that packs no better than the recipe; null where the recipe does not compress. */
function codecBelow(recipe: Recipe): BufferCodec | null {
  const codec = (id: CodecId): BufferCodec => CODECS[id] as BufferCodec
  if (recipe.family === 'iso') return null
  if (recipe.family === 'apple-image') return codec('gzip-1')
  if (recipe.family !== 'squashfs') return codec('zstd-1')
  return codec(recipe.codec === 'gzip' ? 'gzip-1' : recipe.codec === 'lz4' ? 'lz4' : 'zstd-1')
}

/**
 * Compressed size against content, at the upper end of the range, from samples at even distances.
 */
async function sampledRatio(
  path: string,
  bytes: number,
  codec: BufferCodec,
  signal: AbortSignal,
): Promise<number> {
  const file = await open(fsPath(path), 'r').catch((thrown: unknown) => {
    throw readFailure(thrown, path)
  })
  const count = Math.max(1, Math.min(SAMPLES, Math.floor(bytes / SAMPLE_BYTES)))
  const length = Math.min(SAMPLE_BYTES, bytes)
  const ratios: number[] = []
  try {
    for (let at = 0; at < count; at++) {
      throwIfAborted(signal)
      const offset = count === 1 ? 0 : Math.floor(((bytes - length) * at) / (count - 1))
      const sample = await sampleOf(file, path, offset, length)
      ratios.push((await compressAfter(codec, new Uint8Array(0), sample)).bytes / length)
    }
  } finally {
    await file.close()
  }
  const mean = ratios.reduce((sum, ratio) => sum + ratio, 0) / count
  const squares = ratios.reduce((sum, ratio) => sum + (ratio - mean) ** 2, 0)
  const error = count === 1 ? 0 : Math.sqrt(squares / (count - 1) / count)
  return Math.min(1, mean + SAFETY * error)
}

async function sampleOf(file: FileHandle, path: string, offset: number, length: number): Promise<Buffer> {
  const sample = Buffer.alloc(length)
  for (let done = 0; done < length; ) {
    const { bytesRead } = await file
      .read(sample, done, length - done, offset + done)
      .catch((thrown: unknown) => {
        throw readFailure(thrown, path)
      })
    if (bytesRead === 0) throw contentChanged(path)
    done += bytesRead
  }
  return sample
}
