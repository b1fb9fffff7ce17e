/**
 * The room `forecast` forecasts the compression of a source from samples of it.
 * How: `codecs` packs sampled units by every codec; `solid` finds repeats by anchors and packs
 * samples of what is new. Both keep to a budget of CPU time.
 * Not here: codecs themselves (`codecs`), estimators (`src/domain/forecast`,
 * `src/domain/statistics`).
 */

import type { Work } from '../jobs/workEstimate'
import type { SampleLevel } from './codecs/codecSamplesTargets'
import { LANES } from './secondPhaseBudget'

/** Steps of the forecasts of codecs, in their order. */
export const CODEC_KINDS = ['trying', 'timing', 'sampling', 'combining'] as const
/** Steps of the forecasts of solid archives, done at the same time. */
export const SOLID_KINDS = ['matching', 'packing', 'copies', 'grouping', 'fragments'] as const
type ForecastKind = (typeof CODEC_KINDS)[number] | (typeof SOLID_KINDS)[number]

/**
 * Takes how much of one kind of work is done.
 * @param total in the unit of `done`
 * @param costMs CPU time of all of it, where it is known better than from the level
 */
export type OnWork = (kind: ForecastKind, done: number, total: number, costMs?: number) => void

/**
 * CPU milliseconds of each kind, programs included, measured once on an AMD EPYC
 * (docs/methods/codecs.md). The cost of packing far copies is known once they were found.
 */
const COST_MS: Readonly<Record<SampleLevel, Readonly<Record<ForecastKind, number>>>> = {
  fast: {
    trying: 700,
    timing: 1_800,
    sampling: 2_200,
    combining: 500,
    matching: 800,
    packing: 2_500,
    copies: 0,
    grouping: 300,
    fragments: 500,
  },
  normal: {
    trying: 1_800,
    timing: 4_300,
    sampling: 6_500,
    combining: 1_500,
    matching: 800,
    packing: 3_300,
    copies: 0,
    grouping: 1_200,
    fragments: 1_700,
  },
  thorough: {
    trying: 6_000,
    timing: 14_000,
    sampling: 28_000,
    combining: 4_000,
    matching: 1_000,
    packing: 22_000,
    copies: 0,
    grouping: 3_000,
    fragments: 5_000,
  },
}

/** CPU milliseconds of `combining` for each sample, of the same surveys: 0.4 to 2. */
export const COMBINED_MS_A_SAMPLE = 1

/** The work of the forecasts after the pass, as far as it is done, in milliseconds of all cores. */
export class ForecastWork {
  readonly #work: Map<ForecastKind, { done: number; total: number }>

  constructor(level: SampleLevel, areSolidsAsked: boolean) {
    const kinds = areSolidsAsked ? [...CODEC_KINDS, ...SOLID_KINDS] : CODEC_KINDS
    this.#work = new Map(kinds.map((kind) => [kind, { done: 0, total: COST_MS[level][kind] / LANES }]))
  }

  rows(): Work[] {
    return Array.from(this.#work, ([kind, { done, total }]) => {
      return { kind, unit: 'ms', done, total, isAlongside: true }
    })
  }

  add(kind: ForecastKind, done: number, total: number, costMs?: number): void {
    const row = this.#work.get(kind)
    if (!row) return
    if (costMs !== undefined) row.total = costMs / LANES
    row.done = Math.max(row.done, row.total * Math.min(1, total > 0 ? done / total : 1))
  }

  /** Nothing of these is left, whatever was expected. */
  end(kinds: readonly ForecastKind[]): void {
    for (const kind of kinds) this.add(kind, 1, 1)
  }
}
