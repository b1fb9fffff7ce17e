import { formatSize } from '../../../primitives/quantity'
import type { Goal } from '../optionsDocument'
import type { Compared } from './because'
import { type Floors, TIME_SHARE } from './floors'
import { isVolumeAtStake, type Merit } from './merits'

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
 * who asks for the smallest compares the bytes that are shown. Where a volume more is at stake, the
 * upper end of the size counts.
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
  return candidates.filter((each) => {
    const figure = figureOf(extreme, each)
    return figure <= most || (extreme === 'bytes' && formatSize(figure) === formatSize(least))
  })
}

function figureOf(extreme: Merit, { option, contender }: Compared): number {
  const { bytes, buildSeconds, writeSeconds, restoreSeconds } = option.estimate
  switch (extreme) {
    case 'bytes':
      return isVolumeAtStake(option.estimate) ? bytes.high : bytes.value
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
    case 'buildSeconds':
    case 'restoreSeconds':
      return Math.max(least * (1 + TIME_SHARE), Math.min(least + floors[extreme], least * MOST_HIDDEN))
    default:
      return least
  }
}
