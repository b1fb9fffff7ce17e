import { pausing, slowly } from '../jobs/slowly'
import { throwIfAborted } from '../jobs/throwIfAborted'

/**
 * Calls `work` for every item in order, letting the engine answer in between. Meant for calls that
 * are much quicker done at once than handed to another thread.
 * @throws AppError `cancelled`, and what `work` throws
 */
export async function inSlices<T, R>(
  items: readonly T[],
  signal: AbortSignal,
  work: (item: T) => R,
): Promise<R[]> {
  const results: R[] = []
  const pause = pausing(() => throwIfAborted(signal))
  await pause()
  await slowly(items, pause, (item) => results.push(work(item)))
  return results
}
