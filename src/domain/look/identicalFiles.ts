import type { Span } from '../../primitives/estimate'
import { tQuantile } from '../statistics/tQuantile'
import { mostSavedOf, type SizeClass } from './sizeClasses'

/** A class whose files were compared. */
export interface ComparedClass extends SizeClass {
  /** The files that were compared; all, or a random part. */
  readonly compared: number
  /** The compared files that look like an earlier one of them. */
  readonly alike: number
  /** Those of them whose compared bytes say little: a single value, such as zeros. */
  readonly doubtful: number
  /** Pairs of compared files that look alike. */
  readonly pairs: number
}

/** The rule of three: where n draws found nothing, up to 3 / n of the rest is possible. */
const UNSEEN = 3

/** A compared class, and the probability that it was drawn. */
interface Row extends ComparedClass {
  readonly chance: number
}

/**
 * The bytes that storing identical files once would save, from classes of equal size of which some
 * were compared. Of the classes that were drawn for sure the figure is a sum. Of the others it is a
 * ratio estimate: what the compared ones save, over what they could save, times what all could,
 * which is known (Cochran, Sampling Techniques, chapter 6, for a Poisson sample); the rule of three
 * keeps its range from closing where all compared classes agree.
 * @param tau the smallest priority of a class that was not compared; null where all were
 * @param mostSavedBytes what all classes could save
 */
export function identicalFiles(
  found: readonly ComparedClass[],
  tau: number | null,
  mostSavedBytes: number,
): Span {
  const rows = found.map(
    (one): Row => ({ ...one, chance: tau === null ? 1 : Math.min(1, mostSavedOf(one) * tau) }),
  )
  const sure = rows.filter(({ chance }) => chance === 1)
  const drawn = rows.filter(({ chance }) => chance < 1)
  const whole = savedOf(sure)
  const rest = Math.max(0, mostSavedBytes - sum(sure, mostSavedOf))
  if (rest === 0) return whole
  if (drawn.length === 0) return { ...whole, high: whole.high + rest }
  const expanded = sum(drawn, (row) => mostSavedOf(row) / row.chance)
  const saved = savedOf(drawn)
  const ratio = { value: saved.value / expanded, low: saved.low / expanded, high: saved.high / expanded }
  const variance = sum(drawn, (row) => {
    const residual = valueOf(row) - ratio.value * mostSavedOf(row)
    return (residual * residual * (1 - row.chance)) / (row.chance * row.chance)
  })
  // What is drawn by its weight is drawn the more surely the more of the rest it is.
  const scale = rest / expanded
  const half = tQuantile(drawn.length - 1) * Math.sqrt(variance) * scale
  const unseen = (UNSEEN / (drawn.length + UNSEEN)) * rest
  const held = (bytes: number): number => Math.min(mostSavedBytes, Math.max(0, bytes))
  const value = held(whole.value + ratio.value * rest)
  return {
    value,
    low: Math.min(
      value,
      held(whole.low + Math.max(0, ratio.low * rest - Math.max(half, unseen * ratio.low))),
    ),
    high: Math.max(
      value,
      held(whole.high + Math.min(rest, ratio.high * rest + Math.max(half, unseen * (1 - ratio.high)))),
    ),
  }
}

/**
 * The bytes that the classes save, each weighted by how surely it was drawn. What is doubtful adds
 * up by squares, as it is independent; that pairs are a bound and no count lies to one side.
 */
function savedOf(rows: readonly Row[]): Span {
  const whole = rows.filter(({ compared, files }) => compared >= files)
  const inPart = rows.filter(({ compared, files }) => compared < files)
  const value = sum(rows, (row) => valueOf(row) / row.chance)
  const below = (row: Row): number => (valueOf(row) - leastOf(row)) / row.chance
  const low = value - Math.sqrt(sum(whole, (row) => below(row) ** 2)) - sum(inPart, below)
  return { value, low: Math.max(0, low), high: value + unseenOf(inPart) }
}

/**
 * The bytes of one class: a sum where all files were compared. Else, with q the compared share, m
 * groups of k identical files are seen as q² · m · k (k - 1) / 2 pairs, and what they save is
 * m (k - 1): twice the pairs over q² · k.
 */
function valueOf(row: ComparedClass): number {
  const { bytes, files, compared, alike, pairs } = row
  if (compared >= files) return alike * bytes
  const saved = (pairs * scaleOf(row) * 2) / groupSizeOf(row)
  return Math.max(alike, Math.min(mostFilesOf(row), saved)) * bytes
}

/**
 * The k that gives the seen proportion of files alike to pairs: 1 for groups of two, and the less
 * the larger they are. Of k files that are there, q · k - 1 + (1 - q)^k are seen alike to another.
 */
function groupSizeOf({ files, compared, alike, pairs }: ComparedClass): number {
  const share = compared / files
  const proportionOf = (size: number): number =>
    (share * size - 1 + (1 - share) ** size) / ((share * share * size * (size - 1)) / 2)
  let low = 2
  let high = pairs > alike ? files : low
  for (let step = 0; step < 40; step++) {
    const middle = (low + high) / 2
    if (proportionOf(middle) > alike / pairs) low = middle
    else high = middle
  }
  return low
}

/** The least bytes: of the files that were seen to be alike, without the doubtful ones. */
function leastOf({ bytes, files, compared, alike, doubtful }: ComparedClass): number {
  const share = compared >= files ? 1 : alike === 0 ? 0 : (alike - doubtful) / alike
  return (alike - doubtful) * share * bytes
}

/**
 * The bytes that classes of which a part was compared may save beyond their values, together: every
 * file that is saved is in one pair at least, so pairs are a bound, and of pairs a part is seen. A
 * sum of Poisson counts with weights (Dobson, Kuulasmaa, Eberle, Scherer, Statistics in Medicine
 * 10, 1991); where few are seen, the weight is that of a pair that could be seen.
 */
function unseenOf(rows: readonly Row[]): number {
  if (rows.length === 0) return 0
  const bytesOfPair = (row: Row): number => (row.bytes * scaleOf(row)) / row.chance
  const seeable = ({ compared, files }: Row): number => (compared * compared) / files
  const seen = sum(rows, ({ pairs }) => pairs)
  const squares = sum(rows, (row) => row.pairs * bytesOfPair(row) ** 2)
  const usual = sum(rows, (row) => bytesOfPair(row) * seeable(row)) / sum(rows, seeable)
  const weight = Math.max(usual, seen === 0 ? 0 : Math.sqrt(squares / seen))
  const left = sum(rows, (row) => (mostFilesOf(row) * row.bytes - valueOf(row)) / row.chance)
  return Math.max(0, Math.min(left, weight * (countAtMost(seen) - seen)))
}

/** The upper end of a Poisson count at 95 %, within 1 % from 0 on (Byar). */
function countAtMost(seen: number): number {
  const next = seen + 1
  return next * (1 - 1 / (9 * next) + 1.96 / (3 * Math.sqrt(next))) ** 3
}

/** Pairs of the class for each pair among its compared files. */
function scaleOf({ files, compared }: ComparedClass): number {
  return (files * (files - 1)) / Math.max(1, compared * (compared - 1))
}

/** The files that it can save at most: those that were seen to differ are not among them. */
function mostFilesOf({ files, compared, alike }: ComparedClass): number {
  return files - 1 - Math.max(0, compared - alike - 1)
}

function sum<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((total, item) => total + of(item), 0)
}
