import { type Floors, SIZE_SHARE, TIME_SHARE } from './floors'
import { MERITS, type Merit, type Merits } from './merits'

/** An option as it is compared with the others of its group. */
export interface Contender {
  /**
   * Options are compared only within their group: nobody leaves discs for a disk because it is
   * faster.
   */
  readonly group: string
  readonly merits: Merits
  /** The ends of the size's range. */
  readonly bytesLow: number
  readonly bytesHigh: number
  /** Sizes on its medium differ by more than this. */
  readonly sizeFloor: number
  /**
   * True when it is planned here and built on another system: it replaces nothing that is built
   * here.
   */
  readonly isElsewhere: boolean
  /** How directly files are used here, 0 in place. */
  readonly reach: number
  /** Steps between a person and one file. */
  readonly steps: number
}

/**
 * A dominated option: `by` is the index of the one that dominates it. `figures` are those that are
 * clearly better there, each as its ratio to the dominated one's; none where it is only simpler.
 */
export interface Beaten {
  readonly by: number
  readonly figures: readonly { readonly figure: Merit; readonly ratio: number }[]
}

/**
 * Which options are on the Pareto front (null) and what dominates the others. An option dominates
 * another that it is no worse than in any merit and clearly better in one: by more than the
 * forecast's error in size, above the floors in time and memory. Of those that are left, an option
 * yields to a simpler one that is as widely readable and not clearly worse in anything.
 */
export function paretoFront(contenders: readonly Contender[], floors: Floors): (Beaten | null)[] {
  const beaten: (Beaten | null)[] = contenders.map(() => null)
  for (const group of new Set(contenders.map((each) => each.group))) {
    const members = contenders.flatMap((each, index) => (each.group === group ? [index] : []))
    compare(contenders, members, floors, beaten)
  }
  return beaten
}

function compare(
  contenders: readonly Contender[],
  members: readonly number[],
  floors: Floors,
  beaten: (Beaten | null)[],
): void {
  const at = (index: number): Contender => contenders[index] as Contender
  const sorted = members.toSorted((one, other) => byFigures(at(one), at(other)))
  const isDominated = (index: number): boolean =>
    sorted.some((each) => each !== index && dominates(at(each), at(index), floors))
  const front: number[] = []
  const left = sorted.filter((index) => !isDominated(index))
  for (const index of left.toSorted((one, other) => bySimplicity(at(one), at(other)))) {
    const simpler = front.find((each) => isAsGood(at(each), at(index), floors))
    if (simpler === undefined) front.push(index)
    else beaten[index] = beatenBy(simpler, at(simpler), at(index), floors)
  }
  for (const index of sorted.filter((each) => !left.includes(each))) {
    const better =
      front.find((each) => dominates(at(each), at(index), floors)) ??
      front.find((each) => isAsGood(at(each), at(index), floors)) ??
      sorted.find((each) => dominates(at(each), at(index), floors))
    if (better === undefined) continue
    // Those before it in the order have their answer already, so the option that it yields to is on the front.
    const by = front.includes(better) ? better : (beaten[better]?.by ?? better)
    beaten[index] = beatenBy(by, at(by), at(index), floors)
  }
}

/** The sum of the logarithms of all merits, which is less for whatever dominates. */
function sumOfLogs({ merits }: Contender): number {
  return MERITS.reduce(
    (sum, merit) => sum + (merit === 'portability' ? merits[merit] : Math.log(merits[merit])),
    0,
  )
}

/** So that nothing is dominated by what comes later. */
function byFigures(one: Contender, other: Contender): number {
  return sumOfLogs(one) - sumOfLogs(other) || one.reach - other.reach
}

function bySimplicity(one: Contender, other: Contender): number {
  return (
    one.steps - other.steps ||
    one.merits.portability - other.merits.portability ||
    one.merits.bytes - other.merits.bytes ||
    byFigures(one, other)
  )
}

function dominates(one: Contender, other: Contender, floors: Floors): boolean {
  if (!isAsNear(one, other) || MERITS.some((merit) => one.merits[merit] > other.merits[merit])) return false
  return one.reach < other.reach || MERITS.some((merit) => isClearlyLess(merit, one, other, floors))
}

/** The part of a contender that two figures are compared by. */
export type Measured = Pick<Contender, 'merits' | 'bytesLow' | 'bytesHigh' | 'sizeFloor'>

/** True when a merit is better by more than its uncertainty, and by more than its floor. */
export function isClearlyLess(merit: Merit, one: Measured, other: Measured, floors: Floors): boolean {
  const [value, others] = [one.merits[merit], other.merits[merit]]
  switch (merit) {
    case 'portability':
      return value < others
    case 'volumes':
      return Math.round(value) < Math.round(others)
    case 'bytes':
      return others - value > Math.max(one.sizeFloor, SIZE_SHARE * others) && !isWithinRanges(one, other)
    default:
      return others - value > Math.max(floors[merit], TIME_SHARE * others)
  }
}

/**
 * True when each of two sizes is within the other's range; an exact size has none, so that the
 * other's range decides.
 */
function isWithinRanges(less: Measured, more: Measured): boolean {
  const [small, large] = [less.merits.bytes, more.merits.bytes]
  return large <= less.bytesHigh && (more.bytesLow === large || small >= more.bytesLow)
}

/** True when an option is used as directly as another, and built here if that one is. */
function isAsNear(one: Contender, other: Contender): boolean {
  return one.reach <= other.reach && (!one.isElsewhere || other.isElsewhere)
}

/**
 * True when a simpler option is as widely readable, as directly used and not clearly worse in
 * anything.
 */
function isAsGood(simpler: Contender, other: Contender, floors: Floors): boolean {
  return isAsNear(simpler, other) && !MERITS.some((merit) => isClearlyLess(merit, other, simpler, floors))
}

function beatenBy(by: number, winner: Contender, own: Contender, floors: Floors): Beaten {
  const figures = MERITS.filter((merit) => isClearlyLess(merit, winner, own, floors)).map((figure) => ({
    figure,
    ratio: own.merits[figure] > 0 ? winner.merits[figure] / own.merits[figure] : 0,
  }))
  return { by, figures }
}
