import { describe, expect, it } from 'vitest'
import { placeLabels } from '../../../renderer/src/charts/placeLabels'
import { type Rect, squarify } from '../../../renderer/src/charts/squarify'
import { nextTile, type TypeRow, tileTypes } from '../../../renderer/src/charts/typeTiles'
import { seededRandom } from '../../../src/primitives/seededRandom'

const FRAME = { x: 10, y: 20, width: 600, height: 340 }

function overlapArea(one: Rect, other: Rect): number {
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x)
  const height = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y)
  return Math.max(0, width) * Math.max(0, height)
}

function within(rect: Rect, frame: Rect): boolean {
  const slack = 1e-6
  return (
    rect.x >= frame.x - slack &&
    rect.y >= frame.y - slack &&
    rect.x + rect.width <= frame.x + frame.width + slack &&
    rect.y + rect.height <= frame.y + frame.height + slack
  )
}

describe('the squarified layout', () => {
  it('matches the published example of squarified treemaps', () => {
    const rects = squarify([6, 6, 4, 3, 2, 2, 1], { x: 0, y: 0, width: 6, height: 4 })
    const rounded = rects.map(({ x, y, width, height }) =>
      [x, y, width, height].map((value) => Math.round(value * 100) / 100),
    )
    expect(rounded).toEqual([
      [0, 0, 3, 2],
      [0, 2, 3, 2],
      [3, 0, 1.71, 2.33],
      [4.71, 0, 1.29, 2.33],
      [3, 2.33, 1.2, 1.67],
      [4.2, 2.33, 1.2, 1.67],
      [5.4, 2.33, 0.6, 1.67],
    ])
  })

  it('fills the frame, overlaps nowhere and gives each weight its area, for any weights', () => {
    const random = seededRandom(3)
    for (let trial = 0; trial < 200; trial++) {
      const weights = Array.from({ length: 1 + random.below(40) }, () => random.unit() ** 6 * 1e12)
      if (trial % 5 === 0) weights.push(0)
      weights.sort((a, b) => b - a)
      const rects = squarify(weights, FRAME)
      const total = weights.reduce((sum, weight) => sum + weight, 0)
      rects.forEach((rect, index) => {
        expect(within(rect, FRAME)).toBe(true)
        const wanted = ((weights[index] ?? 0) / total) * FRAME.width * FRAME.height
        expect(Math.abs(rect.width * rect.height - wanted)).toBeLessThan(1e-3)
        for (const other of rects.slice(index + 1)) expect(overlapArea(rect, other)).toBeLessThan(1e-3)
      })
    }
  })

  it('keeps tiles of like weights close to squares', () => {
    const rects = squarify(Array<number>(24).fill(1), FRAME)
    for (const { width, height } of rects) expect(Math.max(width / height, height / width)).toBeLessThan(1.6)
  })

  it('gives nothing to nothing', () => {
    expect(squarify([], FRAME)).toEqual([])
    expect(squarify([0, -1], FRAME).every(({ width }) => width === 0)).toBe(true)
    expect(squarify([5], { ...FRAME, width: 0 })).toEqual([{ x: 10, y: 20, width: 0, height: 0 }])
  })
})

describe('tiles of types', () => {
  const row = (extension: string, fileClass: TypeRow['fileClass'], bytes: number): TypeRow => ({
    extension,
    fileClass,
    files: 1,
    bytes,
  })
  const rows = [
    row('jpg', 'image', 5000),
    row('mov', 'video', 3000),
    row('tif', 'image', 1500),
    row('txt', 'text', 300),
    row('bmp', 'image', 0.1),
    row('xcf', 'image', 0.1),
    row('empty', 'other', 0),
  ]

  it('are placed within their class, the largest class first, with one tile for all tiny types', () => {
    const { classes, tiles } = tileTypes(rows, 600, 300)
    expect(classes.map(({ fileClass }) => fileClass)).toEqual(['image', 'video', 'text'])
    expect(tiles.map((tile) => tile.rows.map(({ extension }) => extension))).toEqual([
      ['jpg'],
      ['tif'],
      ['bmp', 'xcf'],
      ['mov'],
      ['txt'],
    ])
    for (const tile of tiles) {
      const home = classes.find(({ fileClass }) => fileClass === tile.fileClass)
      expect(home && within(tile.rect, home.rect)).toBe(true)
    }
  })

  it('draw a type alone in its class however small it is', () => {
    const { tiles } = tileTypes([row('jpg', 'image', 1e12), row('txt', 'text', 1)], 600, 300)
    expect(tiles).toHaveLength(2)
  })

  it('are all reached by the arrow keys, and none leads out of the picture', () => {
    const random = seededRandom(11)
    for (let trial = 0; trial < 30; trial++) {
      const many = Array.from({ length: 2 + random.below(30) }, (_, k) =>
        row(`e${k}`, k % 3 === 0 ? 'text' : k % 3 === 1 ? 'image' : 'video', 1 + random.below(100_000)),
      )
      const { tiles } = tileTypes(many, 640, 320)
      const seen = new Set([0])
      const todo = [0]
      for (let from = todo.pop(); from !== undefined; from = todo.pop())
        for (const to of ['left', 'right', 'up', 'down'] as const) {
          const next = nextTile(tiles, from, to)
          expect(next).toBeGreaterThanOrEqual(0)
          if (seen.has(next)) continue
          seen.add(next)
          todo.push(next)
        }
      expect(seen.size).toBe(tiles.length)
    }
  })

  it('lead to the neighbour in the direction', () => {
    const grid = [0, 1, 2, 3].map((k) => ({
      rect: { x: (k % 2) * 10, y: Math.floor(k / 2) * 10, width: 10, height: 10 },
    }))
    expect(nextTile(grid, 0, 'right')).toBe(1)
    expect(nextTile(grid, 0, 'down')).toBe(2)
    expect(nextTile(grid, 3, 'left')).toBe(2)
    expect(nextTile(grid, 3, 'up')).toBe(1)
    expect(nextTile(grid, 0, 'left')).toBe(0)
    expect(nextTile([], 0, 'left')).toBe(-1)
  })
})

