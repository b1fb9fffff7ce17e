import type { Goal } from '../optionsDocument'
import type { Compared } from './because'
import { type Floors, SIZE_SHARE, TIME_SHARE } from './floors'
import type { Merit } from './merits'

/** The figure whose extreme a goal names. */
export const EXTREMES: Readonly<Partial<Record<Goal, Merit>>> = {
  smallest: 'bytes',
  fastestBuild: 'buildSeconds',
  fastestRestore: 'restoreSeconds',
  anywhere: 'portability',
}

/**
 * A time may be so many times the shortest and still count as equal to it, where it is below its
 * floor.
 */
const MOST_HIDDEN = 1.5

/** Shorter times are shown alike. */
const SHORTEST_SECONDS = 1

/**
 * The options at the extreme that a goal names: the least figure, and those within its floor. All
 * options for a goal without an extreme. Sizes count here without the floor of a disc's empty rest:
 * who asks for the smallest compares bytes.
 */
export function nearExtreme(
  goal: Goal,
  floors: Floors,
  candidates: readonly Compared[],
): readonly Compared[] {
  const extreme = EXTREMES[goal]
  if (extreme === undefined) return candidates
  const least = Math.min(...candidates.map((each) => figureOf(extreme, each)))
  const most = mostOf(extreme, least, floors)
  return candidates.filter((each) => figureOf(extreme, each) <= most)
}

function figureOf(extreme: Merit, { option, contender }: Compared): number {
  const { bytes, buildSeconds, writeSeconds, restoreSeconds } = option.estimate
  switch (extreme) {
    case 'bytes':
      return bytes.value
    case 'buildSeconds':
      return Math.max(SHORTEST_SECONDS, buildSeconds.value + writeSeconds.value)
    case 'restoreSeconds':
      return Math.max(SHORTEST_SECONDS, restoreSeconds.value)
    default:
      return contender.merits[extreme]
  }
}

/** The largest figure that counts as equal to the least one. */
function mostOf(extreme: Merit, least: number, floors: Floors): number {
  switch (extreme) {
    case 'bytes':
      return least * (1 + SIZE_SHARE)
    case 'buildSeconds':
    case 'restoreSeconds':
      return Math.max(least * (1 + TIME_SHARE), Math.min(least + floors[extreme], least * MOST_HIDDEN))
    default:
      return least
  }
}
