/** Things that serve a demand, all of them together, by their places in a list. */
export type Way = readonly number[]

export interface CoverRequest {
  /** The ways to meet each demand, each of which meets it alone; none may be without one. */
  readonly demands: readonly (readonly Way[])[]
  /** A whole number above 0. */
  readonly weightOf: (at: number) => number
  /** Taken already; these weigh nothing. */
  readonly base?: ReadonlySet<number>
}

export interface Cover {
  /** In the order of their places; `base` is among them. */
  readonly chosen: ReadonlySet<number>
  /** True where no lighter choice exists. */
  readonly isLeast: boolean
  /** No choice is lighter than this; `base` does not count. */
  readonly least: number
}

/** Looks at demands after which the search ends with the best choice that it has found. */
const MOST_STEPS = 2_000_000

/**
 * The lightest choice that meets every demand: what every way of a demand needs is taken first;
 * then branch and bound from a greedy choice. The bound is the lightest way of each of some demands
 * that share nothing. The search ends after `MOST_STEPS`; `isLeast` says if it went through.
 */
export function lightestCover({ demands, weightOf, base = new Set() }: CoverRequest): Cover {
  const unlike = new Map(demands.map((ways) => [ways.map((way) => way.join()).join(';'), ways]))
  const taken = new Set(base)
  for (const ways of unlike.values()) for (const at of sharedBy(ways)) taken.add(at)
  const forced = [...taken].filter((at) => !base.has(at))
  const open = [...unlike.values()].filter((ways) => !isMet(ways, taken))
  const forcedWeight = weigh(forced, weightOf)
  const greedy = greedyCover(open, taken, weightOf)
  let best: readonly number[] = greedy
  let bestWeight = weigh(greedy, weightOf)
  const rootBound = boundOf(open, taken, weightOf)
  let steps = 0
  const search = (
    chosen: Set<number>,
    more: readonly number[],
    weight: number,
    left: readonly (readonly Way[])[],
  ): void => {
    if (steps > MOST_STEPS) return
    steps += left.length
    const unmet = left.filter((ways) => !isMet(ways, chosen))
    const narrowest = fewestWays(unmet)
    if (narrowest === null) {
      if (weight < bestWeight) {
        best = more
        bestWeight = weight
      }
      return
    }
    if (weight + boundOf(unmet, chosen, weightOf) >= bestWeight) return
    for (const way of byWeight(narrowest, chosen, weightOf)) {
      const lacking = way.filter((at) => !chosen.has(at))
      search(
        new Set([...chosen, ...lacking]),
        [...more, ...lacking],
        weight + weigh(lacking, weightOf),
        unmet,
      )
    }
  }
  if (bestWeight > rootBound) search(taken, [], 0, open)
  const isLeast = steps <= MOST_STEPS
  return {
    chosen: new Set([...taken, ...best].toSorted((one, other) => one - other)),
    isLeast,
    least: forcedWeight + (isLeast ? bestWeight : rootBound),
  }
}

function isMet(ways: readonly Way[], chosen: ReadonlySet<number>): boolean {
  return ways.some((way) => way.every((at) => chosen.has(at)))
}

function sharedBy([first = [], ...others]: readonly Way[]): number[] {
  return first.filter((at) => others.every((way) => way.includes(at)))
}

function weigh(all: readonly number[], weightOf: CoverRequest['weightOf']): number {
  return all.reduce((sum, at) => sum + weightOf(at), 0)
}

/** The weight that a way adds to a choice. */
function added(way: Way, chosen: ReadonlySet<number>, weightOf: CoverRequest['weightOf']): number {
  return way.reduce((sum, at) => sum + (chosen.has(at) ? 0 : weightOf(at)), 0)
}

function byWeight(
  ways: readonly Way[],
  chosen: ReadonlySet<number>,
  weightOf: CoverRequest['weightOf'],
): readonly Way[] {
  return ways.toSorted((one, other) => added(one, chosen, weightOf) - added(other, chosen, weightOf))
}

function fewestWays(demands: readonly (readonly Way[])[]): readonly Way[] | null {
  let fewest: readonly Way[] | null = null
  for (const ways of demands) if (fewest === null || ways.length < fewest.length) fewest = ways
  return fewest
}

/** The sum of the lightest ways of demands that have nothing in common. */
function boundOf(
  demands: readonly (readonly Way[])[],
  chosen: ReadonlySet<number>,
  weightOf: CoverRequest['weightOf'],
): number {
  const used = new Set<number>()
  let bound = 0
  for (const ways of demands) {
    const own = ways.flat().filter((at) => !chosen.has(at))
    if (own.some((at) => used.has(at))) continue
    for (const at of own) used.add(at)
    bound += Math.min(...ways.map((way) => added(way, chosen, weightOf)))
  }
  return bound
}

/** Takes the way that meets most demands for its weight, until all are met. */
function greedyCover(
  demands: readonly (readonly Way[])[],
  taken: ReadonlySet<number>,
  weightOf: CoverRequest['weightOf'],
): number[] {
  const chosen = new Set(taken)
  const more: number[] = []
  let left = demands
  while (left.length > 0) {
    const met = new Map<string, { readonly way: Way; count: number }>()
    for (const ways of left)
      for (const way of ways) {
        const lacking = way.filter((at) => !chosen.has(at))
        const key = lacking.join()
        const known = met.get(key) ?? { way: lacking, count: 0 }
        known.count += 1
        met.set(key, known)
      }
    const [best] = [...met.values()].toSorted(
      (one, other) => other.count / weigh(other.way, weightOf) - one.count / weigh(one.way, weightOf),
    )
    if (best === undefined) break
    for (const at of best.way) {
      chosen.add(at)
      more.push(at)
    }
    left = left.filter((ways) => !isMet(ways, chosen))
  }
  return more
}
