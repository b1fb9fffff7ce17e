import { AppError } from '../../../primitives/appError'
import type { Clock } from '../../../primitives/clock'

/** The end of the work on one volume. */
interface TurnEnd {
  readonly failures: readonly AppError[]
  /** False where no further volume is begun. */
  readonly goesOn: boolean
}

/**
 * Works on volumes one after the other: the failure of one is noted, and the next one is begun.
 * @param work on a volume and its place among them; null leaves it, to be tried once more in the
 *   end
 * @param ended notes the outcome or the failure of a volume
 * @returns the first failure; null where there is none
 */
export async function inTurn<V, O>(
  volumes: readonly V[],
  clock: Pick<Clock, 'monotonicMs'>,
  work: (volume: V, at: number) => Promise<O | null>,
  ended: (outcome: O | AppError, at: number, elapsedMs: number) => TurnEnd | Promise<TurnEnd>,
): Promise<AppError | null> {
  let first: AppError | null = null
  const left = new Set<number>()
  const queue = [...volumes.entries()]
  for (const [at, volume] of queue) {
    const startedMs = clock.monotonicMs()
    const outcome = await work(volume, at).catch((thrown: unknown) => AppError.from(thrown))
    if (outcome === null) {
      if (!left.has(at)) queue.push([at, volume])
      left.add(at)
      continue
    }
    const { failures, goesOn } = await ended(outcome, at, clock.monotonicMs() - startedMs)
    first ??= failures[0] ?? null
    if (!goesOn) break
  }
  return first
}
