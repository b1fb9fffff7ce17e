import type { Rect } from './squarify'

export interface LabelPoint {
  readonly x: number
  readonly y: number
  /** Of the words beside it, pixels. */
  readonly width: number
}

export interface PlacedLabel {
  /** Top left corner of the words. */
  readonly x: number
  readonly y: number
  /** The words stand so far off that a thin line should lead to their point. */
  readonly led: boolean
}

const RISE = 16
/** From the point to the words: centres of the words' boxes by side, near ones first. */
const RINGS = [0, 1, 2, 3, 4, 5, 6]
const POINT = 6

/**
 * Finds a place for the words of each point, so that no words cover other words, a point or an obstacle, and none leaves
 * the frame: beside the point where there is room, else as near above or below as can be. Points that cluster get their
 * words in a ladder. The words of the points first in the list have the first choice.
 */
export function placeLabels(
  points: readonly LabelPoint[],
  frame: Rect,
  obstacles: readonly { readonly x: number; readonly y: number }[] = [],
): PlacedLabel[] {
  const taken: Rect[] = [...points, ...obstacles].map(({ x, y }) => ({
    x: x - POINT,
    y: y - POINT,
    width: 2 * POINT,
    height: 2 * POINT,
  }))
  return points.map((point) => {
    const candidates = RINGS.flatMap((ring) => candidatesAt(point, ring))
    const free = candidates.find(
      ({ rect }) => within(rect, frame) && taken.every((other) => !overlap(rect, other)),
    )
    const chosen = free ?? { rect: clamp(candidates[0]?.rect as Rect, frame), led: false }
    taken.push(chosen.rect)
    return { x: chosen.rect.x, y: chosen.rect.y, led: chosen.led }
  })
}

function candidatesAt({ x, y, width }: LabelPoint, ring: number): { rect: Rect; led: boolean }[] {
  const up = y - RISE / 2 - ring * RISE
  const down = y - RISE / 2 + ring * RISE
  const at = (left: number, top: number) => ({
    rect: { x: left, y: top, width, height: RISE },
    led: ring > 1,
  })
  const right = x + POINT + 4
  const left = x - POINT - 4 - width
  const middle = x - width / 2
  if (ring === 0) return [at(right, up), at(left, up)]
  return [at(middle, up), at(middle, down), at(right, up), at(left, up), at(right, down), at(left, down)]
}

function within(rect: Rect, frame: Rect): boolean {
  return (
    rect.x >= frame.x &&
    rect.y >= frame.y &&
    rect.x + rect.width <= frame.x + frame.width &&
    rect.y + rect.height <= frame.y + frame.height
  )
}

function overlap(one: Rect, other: Rect): boolean {
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  )
}

function clamp(rect: Rect, frame: Rect): Rect {
  return {
    ...rect,
    x: Math.max(frame.x, Math.min(rect.x, frame.x + frame.width - rect.width)),
    y: Math.max(frame.y, Math.min(rect.y, frame.y + frame.height - rect.height)),
  }
}
