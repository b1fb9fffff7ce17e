import { AppError, type AppErrorCode } from '../../primitives/appError'
import { pathForDisplay, pathToBytes } from '../../primitives/pathText'
import { loadAddon } from './loadAddon'

/** How often progress is reported. */
const PROGRESS_INTERVAL_MS = 100

export interface ReadBytes {
  /** In hex. */
  readonly sha256: string
  /** 32 bytes for each range, in their order. */
  readonly ranges: Uint8Array
  /** Whether the system's cache was bypassed: what was read came from the medium. */
  readonly uncached: boolean
}

/**
 * Reads the first `length` bytes of a file or device once, past the system's cache where it can, and hashes all of it and ranges
 * of it. A link at the end of the path is not followed.
 * @param ranges by rising offset, apart from one another and within `length`
 * @throws AppError `verification-failed` where it is shorter, `io` and others naming the byte where reading failed, `cancelled`
 */
export async function readWhole(
  path: string,
  length: number,
  ranges: readonly { readonly offset: number; readonly length: number }[],
  options: { readonly signal?: AbortSignal; readonly onBytes?: (done: number) => void },
): Promise<ReadBytes> {
  const { signal, onBytes } = options
  if (signal?.aborted) throw new AppError('cancelled', 'reading back was cancelled')
  const raw = loadAddon().readWhole(
    pathToBytes(path),
    length,
    Float64Array.from(ranges, (range) => range.offset),
    Float64Array.from(ranges, (range) => range.length),
  )
  const cancel = (): void => raw.cancel()
  signal?.addEventListener('abort', cancel, { once: true })
  const timer = onBytes && setInterval(() => onBytes(raw.bytesDone()), PROGRESS_INTERVAL_MS)
  try {
    const found = await raw.finished
    if (found.cancelled) throw new AppError('cancelled', 'reading back was cancelled')
    onBytes?.(raw.bytesDone())
    const shown = pathForDisplay(path)
    if (found.isShort)
      throw new AppError(
        'verification-failed',
        `cannot read back ${shown}: it has fewer than ${length} bytes`,
        { path },
      )
    if (found.code !== null) {
      const message = `cannot read back ${shown} at byte ${raw.bytesDone()}: ${found.cause ?? found.code}`
      throw new AppError(found.code, message, { path })
    }
    const { sha256, uncached } = found
    return { sha256: Buffer.from(sha256).toString('hex'), ranges: found.ranges, uncached }
  } finally {
    clearInterval(timer)
    signal?.removeEventListener('abort', cancel)
  }
}

/**
 * The same of whole files, one after another: 32 bytes for each in `sha256`, zeros where `errors` has one.
 * @throws AppError `cancelled`
 */
export async function readWholeFiles(
  files: readonly { readonly path: string; readonly length: number }[],
  options: { onProgress?(bytesDone: number): void; readonly signal?: AbortSignal } = {},
): Promise<{ sha256: Uint8Array; errors: Map<number, { code: AppErrorCode; message: string }> }> {
  const { onProgress, signal } = options
  const sha256 = new Uint8Array(files.length * 32)
  const errors = new Map<number, { code: AppErrorCode; message: string }>()
  let before = 0
  for (const [at, { path, length }] of files.entries()) {
    try {
      const onBytes = (done: number): void => onProgress?.(before + done)
      const found = await readWhole(path, length, [], { onBytes, ...(signal && { signal }) })
      sha256.set(Buffer.from(found.sha256, 'hex'), at * 32)
    } catch (thrown) {
      const { code, message } = AppError.from(thrown)
      if (code === 'cancelled') throw thrown
      errors.set(at, { code, message })
    }
    before += length
  }
  return { sha256, errors }
}
