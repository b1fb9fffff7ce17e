import type { MachineFacts } from '../facts'
import type { Goal } from '../optionsDocument'
import { type Compared, chosenText } from './because'
import { EXTREMES, nearExtreme } from './extremes'
import type { Floors } from './floors'
import { isClearlyLess } from './front'
import { scoreOf, type Weights } from './goals'
import { MERITS } from './merits'
import { plainFiles, sharesEdits } from './plainFiles'

/** A goal with all that a choice for it rests on. */
export interface Chooser {
  readonly goal: Goal
  readonly weights: Weights
  readonly floors: Floors
  readonly machine: MachineFacts
}

/** An option with the reason why it was chosen. */
export interface Chosen {
  readonly id: string
  readonly because: string
}

/**
 * The best option for a goal, with its reason; null where there is none. A goal that names an
 * extreme takes the extreme of all that can be carried out, or what nobody can tell from it; the
 * others take the best of the front. What another system must build is chosen only where nothing is
 * built here.
 * @param candidates all that meet the constraints and can be carried out, of one medium or of
 *   several
 * @param isOnFront whether nothing dominates an option
 * @param compared the same of all media
 */
export function choose(
  chooser: Chooser,
  candidates: readonly Compared[],
  isOnFront: (option: Compared) => boolean,
  compared: readonly Compared[],
): Chosen | null {
  const built = preferred(candidates, ({ contender }) => !contender.isElsewhere)
  const separate = SEPARATE_GOALS.has(chooser.goal)
    ? preferred(built, ({ option }) => !sharesEdits(option))
    : built
  const front = preferred(nearExtreme(chooser.goal, chooser.floors, separate), isOnFront)
  const best = bestOf(chooser, front)
  if (best === null) return null
  const { medium, shortName, family } = best.option
  const own = compared.filter(({ option }) => option.medium === medium)
  const others = (from: readonly Compared[]): Compared[] =>
    from.filter(({ option }) => option.medium === medium && option.shortName !== shortName)
  // What a person would take otherwise: plain files, or what comes next where these are chosen.
  const named = family === 'plain' ? null : plainFiles(own.map(({ option }) => option))
  const plain = own.find(({ option }) => option === named)
  const other =
    plain ?? bestOf(chooser, others(candidates.filter(isOnFront))) ?? bestOf(chooser, others(compared))
  const reasons = {
    weights: chooser.weights,
    floors: chooser.floors,
    leastBytes: Math.min(...own.map(({ option }) => option.estimate.bytes.value)),
    leastVolumes: Math.min(...own.map(({ option }) => option.estimate.volumes.value)),
    namesMedium: candidates.some(({ option }) => option.medium !== medium),
    extreme: EXTREMES[chooser.goal] ?? null,
  }
  return { id: best.option.id, because: chosenText(best, other, reasons) }
}

/** Those that a condition holds for; all where it holds for none. */
function preferred(candidates: readonly Compared[], holds: (each: Compared) => boolean): readonly Compared[] {
  const found = candidates.filter(holds)
  return found.length > 0 ? found : candidates
}

/**
 * Goals of files that are used and edited for years, on whatever file system: hard links share
 * edits, and exFAT has none.
 */
const SEPARATE_GOALS: ReadonlySet<Goal> = new Set(['anywhere', 'live'])

/**
 * By score, of which differences that nobody feels are taken out again: then the simpler one wins.
 */
function bestOf(chooser: Chooser, candidates: readonly Compared[]): Compared | null {
  const score = (each: Compared): number => scoreFor(chooser, each)
  const [first] = candidates.toSorted((one, other) => score(one) - score(other))
  if (first === undefined) return null
  const felt = (each: Compared): number => score(each) - score(first) - unfelt(chooser, each, first)
  return candidates.reduce((best, each) => {
    const difference = felt(each) - felt(best) || each.contender.steps - best.contender.steps
    return difference < 0 ? each : best
  }, first)
}

/** The score of an option for the goal, lower is better. */
export function scoreFor(
  { goal, weights, machine }: Omit<Chooser, 'floors'>,
  { option, contender }: Compared,
): number {
  return scoreOf(goal, weights, contender.merits, option, machine)
}

/**
 * The part of the difference of two scores that is below the floors, or within the forecast's
 * error.
 */
function unfelt({ weights, floors }: Chooser, one: Compared, other: Compared): number {
  return MERITS.reduce((sum, merit) => {
    const [own, others] = [one.contender, other.contender]
    if (isClearlyLess(merit, own, others, floors) || isClearlyLess(merit, others, own, floors)) return sum
    const ratio = own.merits[merit] / others.merits[merit]
    return merit === 'portability' ? sum : sum + weights[merit] * Math.log2(ratio)
  }, 0)
}
