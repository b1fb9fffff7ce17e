import { type FileHandle, open } from 'node:fs/promises'
import type { StreamContent } from '../../../domain/forecast/solidForecast'
import { pathFromBytes } from '../../../primitives/pathText'
import { CODECS } from '../../codecs/codecRegistry'
import { type BufferCodec, compressAfter } from '../../codecs/compressBuffer'
import { sevenZipPacked } from '../../codecs/sevenZipSizes'
import { quickBytesUntil } from '../../codecs/zstdStream'
import { fsPath, joinPath } from '../../files/fileSystem'
import { entryTime } from '../../files/sourceCheck'
import { reuseWithin, type Stretches } from '../../native/addon'
import type { FoundTool } from '../../tools/externalTool'
import type { SolidFile } from './solidFiles'

/** Stretches of one file that are no farther apart are read at once. */
const READ_AT_ONCE = 256 * 1024

/** Parts of files one after another, as a compressor would get them. */
export interface SolidBuffer {
  readonly data: Buffer
  readonly lengths: Float64Array
}

/** Reads stretches; those of files that are not any more what the pass read are left out. */
export type ReadStretches = (stretches: Stretches) => Promise<SolidBuffer>

/**
 * Samples of several kinds want the same short files, and to open one costs more than to compress
 * it: those up to this length are kept, as many as there is room for.
 */
const KEPT_FILE_BYTES = 32 * 1024
const KEPT_BYTES = 16 * 1024 * 1024

export function stretchReader(
  files: ReadonlyMap<number, SolidFile>,
  roots: readonly string[],
  goOn: () => void,
): ReadStretches {
  const kept = new Map<number, Buffer>()
  let room = KEPT_BYTES
  const read = async (file: SolidFile, ranges: readonly Range[]): Promise<Buffer[]> => {
    if (file.bytes > KEPT_FILE_BYTES) return readRanges(file, ranges, roots)
    let whole = kept.get(file.number)
    if (!whole) {
      const [found] = await readRanges(file, [[0, file.bytes]], roots)
      if (!found) return []
      whole = found
      if (room >= whole.length) {
        kept.set(file.number, whole)
        room -= whole.length
      }
    }
    const data = whole
    return ranges.map(([offset, length]) => data.subarray(offset, offset + length))
  }
  return async ({ fileNumbers, offsets, lengths }) => {
    const parts: Buffer[] = []
    for (let at = 0; at < fileNumbers.length; ) {
      const number = fileNumbers[at] as number
      let end = at
      while (end < fileNumbers.length && fileNumbers[end] === number) end++
      const file = files.get(number)
      goOn()
      if (file) {
        const ranges = Array.from(
          { length: end - at },
          (_, index): Range => [offsets[at + index] as number, lengths[at + index] as number],
        )
        parts.push(...(await read(file, ranges)))
      }
      at = end
    }
    return { data: Buffer.concat(parts), lengths: Float64Array.from(parts, (part) => part.length) }
  }
}

/** A range of a file. */
type Range = readonly [offset: number, length: number]

async function readRanges(
  file: SolidFile,
  ranges: readonly Range[],
  roots: readonly string[],
): Promise<Buffer[]> {
  let handle: FileHandle | null = null
  try {
    const below = pathFromBytes(Buffer.from(file.path.slice(file.rootLength), 'latin1'))
    const root = roots[file.rootIndex] ?? ''
    handle = await open(fsPath(below === '' ? root : joinPath(root, below)), 'r')
    const found = await handle.stat({ bigint: true })
    if (entryTime(found.mtimeNs) !== file.mtimeNs || Number(found.size) !== file.bytes) return []
    const parts: Buffer[] = []
    let block = Buffer.alloc(0)
    let blockAt = 0
    for (const [offset, length] of ranges) {
      if (offset < blockAt || offset + length > blockAt + block.length) {
        block = Buffer.alloc(Math.min(Math.max(length, READ_AT_ONCE), file.bytes - offset))
        blockAt = offset
        const { bytesRead } = await handle.read(block, 0, block.length, offset)
        if (bytesRead < block.length) return []
      }
      parts.push(block.subarray(offset - blockAt, offset - blockAt + length))
    }
    return parts
  } catch {
    // The survey itself has read it: a forecast does without.
    return []
  } finally {
    await handle?.close()
  }
}

/** The sizes of streams by a codec, each by itself, and the CPU time of all. */
export interface PackedStreams {
  readonly sizes: readonly number[]
  readonly seconds: number
}

/** How a codec compresses streams. */
export type StreamCodec = (streams: readonly Buffer[], signal: AbortSignal) => Promise<PackedStreams>

/** The codecs that solid archives are forecast for, by their names in the calibration. */
export function streamCodecs(tool: FoundTool | null): ReadonlyMap<string, StreamCodec> {
  const codecs = new Map<string, StreamCodec>()
  if (tool) {
    const input = (data: Buffer) => ({ data, extension: '' })
    codecs.set('lzma2-9', (streams, signal) => sevenZipPacked(tool, streams.map(input), signal))
  }
  codecs.set('zstd-19-long', async (streams) => {
    // All of this process: nothing else is packed here meanwhile, and the rest of the process does little.
    const before = process.cpuUsage()
    const sizes: number[] = []
    for (const data of streams)
      sizes.push((await compressAfter(CODECS['zstd-19-long'] as BufferCodec, Buffer.alloc(0), data)).bytes)
    const { user, system } = process.cpuUsage(before)
    return { sizes, seconds: (user + system) / 1e6 }
  })
  return codecs
}

/**
 * The content of a part of a stream, by the stream's own anchors, and the bytes that the fast codec
 * adds for it.
 */
export type QuickContent = StreamContent & { readonly quickBytes: number }

/** Parts one after another as one stream: what each adds to those before it. */
export async function contentOf(parts: readonly SolidBuffer[]): Promise<QuickContent[]> {
  const { data, lengths } = joined(parts)
  const kinds = Uint32Array.from(parts.flatMap((part, kind) => Array.from(part.lengths, () => kind)))
  const reuse = reuseWithin(data, lengths, kinds, parts.length, Float64Array.of(data.length))
  let end = 0
  const sizes = await quickBytesUntil(
    data,
    parts.map((part) => (end += part.data.length)),
  )
  return parts.map((_, part) => ({
    novelBytes: reuse.novelBytes[0]?.[part] ?? 0,
    runs: reuse.runs[0]?.[part] ?? 0,
    quietBytes: reuse.quietBytes[part] ?? 0,
    quickBytes: (sizes[part] as number) - (sizes[part - 1] ?? 0),
  }))
}

/** Several buffers as one. */
function joined(buffers: readonly SolidBuffer[]): SolidBuffer {
  return {
    data: Buffer.concat(buffers.map(({ data }) => data)),
    lengths: Float64Array.from(buffers.flatMap(({ lengths }) => [...lengths])),
  }
}
