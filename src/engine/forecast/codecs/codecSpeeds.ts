import { setImmediate as nextTurn } from 'node:timers/promises'
import { CODEC_IDS, CODECS, type CodecId, isSlow } from '../../codecs/codecRegistry'
import { type BufferCodec, packedNow, unpackNow } from '../../codecs/compressBuffer'
import { findGzip } from '../../codecs/gzipSizes'
import { sevenZipUnpackSpeed } from '../../codecs/sevenZipSizes'
import { threadCpuMs } from '../../native/loadAddon'
import type { FoundTool } from '../../tools/externalTool'
import type { SampleLevel } from './codecSamplesTargets'
import type { PreparedSamples } from './codecSamplesUnits'
import { againstNode, GZIP_IDS, type GzipRun, gzipRun, type ToolSizes } from './codecSpeedsGzip'
import { type Piece, piecesOf } from './codecSpeedsPieces'

const MIB = 1024 * 1024

/**
 * How many pieces: all that is timed takes about a fifth of the budget at `normal`, most of it
 * deflate's with the program gzip.
 */
const LEVELS: Readonly<
  Record<SampleLevel, { readonly quick: number; readonly dear: number; readonly lzmaBytes: number }>
> = {
  fast: { quick: 4, dear: 1, lzmaBytes: 6 * MIB },
  normal: { quick: 8, dear: 4, lzmaBytes: 8 * MIB },
  thorough: { quick: 48, dear: 16, lzmaBytes: 32 * MIB },
}
/** The least of so many times is what the processor takes when nothing else wants it. */
const REPEATS = 4

/** The speed of one core, in unpacked bytes per second; absent where it is unknown. */
export interface CodecSpeed {
  readonly packBytesPerSecond?: number
  /** The same of the program that people run, where it is another than what packs the samples. */
  readonly toolBytesPerSecond?: number
  readonly unpackBytesPerSecond?: number
  /** That program's sizes over those of the library that packs the samples. */
  readonly toolSizes?: ToolSizes
}

/**
 * How fast each codec packs the source and unpacks it again, by pieces of it. How fast 7-Zip packs
 * is derived from all that it was given (`speedOf`), and by streams for solid archives: of so
 * little it cannot be. Programs run next to the codecs of this process: CPU time tells them apart.
 * No other program may end meanwhile.
 * @param onStep how many codecs and programs were timed
 * @throws AppError `cancelled`, `tool-failed`
 */
export async function codecSpeeds(
  prepared: PreparedSamples,
  level: SampleLevel,
  tool: FoundTool | null,
  goOn: () => void,
  signal?: AbortSignal,
  onStep: (done: number, total: number) => void = () => undefined,
): Promise<ReadonlyMap<CodecId, CodecSpeed>> {
  const speeds = new Map<CodecId, CodecSpeed>()
  const counts = LEVELS[level]
  const pieces = {
    quick: piecesOf(prepared, counts.quick),
    dear: piecesOf(prepared, counts.dear),
  }
  if (pieces.quick.length === 0) return speeds
  const gzip = await findGzip()
  const runs = new Map<CodecId, GzipRun>()
  const sizesOf = new Map<CodecId, readonly number[]>()
  const inThisProcess = CODEC_IDS.filter(
    // In pieces as short as these it makes the same as without the long window.
    (id) => CODECS[id].family !== 'lzma2' && id !== 'zstd-19-long',
  )
  const gzips = gzip === null ? [] : GZIP_IDS
  const stepsTotal = inThisProcess.length + gzips.length + (tool ? 1 : 0)
  let steps = 0
  const step = (): void => onStep(++steps, stepsTotal)
  // One after the other: the system counts the time of ended programs in one sum.
  const programs = async (): Promise<void> => {
    for (const id of gzips) {
      runs.set(id, await gzipRun(gzip as string, id, pieces.quick, signal))
      step()
    }
    if (!tool) return
    const inputs = pieces.dear.map(asInput)
    speeds.set('lzma2-9', unpacking(await sevenZipUnpackSpeed(tool, inputs, counts.lzmaBytes, signal)))
    step()
  }
  const inProcess = async (): Promise<void> => {
    for (const id of inThisProcess) {
      const codec = CODECS[id]
      const some = pieces[isSlow(codec) ? 'dear' : 'quick']
      const { speed, sizes } = await speedsOf(codec as BufferCodec, some, isSlow(codec), goOn)
      speeds.set(id, speed)
      sizesOf.set(id, sizes)
      step()
    }
  }
  await Promise.all([programs(), inProcess()])
  speeds.set('zstd-19-long', speeds.get('zstd-19') ?? {})
  for (const [id, run] of runs) {
    const compared = await againstNode(run, id, pieces.quick, sizesOf.get(id) ?? [])
    speeds.set(id, { ...speeds.get(id), ...compared })
  }
  return speeds
}

