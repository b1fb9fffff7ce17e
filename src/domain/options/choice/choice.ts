import type { MachineFacts } from '../facts'
import type { Goal } from '../optionsDocument'
import { type Compared, chosenText } from './because'
import type { Floors } from './floors'
import { isClearlyLess } from './front'
import { scoreOf, type Weights } from './goals'
import { MERITS } from './merits'

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
 * The best of the front for a goal, with its reason; null where the front is empty. What another system must build is chosen only
 * where nothing is built here.
 * @param front options that nothing dominates, of one medium or of several
 * @param compared all that meet the constraints and can be carried out
 */
export function choose(
  chooser: Chooser,
  front: readonly Compared[],
  compared: readonly Compared[],
): Chosen | null {
  const builtHere = front.filter(({ contender }) => !contender.isElsewhere)
  const best = bestOf(chooser, builtHere.length > 0 ? builtHere : front)
  if (best === null) return null
  const { medium, shortName, family } = best.option
  const others = (from: readonly Compared[]): Compared[] =>
    from.filter(({ option }) => option.medium === medium && option.shortName !== shortName)
  // What a person would take otherwise: plain files, or what comes next where these are chosen.
  const plain =
    family === 'plain' ? undefined : others(compared).find(({ option }) => option.variant === 'plain')
  const other = plain ?? bestOf(chooser, others(front)) ?? bestOf(chooser, others(compared))
  const own = compared.filter(({ option }) => option.medium === medium)
  const reasons = {
    weights: chooser.weights,
    floors: chooser.floors,
    leastBytes: Math.min(...own.map(({ option }) => option.estimate.bytes.value)),
    leastVolumes: Math.min(...own.map(({ option }) => option.estimate.volumes.value)),
    namesMedium: front.some(({ option }) => option.medium !== medium),
  }
  return { id: best.option.id, because: chosenText(best, other, reasons) }
}

/** By score, of which differences that nobody feels are taken out again: then the simpler one wins. */
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

/** What differences below the floors, or within the forecast's error, add to the score of one over that of another. */
function unfelt({ weights, floors }: Chooser, one: Compared, other: Compared): number {
  return MERITS.reduce((sum, merit) => {
    const [own, others] = [one.contender, other.contender]
    if (isClearlyLess(merit, own, others, floors) || isClearlyLess(merit, others, own, floors)) return sum
    const ratio = own.merits[merit] / others.merits[merit]
    return merit === 'portability' ? sum : sum + weights[merit] * Math.log2(ratio)
  }, 0)
}
