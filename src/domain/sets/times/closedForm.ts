import { secondsAlong } from '../../media/speedCurve'
import type { WriteSetting } from './simulateWrite'

/** The time of a stream through a buffer, by one formula. */
interface ClosedForm {
  readonly seconds: number
  /** With no buffer at all. */
  readonly unbufferedSeconds: number
  /** The cost of having no buffer. */
  readonly lostSeconds: number
}

/**
 * `T(B) = M + (T₀ − M) · g(B)`, with M what the slower of source and writer takes alone (the writer
 * once the source has started) and T₀ the sum over the files of the slower of the two.
 * `g(B) = (a − b) e^(−(a−b)B) / (a − b e^(−(a−b)B))` is the part of the runs that find the buffer
 * full (where the source is slower on the whole; empty where the writer is), when the source gets
 * ahead by 1/a bytes and behind by 1/b in exponential runs in turn: the two-state fluid queue
 * (Anick, Mitra, Sondhi 1982) with a finite buffer. For intuition and as a check: on shuffled trees
 * of small and large files it is within 3 % of `simulateWrite` for buffers from 1 MiB up
 * (`tests/unit/domain/sets/times/closedForm.test.ts`). Files in another order have other runs: for
 * figures, simulate.
 */
export function closedForm({
  sizes,
  headBytes = 0,
  source,
  curve,
  bufferBytes,
}: Omit<WriteSetting, 'startBytes' | 'lowBytes'>): ClosedForm {
  const files = Array.from(sizes)
  const total = headBytes + files.reduce((sum, bytes) => sum + bytes, 0)
  const writerSeconds = secondsAlong(curve, total)
  const rate = total / Math.max(writerSeconds, Number.MIN_VALUE)
  let [sourceSeconds, unbuffered] = [source.startSeconds, source.startSeconds + headBytes / rate]
  const walk = runsOf()
  for (const bytes of files) {
    const [made, written] = [source.fileSeconds + bytes * source.secondsPerByte, bytes / rate]
    sourceSeconds += made
    unbuffered += Math.max(made, written)
    walk.move((written - made) * rate)
  }
  const slower = Math.max(sourceSeconds, source.startSeconds + writerSeconds)
  const unbufferedSeconds = Math.max(slower, unbuffered)
  const { ahead, behind } = walk.ended()
  const [less, more] = sum(ahead) <= sum(behind) ? [ahead, behind] : [behind, ahead]
  // Of exponential runs the mean, and the few long ones of others count for what they move.
  const near = sum(less) > 0 ? sum(less.map((bytes) => bytes ** 2)) / (2 * sum(less)) : 0
  const far = (near * sum(more)) / sum(less)
  return {
    seconds: slower + (unbufferedSeconds - slower) * lostShare(near, far, bufferBytes),
    unbufferedSeconds,
    lostSeconds: unbufferedSeconds - slower,
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** A run ends where the walk has turned back by more than this, what a pipe of the system holds. */
const TURN_BYTES = 64 * 1024

/** The runs of a walk in both directions: from each turn to the next. */
function runsOf() {
  const ahead: number[] = []
  const behind: number[] = []
  let [at, turn, extreme, isAhead] = [0, 0, 0, true]
  const end = (): void => {
    ;(isAhead ? ahead : behind).push(Math.abs(extreme - turn))
    turn = extreme
  }
  return {
    move(bytes: number): void {
      at += bytes
      if (isAhead ? at >= extreme : at <= extreme) extreme = at
      else if (Math.abs(at - extreme) > TURN_BYTES) {
        end()
        isAhead = !isAhead
        extreme = at
      }
    },
    ended() {
      end()
      return { ahead, behind }
    },
  }
}

/** `g(B)` for runs of `near` and `far` bytes, the shorter first. */
function lostShare(near: number, far: number, bufferBytes: number): number {
  if (near <= 0) return 0
  const drift = 1 / near - 1 / far
  // Where both are alike the walk has no drift.
  if (drift * bufferBytes < 1e-9) return 1 / (1 + bufferBytes / near)
  const left = Math.exp(-drift * bufferBytes)
  return (drift * left) / (1 / near - left / far)
}