function unpacking(bytesPerSecond: number | null): CodecSpeed {
  return bytesPerSecond === null ? {} : { unpackBytesPerSecond: bytesPerSecond }
}

function asInput({ data }: Piece): { data: Uint8Array; extension: string } {
  return { data, extension: '' }
}

/**
 * Seconds for each byte are averaged over the pieces, less what a call costs that packs or unpacks
 * next to nothing: CPU time of this thread, whatever other threads do meanwhile. Fast codecs take a
 * millisecond for a piece: the least of several times is nearer.
 * @param byFiles whether short files of a piece are packed by themselves: zstd -19 has other
 *   tables for them, and was three times as fast with files of 2 KiB as with pieces of many; fast
 *   codecs would be timed by their calls
 */
async function speedsOf(
  codec: BufferCodec,
  pieces: readonly Piece[],
  byFiles: boolean,
  goOn: () => void,
): Promise<{ readonly speed: CodecSpeed; readonly sizes: readonly number[] }> {
  const all = [new Uint8Array(1), ...pieces.map(({ data }) => data)]
  const from: Buffer[] = []
  const packMs: number[] = []
  const timed = async <T>(work: () => T): Promise<{ made: T; ms: number }> => {
    await nextTurn()
    goOn()
    const startMs = threadCpuMs()
    const made = work()
    return { made, ms: threadCpuMs() - startMs }
  }
  for (let call = 1; call < REPEATS; call++) packedNow(codec, all[0] as Uint8Array)
  for (const [index, data] of all.entries()) {
    const whole = await timed(() => packedNow(codec, data))
    from.push(whole.made)
    if (!byFiles) {
      let least = whole.ms
      for (let repeat = 1; repeat < REPEATS; repeat++)
        least = Math.min(least, (await timed(() => packedNow(codec, data))).ms)
      packMs.push(least)
      continue
    }
    const files = pieces[index - 1]?.files ?? []
    if (files.length < 2) {
      packMs.push(whole.ms)
      continue
    }
    // With what each call costs: most of that is the tables, which every file needs.
    let ms = 0
    for (const file of files) ms += (await timed(() => packedNow(codec, file))).ms
    packMs.push(ms)
  }
  const leastMs = all.map(() => Number.POSITIVE_INFINITY)
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    // One after the other, so that none finds itself in the processor's cache.
    for (const [index, data] of all.entries()) {
      const { ms } = await timed(() => unpackNow(codec, from[index] as Buffer, data.length))
      leastMs[index] = Math.min(leastMs[index] as number, ms)
    }
  }
  const pack = meanRate(packMs, pieces)
  return {
    speed: { ...(pack !== null && { packBytesPerSecond: pack }), ...unpacking(meanRate(leastMs, pieces)) },
    sizes: from.slice(1).map(({ length }) => length),
  }
}

/** @param times in milliseconds, of a call for next to nothing and of each piece */
function meanRate([callMs = 0, ...times]: readonly number[], pieces: readonly Piece[]): number | null {
  const sum = times.reduce(
    (total, ms, index) => total + Math.max(0, ms - callMs) / (pieces[index] as Piece).data.length,
    0,
  )
  return sum > 0 ? (pieces.length * 1000) / sum : null
}
