import type { Option } from '../../../src/contract/dto/options'

/** The figures that the trade-off chart can show against the size. */
export const BOARD_FIGURES = ['restoreSeconds', 'buildSeconds', 'ramBytes', 'volumes'] as const
export type BoardFigure = (typeof BOARD_FIGURES)[number]

/** The shapes of families: they differ by shape, never by colour alone. */
export const SHAPES = ['files', 'images', 'archives', 'stores', 'other'] as const
export type FamilyShape = (typeof SHAPES)[number]

const SHAPE_OF: readonly (readonly [RegExp, FamilyShape])[] = [
  [/^(plain|iso|compressed-files)/, 'files'],
  [/^(apple-image|squashfs)/, 'images'],
  [/^(seven-zip|torrent|tar)/, 'archives'],
  [/^(blocks|zfs|borg|restic|kopia)/, 'stores'],
]

/** Which shape a family has on the board. */
export function shapeOf(family: string): FamilyShape {
  return SHAPE_OF.find(([name]) => name.test(family))?.[1] ?? 'other'
}

/**
 * Zero has no place on a logarithmic axis: it is drawn this factor below the smallest positive
 * value.
 */
const BELOW = 3

/** Where the board places what is nothing. */
export function floorOf(options: readonly Option[], figure: BoardFigure | 'bytes'): number {
  const some = options.map(({ estimate }) => estimate[figure].value).filter((value) => value > 0)
  return some.length === 0 ? 1 : Math.min(...some) / BELOW
}

/** At most this share of the options may lie beyond the end of an axis. */
const FAR_SHARE = 0.1
/** They do where they would take more than this share of it from all others. */
const FAR_ROOM = 0.4

/**
 * Where an axis ends, so that few far options do not press all others together.
 * @param values of all options, as they are on the axis
 * @param kept values that are always within
 */
export function axisEnd(values: readonly number[], kept: readonly number[]): number {
  const order = [...values].sort((a, b) => a - b)
  const first = order[0] ?? 0
  const last = order[order.length - 1] ?? 0
  const least = Math.max(...kept)
  for (let beyond = 1; beyond <= order.length * FAR_SHARE; beyond++) {
    const end = order[order.length - 1 - beyond] ?? last
    if (end >= least && last - end > FAR_ROOM * (last - first)) return end
  }
  return last
}

/**
 * Options than which none that meets the limits is smaller and better in the other figure at once;
 * by size.
 */
export function lineOf(options: readonly Option[], figure: BoardFigure): Option[] {
  const order = [...options]
    .filter((option) => option.breaks.length === 0)
    .sort((a, b) => valueOf(a, 'bytes') - valueOf(b, 'bytes') || valueOf(a, figure) - valueOf(b, figure))
  const line: Option[] = []
  let best = Number.POSITIVE_INFINITY
  for (const option of order) {
    const at = valueOf(option, figure)
    if (at >= best) continue
    best = at
    line.push(option)
  }
  return line
}

function valueOf(option: Option, figure: BoardFigure | 'bytes'): number {
  return option.estimate[figure].value
}

/**
 * The order in which arrow keys walk the board: along the line, then the rest of the front, then
 * the others, each by size.
 */
export function walkOrder(options: readonly Option[], line: readonly Option[]): Option[] {
  const onLine = new Set(line)
  const rank = (option: Option): number => (onLine.has(option) ? 0 : option.pareto ? 1 : 2)
  return [...options].sort(
    (a, b) => rank(a) - rank(b) || valueOf(a, 'bytes') - valueOf(b, 'bytes') || a.id.localeCompare(b.id),
  )
}

const LEAST_RADIUS = 3
const MOST_RADIUS = 15

/**
 * A dot's radius in pixels: its area stands for the memory of building, the largest has
 * `MOST_RADIUS`.
 */
export function radiusOf(option: Option, mostRam: number): number {
  const share = mostRam > 0 ? option.estimate.ramBytes.value / mostRam : 0
  return Math.max(LEAST_RADIUS, MOST_RADIUS * Math.sqrt(Math.min(1, share)))
}
