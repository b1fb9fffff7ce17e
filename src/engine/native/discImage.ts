import { AppError, type AppErrorCode } from '../../primitives/appError'
import { said } from '../../primitives/said'
import { loadAddon } from './loadAddon'
import { finishedWork } from './nativeWork'
import type {
  RawContentSource,
  RawImageEntries,
  RawImageLayout,
  RawImageNames,
  RawImagePlaces,
  RawImageProtection,
  RawProtectedOutcome,
  RawWritingOutcome,
} from './rawDiscImage'

export type {
  RawContentSource,
  RawImageEntries,
  RawImageLayout,
  RawImagePlaces,
  RawImageProtection,
} from './rawDiscImage'

/** Why an image is not whole: the entry whose source failed, or null where the output did. */
export interface ImageFailure {
  readonly entry: number | null
  readonly code: AppErrorCode
  readonly cause: string
}

/**
 * The layout of an image of ISO 9660 with Rock Ridge and UDF 1.02: its length and the place of
 * every file, before anything is read.
 * @param places of the files' bytes where they are known already
 * @throws AppError `cannot-fit` for more than 2^32 sectors, or more than fits into the places
 */
export async function layOutImage(
  entries: RawImageEntries,
  names: RawImageNames,
  places?: RawImagePlaces,
): Promise<RawImageLayout> {
  const work = loadAddon().layOutDiscImage({ ...entries, ...names }, places)
  try {
    return await work.finished
  } catch (thrown) {
    const cause = thrown instanceof Error ? thrown.message : String(thrown)
    throw new AppError('cannot-fit', said`cannot lay out the image: ${cause}`)
  }
}

/**
 * Writes an image to an open file or pipe, from front to back; each source is read once, and must
 * have the digest given.
 * @returns null when it is whole
 * @throws AppError `cancelled`
 */
export async function writeDiscImage(
  layout: RawImageLayout,
  output: number,
  sources: readonly RawContentSource[],
  watch: WritingWatch,
): Promise<ImageFailure | null> {
  return failureOf(await finished(layout.write(output, sources, true, false), watch))
}

/** Who hears of writing, and ends it. */
export interface WritingWatch {
  readonly signal: AbortSignal
  readonly onBytes?: (done: number) => void
}

/** Digests of protected files as they were written. */
type WrittenChecks = Pick<RawProtectedOutcome, 'entries' | 'files' | 'blocks'>

/**
 * The same for an image with recovery data, in two steps: what its recovery files hold is known
 * only after the first.
 * @param recoveryOf gives the sources of the rest, or why there will be none
 */
export async function writeProtectedImage(
  layout: RawImageLayout,
  output: number,
  { sources, protection }: { sources: readonly RawContentSource[]; protection: RawImageProtection },
  recoveryOf: (checks: WrittenChecks) => readonly RawContentSource[] | ImageFailure,
  watch: WritingWatch,
): Promise<ImageFailure | null> {
  const first = await finished(layout.write(output, sources, true, false, protection), watch)
  const failure = failureOf(first)
  if (failure !== null) return failure
  const rest = recoveryOf(first)
  return 'code' in rest ? rest : failureOf(await finished(first.writeRest(rest), watch))
}

async function finished<Outcome extends RawWritingOutcome>(
  work: { bytesDone(): number; cancel(): void; readonly finished: Promise<Outcome> },
  { signal, onBytes }: WritingWatch,
): Promise<Outcome> {
  if (signal.aborted) work.cancel()
  const outcome = await finishedWork(work, signal, onBytes && (() => onBytes(work.bytesDone())))
  if (outcome.cancelled) throw new AppError('cancelled', said`writing the image was cancelled`)
  return outcome
}

function failureOf({ failure }: RawWritingOutcome): ImageFailure | null {
  return failure?.code === 'no-space' ? { ...failure, cause: said`no space left on the device` } : failure
}
