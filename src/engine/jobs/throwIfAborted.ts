import { AppError } from '../../primitives/appError'
import { said } from '../../primitives/said'

/** @throws AppError `cancelled` when the signal is aborted */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new AppError('cancelled', said`cancelled`)
}
