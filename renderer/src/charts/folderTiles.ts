import type { ContentsSum, SourceFolder, SourceRow } from '../../../src/contract/dto/survey'
import { type Rect, squarify } from './squarify'

/** A folder or file, or all that is too small for a tile of its own. */
export interface FolderTile {
  readonly row: SourceRow | null
  readonly rect: Rect
  /** With what is left out. */
  readonly bytes: number
  readonly files: number
  readonly keptBytes: number
  /** Parts of the kept bytes; of several rows at least these, as each names its largest alone. */
  readonly classes: ContentsSum['classes']
  readonly years: ContentsSum['years']
}

/** The smallest tile that can be read or pressed, in square pixels. */
const LEAST_AREA = 120

/** The content of a folder as areas, largest first; an area stands for bytes, left out or not. */
export function tileFolder(folder: SourceFolder, width: number, height: number): FolderTile[] {
  return tilesIn(folder, { x: 0, y: 0, width, height }, LEAST_AREA)
}

/** The name and the size of a folder above its content, and what stays free around that. */
const HEAD_PX = 38
const EDGE_PX = 3
/** The least content that shows a division. */
const LEAST_INSIDE_PX = 20
/** Too small to press, but it shows how a folder divides. */
const LEAST_INNER_AREA = 30

/** True where the tile of a folder has room for what is in it, below its name and size. */
export function hasRoomWithin({ width, height }: Rect): boolean {
  return width >= 2 * EDGE_PX + LEAST_INSIDE_PX && height >= HEAD_PX + EDGE_PX + LEAST_INSIDE_PX
}

/** The content of a folder within its tile: nothing where there is no room. */
export function tilesWithin(folder: SourceFolder, rect: Rect): FolderTile[] {
  if (!hasRoomWithin(rect)) return []
  const inside = {
    x: rect.x + EDGE_PX,
    y: rect.y + HEAD_PX,
    width: rect.width - 2 * EDGE_PX,
    height: rect.height - HEAD_PX - EDGE_PX,
  }
  return tilesIn(folder, inside, LEAST_INNER_AREA)
}

function tilesIn({ rows, others }: SourceFolder, frame: Rect, leastArea: number): FolderTile[] {
  const total = rows.reduce((sum, row) => sum + bytesOf(row), bytesOf(others))
  const areaOfByte = total === 0 ? 0 : (frame.width * frame.height) / total
  const large = rows.filter((row) => bytesOf(row) * areaOfByte >= leastArea)
  const rest = [...rows.slice(large.length), others]
  const parts = large.map((row) => ({ row, ...amountOf([row]) }))
  const small = { row: null, ...amountOf(rest) }
  const all = small.bytes > 0 ? [...parts, small] : parts
  const rects = squarify(
    all.map(({ bytes }) => bytes),
    frame,
  )
  return all.map((part, index) => ({ ...part, rect: rects[index] as Rect }))
}

type Amount = SourceFolder['others']

function bytesOf({ bytes, excludedBytes }: Amount): number {
  return bytes + excludedBytes
}

function amountOf(of: readonly Amount[]): Omit<FolderTile, 'row' | 'rect'> {
  return {
    bytes: of.reduce((sum, each) => sum + bytesOf(each), 0),
    files: of.reduce((sum, each) => sum + each.files + each.excludedFiles, 0),
    keptBytes: of.reduce((sum, each) => sum + each.bytes, 0),
    classes: classesOf(of),
    years: yearsOf(of),
  }
}

function classesOf(of: readonly Amount[]): ContentsSum['classes'] {
  if (of.length === 1) return of[0]?.classes ?? []
  const sums = new Map<ContentsSum['classes'][number]['fileClass'], number>()
  for (const { fileClass, bytes } of of.flatMap(({ classes }) => classes))
    sums.set(fileClass, (sums.get(fileClass) ?? 0) + bytes)
  return [...sums]
    .map(([fileClass, bytes]) => ({ fileClass, bytes }))
    .sort((one, other) => other.bytes - one.bytes)
}

/** The years of several rows; the middle one is that of their middles, each by its bytes. */
function yearsOf(of: readonly Amount[]): ContentsSum['years'] {
  if (of.length === 1) return of[0]?.years ?? null
  const known = of.flatMap(({ years, bytes }) => (years ? [{ ...years, bytes }] : []))
  if (known.length === 0) return null
  const half = known.reduce((sum, { bytes }) => sum + bytes, 0) / 2
  let sum = 0
  const inOrder = [...known].sort((one, other) => one.middle - other.middle)
  return {
    first: Math.min(...known.map(({ first }) => first)),
    last: Math.max(...known.map(({ last }) => last)),
    middle: inOrder.find(({ bytes }) => (sum += bytes) >= half)?.middle ?? Number.NaN,
  }
}
