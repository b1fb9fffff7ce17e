import { AppError } from '../../primitives/appError'
import { pathForDisplay, pathToBytes } from '../../primitives/pathText'
import { loadAddon } from './loadAddon'
import type { ReadingWays, UnreadablePart } from './rawSectorReading'

export type { ReadingWays } from './rawSectorReading'

/** `bytes` of a file or a device from `offset` on. */
interface Place {
  readonly file: string
  readonly offset: number
  readonly bytes: number
}

/** `offset` is in the file or device; a null cause means that it ends before. */
export type UnreadableRange = Omit<UnreadablePart, 'index'>

/** What reading back gave of one range: its digest, the parts that cannot be read, or why it could not be begun. */
export type ReadRange =
  | { readonly sha256: string }
  | { readonly unreadable: readonly UnreadableRange[] }
  | { readonly failure: AppError }

/** How often progress is reported. */
const PROGRESS_INTERVAL_MS = 100
const DIGEST_BYTES = 32

/**
 * Reads ranges of files or of a device as the medium has them, past the system's cache where it lets us, in the order given: by
 * offset, to read a disc from one end to the other. Sectors that cannot be read are noted, and reading goes on behind them.
 * @throws AppError `tool-missing`; `cancelled` when the signal aborts
 */
export async function readSectors(
  places: readonly Place[],
  { signal, onBytes }: { readonly signal: AbortSignal; readonly onBytes: (done: number) => void },
): Promise<{ readonly ranges: readonly ReadRange[]; readonly ways: ReadingWays }> {
  if (signal.aborted) throw cancelled()
  const raw = loadAddon().readSectors(
    places.map(({ file }) => pathToBytes(file)),
    Float64Array.from(places, ({ offset }) => offset),
    Float64Array.from(places, ({ bytes }) => bytes),
  )
  const cancel = (): void => raw.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  const timer = setInterval(() => onBytes(raw.bytesDone()), PROGRESS_INTERVAL_MS)
  try {
    const outcome = await raw.finished
    if (outcome.cancelled) throw cancelled()
    onBytes(raw.bytesDone())
    const ranges: ReadRange[] = places.map((_, at) => ({ sha256: hexAt(outcome.sha256, at) }))
    const parts = new Map<number, UnreadableRange[]>()
    for (const { index, ...part } of outcome.unreadable) {
      const others = parts.get(index)
      if (others) others.push(part)
      else parts.set(index, [part])
    }
    for (const [at, unreadable] of parts) ranges[at] = { unreadable }
    for (const { index, code, cause } of outcome.errors) {
      const path = places[index]?.file ?? ''
      const message = `cannot read ${pathForDisplay(path)}: ${cause}`
      ranges[index] = { failure: new AppError(code, message, { path }) }
    }
    return { ranges, ways: outcome.ways }
  } finally {
    clearInterval(timer)
    signal.removeEventListener('abort', cancel)
  }
}

function hexAt(digests: Uint8Array, at: number): string {
  return Buffer.from(digests.subarray(at * DIGEST_BYTES, (at + 1) * DIGEST_BYTES)).toString('hex')
}

function cancelled(): AppError {
  return new AppError('cancelled', 'reading back was cancelled')
}
