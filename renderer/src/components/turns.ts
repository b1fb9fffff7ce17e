import { systemClock } from '../../../src/primitives/clock'

/** Pieces of work that wait, in the order in which they were asked for. */
const waiting = new Set<() => void>()
/**
 * So much is done at once: with the piece that goes over it and what the browser does with the
 * results, the window still answers.
 */
const STRETCH_MS = 8
let isAwaited = false

/**
 * Does a piece of drawing soon, apart from the others that wait, so that a person's keys and clicks
 * come between. Returns what takes it back.
 */
export function takeTurn(work: () => void): () => void {
  const piece = () => work()
  waiting.add(piece)
  if (!isAwaited) {
    isAwaited = true
    setTimeout(goOn)
  }
  return () => void waiting.delete(piece)
}

function goOn(): void {
  const endMs = systemClock.monotonicMs() + STRETCH_MS
  for (const piece of waiting) {
    waiting.delete(piece)
    piece()
    if (systemClock.monotonicMs() >= endMs) break
  }
  isAwaited = waiting.size > 0
  if (isAwaited) setTimeout(goOn)
}
