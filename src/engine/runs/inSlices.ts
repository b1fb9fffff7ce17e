import { setImmediate } from 'node:timers/promises'
import { throwIfAborted } from '../tools/runTool'

/** One file system call takes some microseconds: a slice stays well below the time in which the engine must answer. */
const SLICE = 256

/**
 * Calls `work` for every item in order, letting the engine answer in between. Meant for calls that are much quicker done at
 * once than handed to another thread.
 * @throws AppError `cancelled`, and what `work` throws
 */
export async function inSlices<T, R>(
  items: readonly T[],
  signal: AbortSignal,
  work: (item: T) => R,
): Promise<R[]> {
  const results: R[] = []
  for (let start = 0; start < items.length; start += SLICE) {
    throwIfAborted(signal)
    for (const item of items.slice(start, start + SLICE)) results.push(work(item))
    await setImmediate()
  }
  return results
}
