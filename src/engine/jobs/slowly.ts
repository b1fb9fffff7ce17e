import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Clock, systemClock } from '../../primitives/clock'
import type { Stepwise } from '../../primitives/stepwise'

/**
 * Long work goes on for so long at once: a cancel, or whoever asks the engine something, waits no
 * longer than this and one step.
 */
const STRETCH_MS = 8
/** Steps that take a microsecond or less are taken so many at once; the clock is asked between. */
const SLICE = 512

/** Lets the engine answer, if it is time to; rejects when the work is to end. */
export type Pause = () => Promise<void>

/**
 * A pause for work on the engine's thread, to be called between its steps as often as is
 * convenient.
 * @param goOn throws when the work is to end
 */
export function pausing(goOn: () => void, clock: Clock = systemClock): Pause {
  let restedMs = clock.monotonicMs()
  return async () => {
    if (clock.monotonicMs() - restedMs >= STRETCH_MS) {
      await nextTurn()
      restedMs = clock.monotonicMs()
    }
    goOn()
  }
}

/** Calls `work` for every item in order, with pauses between. */
export async function slowly<T>(
  items: ArrayLike<T>,
  pause: Pause,
  work: (item: T, index: number) => void,
): Promise<void> {
  for (let from = 0; from < items.length; from += SLICE) {
    const to = Math.min(items.length, from + SLICE)
    for (let index = from; index < to; index++) work(items[index] as T, index)
    await pause()
  }
}

/** Does stepwise work, with pauses between its steps. */
export async function resultOf<T>(work: Stepwise<T>, pause: Pause): Promise<T> {
  for (let step = work.next(); ; step = work.next()) {
    if (step.done === true) return step.value
    await pause()
  }
}
