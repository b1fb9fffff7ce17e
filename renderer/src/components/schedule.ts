import { systemClock } from '../../../src/primitives/clock'

/**
 * Pieces of work that wait, in the order in which they were asked for; those that a piece itself
 * asks for come right after it, so that a page fills from its top and nothing is pushed down.
 */
const waiting: (() => void)[] = []
/** The place for what the piece in hand asks for; null while none is in hand. */
let place: number | null = null
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
export function schedule(work: () => void): () => void {
  const piece = () => work()
  if (place === null) waiting.push(piece)
  else waiting.splice(place++, 0, piece)
  if (!isAwaited) {
    isAwaited = true
    setTimeout(goOn)
  }
  return () => {
    const at = waiting.indexOf(piece)
    if (at < 0) return
    waiting.splice(at, 1)
    if (place !== null && at < place) place--
  }
}

function goOn(): void {
  const endMs = systemClock.monotonicMs() + STRETCH_MS
  do {
    const piece = waiting.shift()
    place = 0
    try {
      piece?.()
    } finally {
      place = null
    }
  } while (waiting.length > 0 && systemClock.monotonicMs() < endMs)
  isAwaited = waiting.length > 0
  if (isAwaited) setTimeout(goOn)
}
