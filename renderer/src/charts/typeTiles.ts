import type { FileClass, SurveyDocument } from '../../../src/contract/dto/survey'
import { type Rect, squarify } from './squarify'

export type TypeRow = SurveyDocument['types'][number]

/** One tile: a type, or the types of a class that are too small for tiles of their own. */
export interface TypeTile {
  readonly fileClass: FileClass
  readonly rows: readonly TypeRow[]
  readonly bytes: number
  readonly rect: Rect
}

/** The tiles of one class, under its name where that fits. */
export interface ClassTiles {
  readonly fileClass: FileClass
  readonly bytes: number
  readonly rect: Rect
  readonly named: boolean
}

export interface TypeTiling {
  readonly classes: readonly ClassTiles[]
  readonly tiles: readonly TypeTile[]
}

/**
 * Pixels between classes, of a class's name, and of the smallest tile worth drawing (square
 * pixels).
 */
const GAP = 3
const NAME = 18
const LEAST_AREA = 40

/**
 * A treemap of types within their classes for a picture of this size; area stands for bytes. Types
 * without bytes have no tile.
 */
export function tileTypes(rows: readonly TypeRow[], width: number, height: number): TypeTiling {
  const byClass = new Map<FileClass, TypeRow[]>()
  for (const row of rows) {
    if (row.bytes <= 0) continue
    const known = byClass.get(row.fileClass)
    if (known) known.push(row)
    else byClass.set(row.fileClass, [row])
  }
  const groups = [...byClass]
    .map(([fileClass, members]) => ({ fileClass, members, bytes: sum(members) }))
    .sort((one, other) => other.bytes - one.bytes)
  const total = groups.reduce((all, group) => all + group.bytes, 0)
  const frames = squarify(
    groups.map((group) => group.bytes),
    { x: 0, y: 0, width: width + GAP, height: height + GAP },
  )
  const classes: ClassTiles[] = []
  const tiles: TypeTile[] = []
  const areaOfByte = total === 0 ? 0 : (width * height) / total
  groups.forEach(({ fileClass, members, bytes }, index) => {
    const frame = frames[index] as Rect
    const rect = {
      ...frame,
      width: Math.max(0.5, frame.width - GAP),
      height: Math.max(0.5, frame.height - GAP),
    }
    const named = rect.width >= 64 && rect.height >= 3 * NAME
    classes.push({ fileClass, bytes, rect, named })
    const inside = named ? { ...rect, y: rect.y + NAME, height: rect.height - NAME } : rect
    tiles.push(...tilesOf(fileClass, members, inside, areaOfByte))
  })
  return { classes, tiles }
}

function tilesOf(
  fileClass: FileClass,
  members: readonly TypeRow[],
  inside: Rect,
  areaOfByte: number,
): TypeTile[] {
  const sorted = [...members].sort((one, other) => other.bytes - one.bytes)
  const large = sorted.filter((row, place) => place === 0 || row.bytes * areaOfByte >= LEAST_AREA)
  const small = sorted.slice(large.length)
  const parts = large.map((row): readonly TypeRow[] => [row])
  if (small.length > 0) parts.push(small)
  const rects = squarify(parts.map(sum), inside)
  return parts.map((part, index) => ({
    fileClass,
    rows: part,
    bytes: sum(part),
    rect: rects[index] as Rect,
  }))
}

function sum(rows: readonly TypeRow[]): number {
  return rows.reduce((total, row) => total + row.bytes, 0)
}

export type Direction = 'left' | 'right' | 'up' | 'down'

/**
 * The place of the tile that lies next in a direction: near, and straight rather than askew. The
 * same one when there is none.
 */
export function nextTile(tiles: readonly { readonly rect: Rect }[], from: number, to: Direction): number {
  const start = tiles[from]?.rect
  if (!start) return tiles.length > 0 ? 0 : -1
  let best = from
  let least = Number.POSITIVE_INFINITY
  tiles.forEach(({ rect }, index) => {
    const ahead = gapAhead(start, rect, to)
    if (index === from || ahead < -0.5) return
    const across = to === 'left' || to === 'right'
    const aside = across
      ? apart(start.y, start.height, rect.y, rect.height)
      : apart(start.x, start.width, rect.x, rect.width)
    // Of several neighbours that touch, the one nearest to the near corner, so that going back leads back more often.
    const slant = across ? Math.abs(rect.y - start.y) : Math.abs(rect.x - start.x)
    const score = Math.max(0, ahead) + 3 * aside + slant / 1000
    if (score < least) {
      least = score
      best = index
    }
  })
  return best
}

/**
 * Distance from the near edge of one to the near edge of the other in a direction; negative when it
 * does not lie there.
 */
function gapAhead(from: Rect, rect: Rect, to: Direction): number {
  switch (to) {
    case 'right':
      return rect.x - (from.x + from.width)
    case 'left':
      return from.x - (rect.x + rect.width)
    case 'down':
      return rect.y - (from.y + from.height)
    case 'up':
      return from.y - (rect.y + rect.height)
  }
}

function apart(a: number, along: number, b: number, alongB: number): number {
  return Math.max(0, b - (a + along), a - (b + alongB))
}
