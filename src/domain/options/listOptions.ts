/**
 * The room `options` lists every way to store a source, estimates each, and recommends.
 * How: `recipes` has names and parameters, `families` the estimates of each kind, `cost` times and
 * memory, `choice` constraints, Pareto-optimal options and recommendations.
 * Not here: facts of this machine, builds (`src/engine/options`).
 */

import { beatenText, type Compared } from './choice/because'
import { type Chooser, type Chosen, choose, scoreFor } from './choice/choice'
import { floorsOf, sizeFloorOf } from './choice/floors'
import { type Beaten, paretoFront } from './choice/front'
import { PRESETS, type Weights, weightsOf } from './choice/goals'
import { type Ability, hereOf, isCarriedOut } from './choice/here'
import { type Impossible, impossible, type Judged } from './choice/impossible'
import { type Break, breaksOf, type Demands } from './choice/limits'
import { type Merit, meritsOf } from './choice/merits'
import { type OptionRow, rowOf } from './choice/option'
import { reachOf, stepsOf } from './choice/simplicity'
import { composeOption } from './cost/compose'
import type { MediumFacts, OptionFacts } from './facts'
import type { Goal, Option, OptionHere, Recommendation } from './optionsDocument'
import type { Variant } from './recipes/variant'

interface Preferences extends Demands {
  readonly goal: Goal
  /** The weights of the goal `own`. */
  readonly weights: Weights | null
}

export interface ListedOption extends OptionRow {
  readonly pareto: boolean
  readonly beatenBy: {
    readonly id: string
    readonly figures: readonly { readonly figure: Merit; readonly ratio: number }[]
    readonly because: string
  } | null
  readonly breaks: readonly Break[]
  readonly build: Option['build']
  readonly plan: Option['plan']
  readonly here: OptionHere
  readonly score: number
}

export interface OptionsList {
  /**
   * The chosen one, then by score; then those that cannot be carried out, then those that break a
   * limit.
   */
  readonly options: readonly ListedOption[]
  /** The best of each medium, for every goal. */
  readonly recommended: readonly Recommendation[]
  readonly chosen: Chosen | null
  readonly presets: readonly (Chosen & { readonly goal: Goal })[]
  readonly impossible: Impossible | null
}

interface Candidate extends Compared {
  readonly breaks: readonly Break[]
  readonly ability: Ability
  readonly here: OptionHere
}

/**
 * Every way to store a source: all variants on all media. Those that meet the constraints and can
 * be carried out are compared with one another on each medium and recommended from; the others are
 * only listed. Deterministic, and quick: nothing but arithmetic over the survey's figures.
 * @param variants all that the survey knows (`allVariants`)
 * @param media at least one
 * @param abilityOf what builders and plans make of an option, which only the engine knows
 */
export function listOptions(
  facts: OptionFacts,
  variants: readonly Variant[],
  media: readonly MediumFacts[],
  preferences: Preferences,
  abilityOf: (option: OptionRow, medium: MediumFacts) => Ability,
): OptionsList {
  const { machine } = facts
  const floors = floorsOf(machine)
  const candidates = media.flatMap((medium) => {
    const sizeFloor = sizeFloorOf(medium)
    return variants.map((variant): Candidate => {
      const composed = composeOption(facts, variant, medium, preferences)
      const option = rowOf(composed)
      const ability = abilityOf(option, medium)
      const here = hereOf(ability)
      const place = { makers: variant.makers, system: machine.system, fits: composed.fits, ability }
      const contender = {
        group: medium.id,
        merits: meritsOf(option, floors, sizeFloor),
        sizeFloor,
        bytesLow: option.estimate.bytes.low,
        bytesHigh: option.estimate.bytes.high,
        isElsewhere: here.can === 'plan',
        reach: reachOf(option, machine),
        steps: stepsOf(option, machine),
      }
      return { option, contender, breaks: breaksOf(option, place, preferences), ability, here }
    })
  })
  // Constraints and what cannot be carried out leave first: they dominate nothing.
  const compared = candidates.filter(({ breaks, here }) => breaks.length === 0 && isCarriedOut(here))
  const beaten = paretoFront(
    compared.map(({ contender }) => contender),
    floors,
  )
  const standing = new Map<Compared, Beaten | null>(
    compared.map((candidate, index) => [candidate, beaten[index] ?? null]),
  )
  const chooserOf = (goal: Goal): Chooser => ({
    goal,
    weights: weightsOf(goal, preferences.weights),
    floors,
    machine,
  })
  const asked = chooserOf(preferences.goal)
  const bestFor = (goal: Goal, mediumIds: readonly string[]): Chosen | null =>
    choose(
      chooserOf(goal),
      compared.filter(({ option }) => mediumIds.includes(option.medium)),
      (each) => standing.get(each) === null,
      compared,
    )
  const goals = preferences.goal === 'own' ? [...PRESETS, preferences.goal] : PRESETS
  const mediumIds = media.map(({ id }) => id)
  const recommended = goals.flatMap((goal) =>
    mediumIds.flatMap((medium) => {
      const best = bestFor(goal, [medium])
      return best ? [{ goal, medium, ...best }] : []
    }),
  )
  const presets = PRESETS.flatMap((goal) => {
    const best = bestFor(goal, mediumIds)
    return best ? [{ goal, ...best }] : []
  })
  const chosen = bestFor(preferences.goal, mediumIds)
  // The extreme of a goal is a trade-off even where floors hide from the balanced comparison what it is better in.
  const named = new Set([...recommended, ...presets, ...(chosen ? [chosen] : [])].map(({ id }) => id))
  const listed = candidates.map((candidate): ListedOption => {
    const { option, breaks, ability, here } = candidate
    const by = named.has(option.id) ? null : standing.get(candidate)
    const winner = by ? (compared[by.by] as Candidate).option : null
    return {
      ...option,
      pareto: by === null,
      beatenBy:
        by && winner
          ? { id: winner.id, figures: by.figures, because: beatenText(winner, option, by.figures) }
          : null,
      breaks,
      build: ability.build,
      plan: ability.plan,
      here,
      score: scoreFor(asked, candidate),
    }
  })
  const feasible = new Set(
    candidates.filter(({ ability }) => ability.withoutDemands).map(({ option }) => option.id),
  )
  const rankOf = ({ id, breaks, here }: ListedOption): number => {
    if (id === chosen?.id) return 0
    if (breaks.length > 0) return 3
    return isCarriedOut(here) ? 1 : 2
  }
  return {
    options: listed.toSorted(
      (one, other) => rankOf(one) - rankOf(other) || one.score - other.score || (one.id < other.id ? -1 : 1),
    ),
    recommended,
    chosen,
    presets,
    impossible:
      compared.length > 0 || candidates.length === 0
        ? null
        : impossible(
            listed.map((option): Judged => {
              const { id, breaks, here, score } = option
              return { option, breaks, here, score, isFeasible: feasible.has(id) }
            }),
            preferences,
            { system: machine.system, largestFileBytes: facts.survey.largestFileBytes },
          ),
  }
}
