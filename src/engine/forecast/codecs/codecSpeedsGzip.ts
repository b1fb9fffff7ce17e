import { CODEC_IDS, CODECS, type CodecId } from '../../codecs/codecRegistry'
import { type BufferCodec, packed } from '../../codecs/compressBuffer'
import { gzipSizes } from '../../codecs/gzipSizes'
import { childrenMs } from '../../tools/processorTime'
import type { Piece } from './codecSpeedsPieces'

/**
 * A program's sizes over those of the library that packs the samples: a factor, and how sure it is
 * (one standard error).
 */
export interface ToolSizes {
  readonly factor: number
  readonly error: number
}

/**
 * Linux counts the time of programs that have ended in hundredths of a second: less than this tells
 * nothing.
 */
const LEAST_TOOL_MS = 50
/** Short files are compared one by one, no more than so many: each is a file to write. */
const MOST_FILES = 160

/** The levels that gzip packs the pieces with. */
export const GZIP_IDS = CODEC_IDS.filter((id) => CODECS[id].family === 'deflate')

/**
 * The results of this machine's gzip for the pieces, and for the short files that some represent.
 */
export interface GzipRun {
  readonly sizes: readonly number[]
  readonly sizesOfFiles: readonly number[]
  readonly ms: number
}

/** @throws AppError `cancelled`, `tool-failed` */
export async function gzipRun(
  program: string,
  id: CodecId,
  pieces: readonly Piece[],
  signal?: AbortSignal,
): Promise<GzipRun> {
  const { level } = CODECS[id]
  const all = pieces.map(({ data }) => data)
  const startMs = childrenMs()
  const sizes = await gzipSizes(program, level, all, signal)
  const ms = childrenMs() - startMs
  const sizesOfFiles = await gzipSizes(program, level, shortFilesOf(pieces).some.flat(), signal)
  return { sizes, sizesOfFiles, ms }
}

function shortFilesOf(pieces: readonly Piece[]): { short: Piece[]; some: (readonly Uint8Array[])[] } {
  const short = pieces.filter(({ files }) => files.length > 1)
  const some = short.map(({ files }) => files.slice(0, Math.ceil(MOST_FILES / short.length)))
  return { short, some }
}

/**
 * How fast gzip packs the pieces, unless that took too short to tell, and what it makes of their
 * files against what Node does: of short files that stand together both make something else.
 * @param own what Node makes of each piece
 */
export async function againstNode(
  { sizes: real, sizesOfFiles, ms }: GzipRun,
  id: CodecId,
  pieces: readonly Piece[],
  own: readonly number[],
): Promise<{ readonly toolBytesPerSecond?: number; readonly toolSizes?: ToolSizes }> {
  const bytes = pieces.reduce((sum, { data }) => sum + data.length, 0)
  const compared = pieces.flatMap(({ files }, index) =>
    files.length === 1 ? [{ real: real[index] as number, own: own[index] as number }] : [],
  )
  const { short, some } = shortFilesOf(pieces)
  const realOfFiles = sizesOfFiles.values()
  for (const [index, files] of some.entries()) {
    // They stand for all files of the piece.
    const bytesOfFiles = files.reduce((sum, { length }) => sum + length, 0)
    const weight = (short[index] as Piece).data.length / Math.max(1, bytesOfFiles)
    const sum = { real: 0, own: 0 }
    for (const file of files) {
      sum.real += weight * (realOfFiles.next().value ?? 0)
      sum.own += weight * (await packed(CODECS[id] as BufferCodec, file)).length
    }
    compared.push(sum)
  }
  const toolSizes = ratioOf(compared)
  return {
    ...(ms >= LEAST_TOOL_MS && { toolBytesPerSecond: (bytes * 1000) / ms }),
    ...(toolSizes && { toolSizes }),
  }
}

/**
 * The ratio of two sums with the usual error of a ratio; pieces were drawn by what they stand for,
 * so all count alike.
 */
function ratioOf(sizes: readonly { readonly real: number; readonly own: number }[]): ToolSizes | null {
  const below = sizes.reduce((sum, { own }) => sum + own, 0)
  if (sizes.length < 2 || below <= 0) return null
  const factor = sizes.reduce((sum, { real }) => sum + real, 0) / below
  const squares = sizes.reduce((sum, { real, own }) => sum + (real - factor * own) ** 2, 0)
  return { factor, error: Math.sqrt((squares * sizes.length) / (sizes.length - 1)) / below }
}
