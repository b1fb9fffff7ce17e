import type { Fragments } from '../../../contract/dto/survey'
import { type FragmentSample, fragmentSaving } from '../../../domain/forecast/fragmentSaving'
import { seededRandom } from '../../../primitives/seededRandom'
import { CODECS } from '../../codecs/codecRegistry'
import { type BufferCodec, compressRecord } from '../../codecs/compressBuffer'
import { type Pause, pausing, slowly } from '../../jobs/slowly'
import type { SampleLevel } from '../codecs/codecSamplesTargets'
import type { OnWork } from '../forecastWork'
import type { SolidFile } from './solidFiles'
import type { ReadStretches } from './solidSamples'

const KIB = 1024
const MIB = 1024 * KIB

/**
 * Blocks of both lengths that SquashFS images are forecast with. How far deflate looks back is the
 * same in both.
 */
const KINDS: readonly { readonly codec: Fragments['codec']; readonly blockSize: number }[] = [
  { codec: 'gzip-6', blockSize: 128 * KIB },
  { codec: 'zstd-3', blockSize: 128 * KIB },
  { codec: 'lz4', blockSize: 128 * KIB },
  { codec: 'zstd-3', blockSize: MIB },
  { codec: 'lz4', blockSize: MIB },
]
/** A stretch fills so many blocks, and so many stretches are looked at. */
const STRETCH_BLOCKS = 2
const STRETCHES: Readonly<Record<SampleLevel, number>> = { fast: 8, normal: 16, thorough: 96 }
/** The share of long blocks: fewer, as they are eight times as many bytes. */
const LONG_SHARE = 1 / 4

interface FragmentPhaseOptions {
  readonly level: SampleLevel
  /** For the choice of stretches. */
  readonly seed?: number
  /** Asked between pieces of work; throws to end it. */
  goOn(): void
  readonly onWork?: OnWork
}

/**
 * Forecasts what short files save when they share blocks, from stretches of them that are read
 * again and compressed.
 * @param files those read whole, in the order of their paths
 */
export async function forecastFragments(
  files: readonly SolidFile[],
  read: ReadStretches,
  { level, seed, goOn, onWork }: FragmentPhaseOptions,
): Promise<Fragments[]> {
  const random = seededRandom(seed ?? 1)
  const pause = pausing(goOn)
  const once = await firstOfEach(files, pause)
  const rows: Fragments[] = []
  const known: KnownSizes = new Map()
  const blockSizes = new Set(KINDS.map((kind) => kind.blockSize))
  const countOf = (blockSize: number): number =>
    Math.max(2, Math.round(STRETCHES[level] * (blockSize >= MIB ? LONG_SHARE : 1)))
  /** Bytes that are compressed of one stretch, by all codecs. */
  const bytesOf = (blockSize: number): number =>
    STRETCH_BLOCKS * blockSize * KINDS.filter((kind) => kind.blockSize === blockSize).length
  const wholeBytes = [...blockSizes].reduce((sum, size) => sum + countOf(size) * bytesOf(size), 0)
  let doneBytes = 0
  for (const blockSize of blockSizes) {
    const short: SolidFile[] = []
    let bytes = 0
    await slowly(once, pause, (file) => {
      if (file.bytes >= blockSize) return
      short.push(file)
      bytes += file.bytes
    })
    const count = countOf(blockSize)
    const codecs = KINDS.filter((kind) => kind.blockSize === blockSize).map(({ codec }) => codec)
    const samples = new Map(codecs.map((codec) => [codec, [] as FragmentSample[]]))
    const length = STRETCH_BLOCKS * blockSize
    for (const stretch of await stretchesOf(short, bytes, count, length, random.unit(), pause)) {
      goOn()
      const parts = await contents(stretch, read)
      for (const codec of codecs)
        samples.get(codec)?.push(await sampleOf(parts, codec, blockSize, known, pause))
      doneBytes += bytesOf(blockSize)
      onWork?.('fragments', doneBytes, wholeBytes)
    }
    for (const [codec, taken] of samples) {
      const { predictedBytes, low, high } = fragmentSaving(taken, bytes)
      rows.push({
        codec,
        blockSize,
        bytes,
        predictedBytes: Math.round(predictedBytes),
        low: Math.floor(low),
        high: Math.ceil(high),
      })
    }
  }
  onWork?.('fragments', 1, 1)
  return rows
}

/** Files with bytes, one of each content. */
async function firstOfEach(files: readonly SolidFile[], pause: Pause): Promise<SolidFile[]> {
  const seen = new Set<number>()
  const first: SolidFile[] = []
  await slowly(files, pause, (file) => {
    if (file.bytes === 0 || seen.has(file.content)) return
    seen.add(file.content)
    first.push(file)
  })
  return first
}

/** Runs of whole files at equal distances, each about so long; all files where that is no more. */
async function stretchesOf(
  files: readonly SolidFile[],
  bytes: number,
  count: number,
  length: number,
  start: number,
  pause: Pause,
): Promise<SolidFile[][]> {
  const distance = Math.max(length, bytes / count)
  const offset = distance > length ? start * (distance - length) : 0
  const stretches: SolidFile[][] = []
  let at = 0
  await slowly(files, pause, (file) => {
    const index = Math.floor(at / distance)
    const within = at - index * distance
    if (within >= offset && within < offset + length) (stretches[index] ??= []).push(file)
    at += file.bytes
  })
  return stretches.filter(Boolean)
}

interface Part {
  readonly fileNumber: number
  readonly data: Buffer
}

/** The content of each file; those that have changed since are left out. */
async function contents(files: readonly SolidFile[], read: ReadStretches): Promise<Part[]> {
  const parts: Part[] = []
  for (const { number, bytes } of files) {
    const { data } = await read({
      fileNumbers: Uint32Array.of(number),
      offsets: Float64Array.of(0),
      lengths: Float64Array.of(bytes),
    })
    if (data.length > 0) parts.push({ fileNumber: number, data })
  }
  return parts
}

/** By codec what it makes of a file by itself: the same next to blocks of any length. */
type KnownSizes = Map<Fragments['codec'], Map<number, number>>

/**
 * A file that does not fit into what is left of a block begins the next. What does not shrink is
 * kept as it is.
 */
async function sampleOf(
  parts: readonly Part[],
  id: Fragments['codec'],
  blockSize: number,
  known: KnownSizes,
  pause: Pause,
): Promise<FragmentSample> {
  const codec = CODECS[id] as BufferCodec
  const size = async (data: Buffer): Promise<number> => {
    // Short files are compressed on this thread: a cancel must be heard in between.
    await pause()
    return Math.min(data.length, await compressRecord(codec, data))
  }
  let aloneBytes = 0
  let togetherBytes = 0
  let block: Buffer[] = []
  let filled = 0
  const flush = async (): Promise<void> => {
    if (filled > 0) togetherBytes += await size(Buffer.concat(block))
    block = []
    filled = 0
  }
  const sizes = known.get(id) ?? new Map<number, number>()
  known.set(id, sizes)
  for (const { fileNumber, data } of parts) {
    if (filled + data.length > blockSize) await flush()
    const alone = sizes.get(fileNumber) ?? (await size(data))
    sizes.set(fileNumber, alone)
    aloneBytes += alone
    block.push(data)
    filled += data.length
  }
  await flush()
  const bytes = parts.reduce((sum, { data }) => sum + data.length, 0)
  return { bytes, aloneBytes, togetherBytes }
}
