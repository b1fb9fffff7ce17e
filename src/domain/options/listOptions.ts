import { beatenText, chosenText } from './because'
import { composeOption } from './compose'
import type { MediumFacts, OptionFacts } from './facts'
import { paretoFront } from './front'
import { type Goal, PRESETS, scoreOf, type Weights, weightsOf } from './goals'
import { type Impossible, impossible, type Judged } from './impossible'
import { type Break, breaksOf, type Limits } from './limits'
import { type Merit, type Merits, meritsOf, type OptionRow, rowOf } from './option'
import { allVariants } from './registry'
import type { Encryption } from './variant'

interface Wishes {
  readonly goal: Goal
  /** Of the goal `own`. */
  readonly weights: Weights | null
  readonly encryption: Encryption
  /** Redundancy as a share of what is stored. */
  readonly protection: number
  readonly limits: Limits
}

export interface ListedOption extends OptionRow {
  readonly pareto: boolean
  readonly beatenBy: {
    readonly id: string
    readonly figures: readonly { readonly figure: Merit; readonly ratio: number }[]
    readonly because: string
  } | null
  readonly breaks: readonly Break[]
  readonly score: number
}

interface Reasoned {
  readonly id: string
  readonly because: string
}

interface OptionsList {
  /** By score, the best first; those that break a limit behind the others. */
  readonly options: readonly ListedOption[]
  readonly chosen: Reasoned | null
  readonly presets: readonly (Reasoned & { readonly goal: Goal })[]
  readonly impossible: Impossible | null
}

interface Candidate {
  readonly option: OptionRow
  readonly merits: Merits
  readonly breaks: readonly Break[]
}

/**
 * Every way to store a source: all variants of all families on all media, compared with one another on each medium, and ordered for
 * a goal. Deterministic, and quick: nothing but arithmetic over the survey's figures.
 * @param media at least one
 */
export function listOptions(facts: OptionFacts, media: readonly MediumFacts[], wishes: Wishes): OptionsList {
  const variants = allVariants(facts)
  const candidates = media.flatMap((medium) =>
    variants.map((variant): Candidate => {
      const composed = composeOption(facts, variant, medium, wishes)
      const option = rowOf(composed)
      const place = { makers: variant.makers, system: facts.machine.system, fits: composed.fits }
      return { option, merits: meritsOf(option), breaks: breaksOf(option, place, wishes) }
    }),
  )
  const beaten = paretoFront(
    candidates.map(({ merits }) => merits),
    candidates.map(({ option }) => option.medium),
  )
  const weights = weightsOf(wishes.goal, wishes.weights)
  const listed = candidates.map(({ option, merits, breaks }, index): ListedOption => {
    const by = beaten[index] ?? null
    const winner = by && (candidates[by.by] as Candidate).option
    return {
      ...option,
      pareto: by === null,
      beatenBy:
        by && winner
          ? { id: winner.id, figures: by.figures, because: beatenText(winner.name, by.figures) }
          : null,
      breaks,
      score: scoreOf(wishes.goal, weights, merits, option),
    }
  })
  const options = listed.toSorted(
    (one, other) =>
      Number(one.breaks.length > 0) - Number(other.breaks.length > 0) ||
      one.score - other.score ||
      (one.id < other.id ? -1 : 1),
  )
  const { bytes, largest } = { bytes: facts.survey.totals.bytes, largest: facts.survey.largestFileBytes }
  const possible = candidates.filter(({ breaks }) => breaks.length === 0)
  return {
    options,
    chosen: bestFor(wishes.goal, weights, possible, bytes),
    presets: PRESETS.flatMap((goal) => {
      const best = bestFor(goal, weightsOf(goal, null), possible, bytes)
      return best ? [{ goal, ...best }] : []
    }),
    impossible:
      possible.length > 0 || candidates.length === 0
        ? null
        : impossible(options.map(judged), wishes.limits, facts.machine.system, largest),
  }
}

function judged(option: ListedOption): Judged {
  return { option, breaks: option.breaks, score: option.score }
}

function bestFor(
  goal: Goal,
  weights: Weights,
  possible: readonly Candidate[],
  sourceBytes: number,
): Reasoned | null {
  let best: { candidate: Candidate; score: number } | null = null
  for (const candidate of possible) {
    const score = scoreOf(goal, weights, candidate.merits, candidate.option)
    if (best === null || score < best.score) best = { candidate, score }
  }
  if (best === null) return null
  const { option } = best.candidate
  let next: { option: OptionRow; score: number } | null = null
  for (const candidate of possible) {
    if (candidate.option.family === option.family) continue
    const score = scoreOf(goal, weights, candidate.merits, candidate.option)
    if (next === null || score < next.score) next = { option: candidate.option, score }
  }
  return { id: option.id, because: chosenText(goal, option, sourceBytes, next?.option ?? null) }
}
