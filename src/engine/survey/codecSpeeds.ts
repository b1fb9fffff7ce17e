import { setImmediate as nextTurn } from 'node:timers/promises'
import { CODEC_IDS, CODECS, type CodecId } from '../codecs/codecRegistry'
import { type BufferCodec, packed, unpackNow } from '../codecs/compressBuffer'
import { findGzip, gzipSizes } from '../codecs/gzipSizes'
import { sevenZipUnpackSpeed } from '../codecs/sevenZipSizes'
import type { FoundTool } from '../tools/externalTool'
import type { SampleLevel } from './codecSamplesTargets'
import type { PreparedSamples } from './codecSamplesUnits'
import { childrenMs } from './processorTime'

const KIB = 1024
const MIB = 1024 * KIB

/** Pieces of this length are packed and unpacked. Records shorter than it are slower. */
export const SPEED_PIECE_BYTES = 128 * KIB

/** How many pieces: packing them costs a twentieth to a tenth of the budget, most of it for the few that dear codecs see. */
const LEVELS: Readonly<
  Record<SampleLevel, { readonly quick: number; readonly dear: number; readonly lzmaBytes: number }>
> = {
  fast: { quick: 4, dear: 1, lzmaBytes: 6 * MIB },
  normal: { quick: 24, dear: 3, lzmaBytes: 12 * MIB },
  thorough: { quick: 48, dear: 16, lzmaBytes: 32 * MIB },
}
/** Codecs that pack less than 10 MB/s. */
const DEAR: ReadonlySet<CodecId> = new Set(['zstd-19', 'zstd-19-long', 'lzma2-9'])
/** The least of so many times is what the processor takes when nothing else wants it. */
const REPEATS = 3

/** Of one core, in bytes of what is not packed a second; absent where it cannot be told. */
export interface CodecSpeed {
  readonly packBytesPerSecond?: number
  /** The same of the program that people run, where it is another than what packs the samples. */
  readonly toolBytesPerSecond?: number
  readonly unpackBytesPerSecond?: number
}

/**
 * How fast each codec packs the source and unpacks it again. Pieces are drawn with probabilities in proportion to the bytes they
 * stand for. How fast 7-Zip packs is told by streams that are longer (`speedOf`): of so little it cannot be.
 * @throws AppError `cancelled`, `tool-failed`
 */
export async function codecSpeeds(
  prepared: PreparedSamples,
  level: SampleLevel,
  tool: FoundTool | null,
  nowMs: () => number,
  goOn: () => void,
  signal?: AbortSignal,
): Promise<ReadonlyMap<CodecId, CodecSpeed>> {
  const speeds = new Map<CodecId, CodecSpeed>()
  const counts = LEVELS[level]
  const pieces = {
    quick: piecesOf(prepared, counts.quick),
    dear: piecesOf(prepared, counts.dear),
  }
  if (pieces.quick.length === 0) return speeds
  const gzip = await findGzip()
  for (const id of CODEC_IDS) {
    const codec = CODECS[id]
    // In pieces as short as these it makes the same as without the long window.
    const same = id === 'zstd-19-long' ? speeds.get('zstd-19') : undefined
    const some = pieces[DEAR.has(id) ? 'dear' : 'quick']
    const speed =
      same ??
      (codec.family === 'lzma2'
        ? tool && unpacking(await sevenZipUnpackSpeed(tool, some.map(asInput), counts.lzmaBytes, signal))
        : await speedsOf(codec as BufferCodec, some, nowMs, goOn))
    const program =
      gzip && codec.family === 'deflate' ? await gzipSpeed(gzip, codec.level, some, signal) : null
    if (speed) speeds.set(id, { ...speed, ...(program !== null && { toolBytesPerSecond: program }) })
  }
  return speeds
}

/** Linux counts the time of programs that have ended in hundredths of a second: less than this tells nothing. */
const LEAST_TOOL_MS = 50

