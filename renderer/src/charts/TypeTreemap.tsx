import { useMemo, useRef } from 'react'
import {
  formatCount,
  formatExactBytes,
  formatShare,
  formatSize,
  type Units,
} from '../../../src/primitives/quantity'
import { ProvenanceMark } from '../components/Marks'
import { t } from '../copy'
import { extensionName } from '../format/extensionName'
import { classColour } from './classColour'
import { fits, Treemap } from './Treemap'
import { type ClassTiles, type TypeRow, type TypeTile, tileTypes } from './typeTiles'
import { useWidth } from './useWidth'

interface TypeTreemapProps {
  readonly rows: readonly TypeRow[]
  readonly units: Units
  readonly height: number
  /** Null while nothing is selected. */
  readonly selection: TileSelection | null
  /** A tile, or null to let go of the selection. */
  readonly onPick: (tile: TypeTile | null) => void
}

export interface TileSelection {
  readonly isPicked: (tile: TypeTile) => boolean
  /** How much of a tile belongs to it, 0 to 1. */
  readonly shareOf: (tile: TypeTile) => number
}

/**
 * Types as areas within their classes. A press picks a type, Escape lets go; the line below says
 * what the tile at hand is.
 */
export function TypeTreemap({ rows, units, height, selection, onPick }: TypeTreemapProps) {
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box, 640)
  const { classes, tiles } = useMemo(() => tileTypes(rows, width, height), [rows, width, height])
  const total = rows.reduce((sum, row) => sum + row.bytes, 0)
  return (
    <Treemap
      box={box}
      width={width}
      height={height}
      label={t('chart.types.label')}
      keys={t('chart.types.keys')}
      tiles={tiles.map((tile) => ({
        key: `${tile.fileClass} ${tile.rows[0]?.extension ?? '*'}`,
        rect: tile.rect,
        name: tileName(tile),
        label: sayTile(tile, total, units),
        colour: classColour(tile.fileClass),
        lit: selection?.shareOf(tile) ?? 1,
        isPicked: selection?.isPicked(tile) ?? false,
      }))}
      ground={classes.map((group) => <ClassName key={group.fileClass} group={group} total={total} />)}
      mark={<ProvenanceMark provenance="exact" />}
      onPick={(index) => onPick(index === null ? null : (tiles[index] ?? null))}
      canLetGo={selection !== null}
    />
  )
}

function ClassName({ group, total }: { group: ClassTiles; total: number }) {
  if (!group.named) return null
  const { x, y, width } = group.rect
  const name = t(`class.${group.fileClass}`)
  const share = formatShare(total === 0 ? 0 : group.bytes / total)
  const room = width - 4
  return (
    <text x={x + 1} y={y + 13} className="treemap-class" aria-hidden="true">
      {fits(name, room) ? name : ''}
      {fits(`${name}  ${share}`, room) && (
        <tspan dx="6" className="treemap-share">
          {share}
        </tspan>
      )}
    </text>
  )
}

function tileName(tile: TypeTile): string {
  const only = tile.rows.length === 1 ? tile.rows[0] : undefined
  return only ? extensionName(only.extension) : t('chart.types.smaller', { count: tile.rows.length })
}

function sayTile(tile: TypeTile, total: number, units: Units): string {
  const files = tile.rows.reduce((sum, row) => sum + row.files, 0)
  return t('chart.types.point', {
    name: tileName(tile),
    fileClass: t(`class.${tile.fileClass}`),
    size: formatSize(tile.bytes, units),
    exact: formatExactBytes(tile.bytes),
    share: formatShare(total === 0 ? 0 : tile.bytes / total),
    files: formatCount(files),
  })
}
