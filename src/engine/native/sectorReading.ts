import { AppError } from '../../primitives/appError'
import { pathForDisplay, pathToBytes } from '../../primitives/pathText'
import { said } from '../../primitives/said'
import { loadAddon } from './loadAddon'
import { finishedWork } from './nativeWork'
import type { RawSectorReading, ReadingWays, UnreadablePart } from './rawSectorReading'

export type { ReadingWays } from './rawSectorReading'

/** `bytes` of a file or a device from `offset` on. */
interface Place {
  readonly file: string
  readonly offset: number
  readonly bytes: number
}

/** `offset` is in the file or device; a null cause means that it ends before. */
export type UnreadableRange = Omit<UnreadablePart, 'index'>

/**
 * The result of reading one range back: its digest, the parts that cannot be read, or why it could
 * not be begun.
 */
export type ReadRange =
  | { readonly sha256: string }
  | { readonly unreadable: readonly UnreadableRange[] }
  | { readonly failure: AppError }

export interface ReadWhole {
  /** In hex. */
  readonly sha256: string
  /** In hex, for each range. */
  readonly ranges: readonly string[]
  /** True when the system's cache was bypassed: the data came from the medium. */
  readonly uncached: boolean
}

interface Watch {
  readonly signal?: AbortSignal
  readonly onBytes?: (done: number) => void
}

const DIGEST_BYTES = 32

/**
 * Reads ranges of files or of a device as the medium has them, by direct reads where the system
 * allows it, in the order given: by offset, to read a disc from one end to the other. Sectors that
 * cannot be read are noted, and reading goes on behind them.
 * @throws AppError `tool-missing`; `cancelled` when the signal aborts
 */
export async function readSectors(
  places: readonly Place[],
  watch: Watch,
): Promise<{ readonly ranges: readonly ReadRange[]; readonly ways: ReadingWays }> {
  const outcome = await outcomeOf(places, false, watch)
  const ranges: ReadRange[] = places.map((_, at) => ({ sha256: hexAt(outcome.sha256, at) }))
  for (const [at, parts] of Map.groupBy(outcome.unreadable, ({ index }) => index))
    ranges[at] = { unreadable: parts.map(({ offset, length, cause }) => ({ offset, length, cause })) }
  for (const { index, code, cause } of outcome.errors) {
    const path = places[index]?.file ?? ''
    const message = said`cannot read ${pathForDisplay(path)}: ${cause}`
    ranges[index] = { failure: new AppError(code, message, { path }) }
  }
  return { ranges, ways: outcome.ways }
}

/**
 * Reads the first `length` bytes of a file or device once, as `readSectors` does, and hashes all of
 * it and ranges of it. The first sector that cannot be read ends it.
 * @param ranges by rising offset, apart from one another and within `length`
 * @throws AppError `verification-failed` where it is shorter, `io` and others naming the byte
 *   where reading failed, `cancelled`
 */
export async function readWhole(
  path: string,
  length: number,
  ranges: readonly { readonly offset: number; readonly bytes: number }[],
  watch: Watch,
): Promise<ReadWhole> {
  const places: Place[] = []
  const asked: number[] = []
  let end = 0
  for (const { offset, bytes } of ranges) {
    if (offset > end) places.push({ file: path, offset: end, bytes: offset - end })
    asked.push(places.length)
    places.push({ file: path, offset, bytes })
    end = offset + bytes
  }
  if (end < length || places.length === 0) places.push({ file: path, offset: end, bytes: length - end })
  const { whole, sha256, unreadable, errors, ways } = await outcomeOf(places, true, watch)
  const [hole] = unreadable
  const [error] = errors
  const subject = `cannot read back ${pathForDisplay(path)}`
  if (hole?.cause === null)
    throw new AppError('verification-failed', said`${subject}: it has fewer than ${length} bytes`, { path })
  if (hole) throw new AppError('io', said`${subject} at byte ${hole.offset}: ${hole.cause}`, { path })
  if (error) {
    const { offset } = places[error.index] ?? { offset: 0 }
    throw new AppError(error.code, said`${subject} at byte ${offset}: ${error.cause}`, { path })
  }
  return {
    sha256: hexAt(whole, 0),
    ranges: asked.map((at) => hexAt(sha256, at)),
    uncached: ways.droppedBytes + ways.cachedBytes === 0,
  }
}

type Outcome = Awaited<ReturnType<RawSectorReading['readSectors']>['finished']>

async function outcomeOf(
  places: readonly Place[],
  asWhole: boolean,
  { signal, onBytes }: Watch,
): Promise<Outcome> {
  if (signal?.aborted) throw cancelled()
  const raw = loadAddon().readSectors(
    places.map(({ file }) => pathToBytes(file)),
    Float64Array.from(places, ({ offset }) => offset),
    Float64Array.from(places, ({ bytes }) => bytes),
    asWhole,
  )
  const outcome = await finishedWork(raw, signal, onBytes && (() => onBytes(raw.bytesDone())))
  if (outcome.cancelled) throw cancelled()
  return outcome
}

function hexAt(digests: Uint8Array, at: number): string {
  return Buffer.from(digests.subarray(at * DIGEST_BYTES, (at + 1) * DIGEST_BYTES)).toString('hex')
}

function cancelled(): AppError {
  return new AppError('cancelled', said`reading back was cancelled`)
}