/** How fast the gzip of this machine packs the pieces; null where that took too short to tell. */
async function gzipSpeed(
  program: string,
  level: number,
  pieces: readonly Uint8Array[],
  signal?: AbortSignal,
): Promise<number | null> {
  const startMs = childrenMs()
  await gzipSizes(program, level, pieces, signal)
  const tookMs = childrenMs() - startMs
  const bytes = pieces.reduce((sum, { length }) => sum + length, 0)
  return tookMs < LEAST_TOOL_MS ? null : (bytes * 1000) / tookMs
}

function unpacking(bytesPerSecond: number | null): CodecSpeed {
  return bytesPerSecond === null ? {} : { unpackBytesPerSecond: bytesPerSecond }
}

function asInput(data: Uint8Array): { data: Uint8Array; extension: string } {
  return { data, extension: '' }
}

/** Short samples are put together: what each file costs besides its bytes is no part of a speed. */
function piecesOf({ samples, calibrated }: PreparedSamples, count: number): Uint8Array[] {
  const sizes = samples.map(({ data }, index) => data.length * (calibrated.weights[index] as number))
  const step = sizes.reduce((sum, size) => sum + size, 0) / count
  const pieces: Uint8Array[] = []
  let short: Uint8Array[] = []
  let shortBytes = 0
  let seen = 0
  let next = step / 2
  for (const [index, { data }] of samples.entries()) {
    seen += sizes[index] as number
    // Whole samples around the drawn one make up a piece of short files.
    const isWanted = next < seen || shortBytes > 0
    if (!isWanted || data.length === 0) continue
    for (; next < seen; next += step) {
      if (data.length < SPEED_PIECE_BYTES) continue
      // Somewhere in the sample, the same place whenever it is asked.
      const share = 1 - Math.min(1, (seen - next) / (sizes[index] as number))
      const at = Math.floor(share * (data.length - SPEED_PIECE_BYTES))
      pieces.push(data.subarray(at, at + SPEED_PIECE_BYTES))
    }
    if (data.length >= SPEED_PIECE_BYTES) continue
    short.push(data)
    shortBytes += data.length
    if (shortBytes < SPEED_PIECE_BYTES) continue
    pieces.push(Buffer.concat(short))
    short = []
    shortBytes = 0
  }
  if (shortBytes > 0) pieces.push(Buffer.concat(short))
  return pieces
}

/**
 * Seconds for each byte are averaged over the pieces, less what a call costs that packs or unpacks next to nothing. Packing is counted
 * in processor time of this whole process, which does nothing else meanwhile that would count.
 */
async function speedsOf(
  codec: BufferCodec,
  pieces: readonly Uint8Array[],
  nowMs: () => number,
  goOn: () => void,
): Promise<CodecSpeed> {
  const all = [new Uint8Array(1), ...pieces]
  const from: Buffer[] = []
  const packMs: number[] = []
  for (let call = 1; call < REPEATS; call++) await packed(codec, all[0] as Uint8Array)
  for (const data of all) {
    const before = process.cpuUsage()
    from.push(await packed(codec, data))
    const { user, system } = process.cpuUsage(before)
    packMs.push((user + system) / 1000)
    goOn()
  }
  const leastMs = all.map(() => Number.POSITIVE_INFINITY)
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    // One after the other, so that none finds itself in the processor's cache.
    for (const [index, data] of all.entries()) {
      await nextTurn()
      goOn()
      const startMs = nowMs()
      unpackNow(codec, from[index] as Buffer, data.length)
      leastMs[index] = Math.min(leastMs[index] as number, nowMs() - startMs)
    }
  }
  const pack = meanRate(packMs, pieces)
  return { ...(pack !== null && { packBytesPerSecond: pack }), ...unpacking(meanRate(leastMs, pieces)) }
}

/** @param times in milliseconds, of a call for next to nothing and of each piece */
function meanRate([callMs = 0, ...times]: readonly number[], pieces: readonly Uint8Array[]): number | null {
  const sum = times.reduce(
    (total, ms, index) => total + Math.max(0, ms - callMs) / (pieces[index] as Uint8Array).length,
    0,
  )
  return sum > 0 ? (pieces.length * 1000) / sum : null
}
