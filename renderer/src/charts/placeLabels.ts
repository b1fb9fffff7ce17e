import type { Rect } from './squarify'

export interface LabelPoint {
  readonly x: number
  readonly y: number
  /** Size of its label, in pixels. */
  readonly width: number
}

export interface PlacedLabel {
  /** Top left corner of the words. */
  readonly x: number
  readonly y: number
  /** The words are so far off that a thin line should lead to their point. */
  readonly led: boolean
}

const RISE = 16
/** Half the side of what is kept free around a point, and around a place of a line. */
const POINT = 6
const OBSTACLE = 4
/** Places are tried half a line apart, up to so many halves away. */
const HALVES = 12
/** From so many halves on a thin line leads to the point. */
const LED = 4

/**
 * Finds a place for the words of each point, so that no words cover other words, a point or an
 * obstacle, and none leaves the frame: next to the point where there is room, else as near above or
 * below as can be, and where there is no room at all where least is covered. Points that cluster
 * get their words in a ladder. The words of the points first in the list have the first choice.
 */
export function placeLabels(
  points: readonly LabelPoint[],
  frame: Rect,
  obstacles: readonly { readonly x: number; readonly y: number }[] = [],
): PlacedLabel[] {
  const taken = [
    ...points.map((point) => around(point, POINT)),
    ...obstacles.map((place) => around(place, OBSTACLE)),
  ]
  return points.map((point) => {
    const candidates = Array.from({ length: HALVES + 1 }, (_, half) => candidatesAt(point, half)).flat()
    const inside = candidates.filter(({ rect }) => within(rect, frame))
    const free = inside.find(({ rect }) => taken.every((other) => common(rect, other) === 0))
    const chosen = free ??
      leastCovering(inside, taken) ?? { rect: clamp(candidates[0]?.rect as Rect, frame), led: false }
    taken.push(chosen.rect)
    return { x: chosen.rect.x, y: chosen.rect.y, led: chosen.led }
  })
}

/** Beside, above and below a point, so many half lines away; the nearer side of each first. */
function candidatesAt({ x, y, width }: LabelPoint, half: number): { rect: Rect; led: boolean }[] {
  const away = (half * RISE) / 2
  const at = (left: number, top: number) => ({
    rect: { x: left, y: top - RISE / 2, width, height: RISE },
    led: half >= LED,
  })
  const right = x + POINT + 4
  const left = x - POINT - 4 - width
  if (half === 0) return [at(right, y), at(left, y)]
  const beside = [at(right, y - away), at(right, y + away), at(left, y - away), at(left, y + away)]
  if (half < 2) return beside
  const middle = x - width / 2
  return [at(middle, y - away), at(middle, y + away), ...beside]
}

function around({ x, y }: { readonly x: number; readonly y: number }, half: number): Rect {
  return { x: x - half, y: y - half, width: 2 * half, height: 2 * half }
}

function within(rect: Rect, frame: Rect): boolean {
  return (
    rect.x >= frame.x &&
    rect.y >= frame.y &&
    rect.x + rect.width <= frame.x + frame.width &&
    rect.y + rect.height <= frame.y + frame.height
  )
}

/** Where there is no free place, the one that covers least; the nearer of two. */
function leastCovering<Place extends { readonly rect: Rect }>(
  places: readonly Place[],
  taken: readonly Rect[],
): Place | null {
  let best: { place: Place; covered: number } | null = null
  for (const place of places) {
    const covered = taken.reduce((sum, other) => sum + common(place.rect, other), 0)
    if (best === null || covered < best.covered) best = { place, covered }
  }
  return best?.place ?? null
}

/** Square pixels that two have in common. */
function common(one: Rect, other: Rect): number {
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x)
  const height = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y)
  return Math.max(0, width) * Math.max(0, height)
}

function clamp(rect: Rect, frame: Rect): Rect {
  return {
    ...rect,
    x: Math.max(frame.x, Math.min(rect.x, frame.x + frame.width - rect.width)),
    y: Math.max(frame.y, Math.min(rect.y, frame.y + frame.height - rect.height)),
  }
}
