import { AppError } from '../../primitives/appError'

/** @throws AppError `cancelled` when the signal is aborted */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new AppError('cancelled', 'cancelled')
}
