import { AppError } from '../../primitives/appError'
import { pathForDisplay, pathToBytes } from '../../primitives/pathText'
import { said } from '../../primitives/said'
import { loadAddon } from './loadAddon'
import { finishedWork } from './nativeWork'
import type { FilePart } from './protection'

/** A sum of multiples of files in the field of 256 elements, with zeros after the end of each. */
export interface Combination {
  /** An open file that takes it; null for a sum that is only hashed. */
  readonly output: { readonly fd: number; readonly path: string } | null
  readonly bytes: number
  /** One for each file. */
  readonly factors: readonly number[]
}

/** SHA-256 of what was read and of what was made, in hexadecimal digits. */
export interface CombinedDigests {
  readonly files: readonly string[]
  readonly combinations: readonly string[]
}

/**
 * Reads files side by side, once, and makes sums of them.
 * @throws AppError naming the file that cannot be read, or for an output; `cancelled`
 */
export async function combineFiles(
  files: readonly FilePart[],
  combinations: readonly Combination[],
  { signal, onBytes }: { readonly signal: AbortSignal; readonly onBytes?: (done: number) => void },
): Promise<CombinedDigests> {
  const raw = loadAddon().combineFiles(
    files.map(({ path }) => pathToBytes(path)),
    Float64Array.from(files, ({ offset }) => offset),
    Float64Array.from(files, ({ bytes }) => bytes),
    combinations.map(({ output, bytes, factors }) => ({
      file: output?.fd ?? null,
      bytes,
      factors: Uint8Array.from(factors),
    })),
  )
  if (signal.aborted) raw.cancel()
  const found = await finishedWork(raw, signal, onBytes && (() => onBytes(raw.bytesDone())))
  if (found.cancelled) throw new AppError('cancelled', said`making parity was cancelled`)
  if (found.failure !== null) {
    const { path } = files[found.failure.index] as FilePart
    throw new AppError(
      found.failure.code,
      said`cannot read ${pathForDisplay(path)}: ${found.failure.cause}`,
      { path },
    )
  }
  if (found.outputFailure !== null) {
    const path = combinations[found.outputFailure.index]?.output?.path ?? ''
    throw new AppError(
      found.outputFailure.code,
      said`cannot write ${pathForDisplay(path)}: ${found.outputFailure.cause}`,
    )
  }
  const digests = Array.from({ length: files.length + combinations.length }, (_, at) =>
    Buffer.from(found.sha256.subarray(32 * at, 32 * at + 32)).toString('hex'),
  )
  return { files: digests.slice(0, files.length), combinations: digests.slice(files.length) }
}