describe('labels', () => {
  const frame = { x: 0, y: 0, width: 500, height: 300 }

  it('of points that cluster cover neither each other nor a point', () => {
    const random = seededRandom(5)
    for (let trial = 0; trial < 100; trial++) {
      const points = Array.from({ length: 8 }, () => ({
        x: 380 + random.below(60),
        y: 120 + random.below(40),
        width: 40 + random.below(50),
      }))
      const labels = placeLabels(points, frame)
      const boxes = labels.map(({ x, y }, k) => ({ x, y, width: points[k]?.width ?? 0, height: 16 }))
      boxes.forEach((box, index) => {
        expect(within(box, frame)).toBe(true)
        for (const other of boxes.slice(index + 1)) expect(overlapArea(box, other)).toBe(0)
        for (const { x, y } of points)
          expect(overlapArea(box, { x: x - 3, y: y - 3, width: 6, height: 6 })).toBe(0)
      })
    }
  })

  it('of a single point are right next to it, on the left at the edge of the frame', () => {
    expect(placeLabels([{ x: 100, y: 100, width: 50 }], frame)).toEqual([{ x: 110, y: 92, led: false }])
    expect(placeLabels([{ x: 480, y: 100, width: 50 }], frame)).toEqual([{ x: 420, y: 92, led: false }])
  })

  it('give way to what else is drawn', () => {
    const [label] = placeLabels([{ x: 100, y: 100, width: 50 }], frame, [{ x: 130, y: 100 }])
    expect(label?.x).toBeLessThan(100)
  })

  it('cover as little as possible when there is no free place', () => {
    // Points in every line of the frame, one of which stands where only short words would cover it.
    const crowd = Array.from({ length: 28 }, (_, index) => ({ x: 100 + 8 * (index % 2), y: 10 * index + 5 }))
    const alone = { x: 100, y: 140, width: 300 }
    const [label] = placeLabels([alone], { x: 0, y: 0, width: 320, height: 280 }, crowd)
    const covered = crowd.reduce(
      (sum, { x, y }) =>
        sum +
        overlapArea(
          { x: label?.x ?? 0, y: label?.y ?? 0, width: 300, height: 16 },
          { x: x - 4, y: y - 4, width: 8, height: 8 },
        ),
      0,
    )
    const first = { x: 20, y: 132, width: 300, height: 16 }
    const atFirst = crowd.reduce(
      (sum, { x, y }) => sum + overlapArea(first, { x: x - 4, y: y - 4, width: 8, height: 8 }),
      0,
    )
    expect(covered).toBeLessThanOrEqual(atFirst)
    const [free] = placeLabels([{ ...alone, width: 80 }], { x: 0, y: 0, width: 320, height: 280 }, crowd)
    expect((free?.x ?? 0) + 80 <= 96 || (free?.x ?? 0) >= 112).toBe(true)
  })

  it('stay in the frame even when there is no room', () => {
    const points = Array.from({ length: 30 }, () => ({ x: 20, y: 20, width: 38 }))
    for (const { x, y } of placeLabels(points, { x: 0, y: 0, width: 40, height: 40 }))
      expect(x >= 0 && y >= 0 && x <= 2 && y <= 24).toBe(true)
  })
})
