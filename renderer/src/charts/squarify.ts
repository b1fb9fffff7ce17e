export interface Rect {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/**
 * Cuts a rectangle into one for each weight, in the order given, areas in proportion to the weights
 * and each as close to a square as its neighbours allow (the squarified treemap of Bruls, Huizing
 * and van Wijk, 2000). Largest first gives the squarest result. Weights that are not positive get a
 * rectangle without area.
 */
export function squarify(weights: readonly number[], frame: Rect): Rect[] {
  const total = weights.reduce((sum, weight) => sum + Math.max(0, weight), 0)
  const area = frame.width * frame.height
  const nothing = { x: frame.x, y: frame.y, width: 0, height: 0 }
  const placed: Rect[] = weights.map(() => nothing)
  if (total <= 0 || area <= 0) return placed
  const areas = weights.map((weight) => (Math.max(0, weight) / total) * area)
  const order = areas.flatMap((size, index) => (size > 0 ? [index] : []))
  let left = frame
  let from = 0
  while (from < order.length) {
    const side = Math.min(left.width, left.height)
    let to = from + 1
    let sum = areas[order[from] as number] as number
    let worst = worstAspect(sum, sum, sum, side)
    let least = sum
    let most = sum
    for (; to < order.length; to++) {
      const next = areas[order[to] as number] as number
      const aspect = worstAspect(sum + next, Math.min(least, next), Math.max(most, next), side)
      if (aspect > worst) break
      worst = aspect
      sum += next
      least = Math.min(least, next)
      most = Math.max(most, next)
    }
    left = layRow(order.slice(from, to), areas, sum, left, to === order.length, placed)
    from = to
  }
  return placed
}

/**
 * The longest side over the shortest in a row of this sum along a side, of its smallest or largest
 * member.
 */
function worstAspect(sum: number, least: number, most: number, side: number): number {
  const squared = side * side
  return Math.max((squared * most) / (sum * sum), (sum * sum) / (squared * least))
}

/** Places a row along the shorter side of what is left; answers what is left behind it. */
function layRow(
  row: readonly number[],
  areas: readonly number[],
  sum: number,
  left: Rect,
  last: boolean,
  placed: Rect[],
): Rect {
  const upright = left.width >= left.height
  const side = upright ? left.height : left.width
  const room = upright ? left.width : left.height
  // The last row takes all that is left, so that rounding leaves no seam; none takes more.
  const thick = last || side === 0 ? room : Math.min(room, sum / side)
  let at = upright ? left.y : left.x
  for (const index of row) {
    const long = ((areas[index] as number) / sum) * side
    placed[index] = upright
      ? { x: left.x, y: at, width: thick, height: long }
      : { x: at, y: left.y, width: long, height: thick }
    at += long
  }
  return upright
    ? { ...left, x: left.x + thick, width: Math.max(0, left.width - thick) }
    : { ...left, y: left.y + thick, height: Math.max(0, left.height - thick) }
}
