import type { SourceFolder, SourceRow } from '../../../src/contract/dto/survey'
import { type Rect, squarify } from './squarify'

/** A folder or file, or all that is too small for a tile of its own. */
export interface FolderTile {
  readonly row: SourceRow | null
  readonly rect: Rect
  /** With what is left out. */
  readonly bytes: number
  readonly files: number
  readonly keptBytes: number
}

/** The smallest tile that can be read or pressed, in square pixels. */
const LEAST_AREA = 120

/** The content of a folder as areas, largest first; an area stands for bytes, left out or not. */
export function tileFolder({ rows, others }: SourceFolder, width: number, height: number): FolderTile[] {
  const total = rows.reduce((sum, row) => sum + bytesOf(row), bytesOf(others))
  const areaOfByte = total === 0 ? 0 : (width * height) / total
  const large = rows.filter((row) => bytesOf(row) * areaOfByte >= LEAST_AREA)
  const rest = [...rows.slice(large.length), others]
  const parts = large.map((row) => ({ row, ...amountOf([row]) }))
  const small = { row: null, ...amountOf(rest) }
  const all = small.bytes > 0 ? [...parts, small] : parts
  const rects = squarify(
    all.map(({ bytes }) => bytes),
    { x: 0, y: 0, width, height },
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
  }
}
