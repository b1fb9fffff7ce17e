import { MERITS, type Merit, type Merits } from './option'

/** What beats an option: it is as good in every merit and better in some. `ratio` is its figure over that of the beaten one. */
interface Beaten {
  readonly by: number
  readonly figures: readonly { readonly figure: Merit; readonly ratio: number }[]
}

/** A gain of less than this share is none: no figure is known so well. */
export const NO_DIFFERENCE = 0.005

/**
 * Which of the options are on the Pareto front (null) and what beats the others: of all that are as good in every merit and
 * better in one, that which gains the most (the sum of the logarithms). Quadratic in the worst case, but those on the Pareto front are
 * looked at first, in the order of size.
 * @param groups options are compared only with those of their own group: nobody leaves discs for a disk because it is faster
 */
export function paretoFront(merits: readonly Merits[], groups: readonly string[]): (Beaten | null)[] {
  const beaten: (Beaten | null)[] = merits.map(() => null)
  const byGroup = new Map<string, number[]>()
  groups.forEach((group, index) => byGroup.set(group, [...(byGroup.get(group) ?? []), index]))
  for (const members of byGroup.values()) {
    // Whatever beats one that is beaten itself is beaten by what is on the Pareto front, so the front alone is asked.
    const front: number[] = []
    for (const index of members.toSorted((one, other) =>
      order(merits[one] as Merits, merits[other] as Merits),
    )) {
      const own = merits[index] as Merits
      const better = front.filter((each) => beats(merits[each] as Merits, own))
      if (better.length === 0) front.push(index)
      else beaten[index] = bestOf(better, merits, own)
    }
  }
  return beaten
}

/** So that nothing can be beaten by what comes later: by the sum of logarithms, which is less for whatever beats. */
function order(one: Merits, other: Merits): number {
  return sumOfLogs(one) - sumOfLogs(other)
}

function sumOfLogs(merits: Merits): number {
  return MERITS.reduce((sum, merit) => sum + logOf(merit, merits[merit]), 0)
}

function logOf(merit: Merit, value: number): number {
  return merit === 'portability' ? value : Math.log(value)
}

function beats(one: Merits, other: Merits): boolean {
  let isBetter = false
  for (const merit of MERITS) {
    if (one[merit] > other[merit]) return false
    if (isLess(merit, one[merit], other[merit])) isBetter = true
  }
  return isBetter
}

function isLess(merit: Merit, one: number, other: number): boolean {
  return merit === 'portability' ? one < other : one < other * (1 - NO_DIFFERENCE)
}

function bestOf(better: readonly number[], merits: readonly Merits[], own: Merits): Beaten {
  const by = better.reduce((best, each) =>
    sumOfLogs(merits[each] as Merits) < sumOfLogs(merits[best] as Merits) ? each : best,
  )
  const winner = merits[by] as Merits
  const figures = MERITS.filter((merit) => isLess(merit, winner[merit], own[merit])).map((figure) => ({
    figure,
    ratio: own[figure] > 0 ? winner[figure] / own[figure] : 0,
  }))
  return { by, figures }
}
