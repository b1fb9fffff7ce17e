import type { CopyTrial } from '../../../domain/forecast/solidForecast'
import type { SeededRandom } from '../../../primitives/seededRandom'
import { slowly } from '../../jobs/slowly'
import { reuseWithin } from '../../native/addon'
import type { SampleLevel } from '../codecs/codecSamplesTargets'
import type { SolidFile } from './solidFiles'
import { ANY_DISTANCE, type Sampling } from './solidRates'
import type { StreamCodec } from './solidSamples'

const KIB = 1024

/** Less of a file's data than this is not worth a trial. */
const LEAST_BYTES = 128 * KIB
/** A near copy has no more than this share of its data for itself. */
export const MOST_NOVEL = 0.75
/** And is no more than so many times as long or as short as the file that it copies. */
const MOST_LENGTHS = 2

/** How many pieces are packed behind their like. */
const TRIALS: Readonly<Record<SampleLevel, number>> = { fast: 3, normal: 5, thorough: 12 }
const PIECE_BYTES = 256 * KIB
/** The bytes of the copied file before a piece, around the place that the piece has in its own. */
const CONTEXT_BYTES = 1024 * KIB

/** A file and the one before it that it nearly equals. */
export interface NearCopy {
  readonly file: SolidFile
  readonly of: SolidFile
  /** Without short patterns. */
  readonly dataBytes: number
}

/**
 * Files that nearly equal the file before them in the order by content, such as consecutive
 * releases of one file: what anchors call new in them is mostly old, cut by many small changes.
 */
export async function nearCopies(
  order: readonly SolidFile[],
  numbers: Uint32Array,
  { anchors, ask, pause }: Pick<Sampling, 'anchors' | 'ask' | 'pause'>,
): Promise<NearCopy[]> {
  const each = Uint32Array.from(numbers, (_, place) => place)
  const distances = Float64Array.of(ANY_DISTANCE)
  const reuse = await ask(anchors.reuse(numbers, each, each.length, distances, 0, null))
  const copies: NearCopy[] = []
  await slowly(order, pause, (file, place) => {
    const of = order[place - 1]
    if (of === undefined || of.content === file.content) return
    const data = file.bytes - (reuse.quietBytes[place] as number)
    const novel = (reuse.novelBytes[0] as Float64Array)[place] as number
    const lengths = Math.max(file.bytes, of.bytes) / Math.max(1, Math.min(file.bytes, of.bytes))
    if (data >= LEAST_BYTES && novel <= MOST_NOVEL * data && lengths <= MOST_LENGTHS)
      copies.push({ file, of, dataBytes: data })
  })
  return copies
}

/**
 * Packs pieces of near copies behind what they copy: what each is by its anchors, and the bytes
 * that it adds. Pieces that do not find themselves in what is before them tell nothing and are left
 * out.
 */
export async function tryCopies(
  copies: readonly NearCopy[],
  codec: StreamCodec,
  random: SeededRandom,
  { anchors, ask, read, goOn, options }: Omit<Sampling, 'orders'>,
): Promise<CopyTrial[]> {
  const count = TRIALS[options.level]
  const bytes = copies.reduce((sum, { dataBytes }) => sum + dataBytes, 0)
  const byNumber = new Map(copies.map((copy) => [copy.file.number, copy]))
  const numbers = Uint32Array.from(copies, ({ file }) => file.number)
  const pieces: CopyPiece[] = []
  for (let index = 0; index < count; index++) {
    const at = Math.floor(((index + random.unit()) / count) * bytes)
    const place = await ask(anchors.stretches(numbers, false, Float64Array.of(at), 1))
    const copy = byNumber.get(place.fileNumbers[0] ?? -1)
    if (!copy) continue
    const piece = Math.min(PIECE_BYTES, copy.file.bytes)
    const from = Math.min(place.offsets[0] ?? 0, copy.file.bytes - piece)
    const context = Math.min(CONTEXT_BYTES, copy.of.bytes)
    const middle = ((from + piece / 2) / copy.file.bytes) * copy.of.bytes
    const before = Math.round(Math.min(copy.of.bytes - context, Math.max(0, middle - context / 2)))
    const stretches = {
      fileNumbers: Uint32Array.of(copy.of.number, copy.file.number),
      offsets: Float64Array.of(before, from),
      lengths: Float64Array.of(context, piece),
    }
    const { data, lengths } = await read(stretches)
    if (data.length !== context + piece) continue
    const kinds = Uint32Array.of(0, 1)
    const reuse = reuseWithin(data, lengths, kinds, 2, Float64Array.of(data.length))
    const novelBytes = reuse.novelBytes[0]?.[1] ?? 0
    const quietBytes = reuse.quietBytes[1] ?? 0
    if (novelBytes > MOST_NOVEL * (piece - quietBytes)) continue
    const runs = reuse.runs[0]?.[1] ?? 0
    pieces.push({ content: { novelBytes, quietBytes, runs }, before: data.subarray(0, context), data })
  }
  if (pieces.length === 0) return []
  const [alone, behind] = await Promise.all([
    codec(
      pieces.map((piece) => piece.before),
      options.signal,
    ),
    codec(
      pieces.map((piece) => piece.data),
      options.signal,
    ),
  ])
  goOn()
  return pieces.map(({ content: { novelBytes, quietBytes, runs } }, index) => {
    const added = (behind.sizes[index] as number) - (alone.sizes[index] as number)
    return { novelBytes, quietBytes, runs, codecBytes: Math.max(0, added) }
  })
}

/** A piece of a near copy behind what it copies. */
interface CopyPiece {
  readonly content: Omit<CopyTrial, 'codecBytes'>
  readonly before: Buffer
  readonly data: Buffer
}
