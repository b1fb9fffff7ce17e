import { type CSSProperties, type KeyboardEvent, useId, useMemo, useRef, useState } from 'react'
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
import {
  type ClassTiles,
  type Direction,
  nextTile,
  type TypeRow,
  type TypeTile,
  tileTypes,
} from './typeTiles'
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

const DIRECTIONS: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
}
/**
 * Width of a character of the labels, rather too much than too little; and the room around words.
 */
const CHARACTER_PX = 7
const PADDING_PX = 6

/**
 * Types as areas within their classes. The arrow keys move to the neighbour, Home and End to the
 * largest and the smallest, Enter and Space pick, Escape lets go; the line below says what the tile
 * at hand is.
 */
export function TypeTreemap({ rows, units, height, selection, onPick }: TypeTreemapProps) {
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box, 640)
  const id = useId()
  const [at, setAt] = useState(0)
  const [hovered, setHovered] = useState(-1)
  const [focused, setFocused] = useState(false)
  const { classes, tiles } = useMemo(() => tileTypes(rows, width, height), [rows, width, height])
  const total = rows.reduce((sum, row) => sum + row.bytes, 0)
  const active = Math.min(at, tiles.length - 1)
  const shown = tiles[hovered] ?? (focused ? tiles[active] : undefined)
  const press = (event: KeyboardEvent) => {
    const to = DIRECTIONS[event.key]
    const tile = tiles[active]
    if (to) setAt(nextTile(tiles, active, to))
    else if (event.key === 'Home') setAt(0)
    else if (event.key === 'End') setAt(tiles.length - 1)
    else if ((event.key === 'Enter' || event.key === ' ') && tile) onPick(tile)
    else if (event.key === 'Escape' && selection !== null) onPick(null)
    else return
    event.preventDefault()
  }
  return (
    <div className="treemap">
      <div
        ref={box}
        className="treemap-box"
        style={{ height }}
        role="listbox"
        tabIndex={0}
        aria-label={`${t('chart.types.label')} ${t('chart.types.keys')}`}
        aria-activedescendant={tiles.length > 0 ? `${id}-${active}` : undefined}
        onKeyDown={press}
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
        onMouseLeave={() => setHovered(-1)}
      >
        <svg width={width} height={height} role="presentation">
          {classes.map((group) => (
            <ClassName key={group.fileClass} group={group} total={total} />
          ))}
          {tiles.map((tile, index) => (
            <Tile
              key={`${tile.fileClass} ${tile.rows[0]?.extension ?? '*'}`}
              id={`${id}-${index}`}
              tile={tile}
              label={sayTile(tile, total, units)}
              size={formatSize(tile.bytes, units)}
              lit={selection?.shareOf(tile) ?? 1}
              picked={selection?.isPicked(tile) ?? false}
              focused={focused && index === active}
              onHover={() => setHovered(index)}
              onPick={() => {
                setAt(index)
                onPick(tile)
              }}
            />
          ))}
        </svg>
      </div>
      <div className="treemap-says muted" aria-hidden="true">
        {shown ? (
          <>
            <span className="swatch" style={{ background: classColour(shown.fileClass) }} />
            <span className="treemap-words ellipsis">{sayTile(shown, total, units)}</span>
            <ProvenanceMark provenance="exact" />
          </>
        ) : (
          t('chart.types.keys')
        )}
      </div>
    </div>
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

interface TileProps {
  readonly id: string
  readonly tile: TypeTile
  readonly label: string
  readonly size: string
  /** How much of it belongs to the selection, 0 to 1. */
  readonly lit: number
  readonly picked: boolean
  readonly focused: boolean
  readonly onHover: () => void
  readonly onPick: () => void
}

function Tile({ id, tile, label, size, lit, picked, focused, onHover, onPick }: TileProps) {
  const { x, y, width, height } = tile.rect
  const name = tileName(tile)
  const wide = Math.max(0, width - 1)
  const high = Math.max(0, height - 1)
  const named = height >= 20 && fits(name, width - 2 * PADDING_PX)
  const sized = named && height >= 38 && fits(size, width - 2 * PADDING_PX)
  const style = { '--tile': classColour(tile.fileClass) } as CSSProperties
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the box takes the keys
    <g
      id={id}
      role="option"
      aria-selected={picked}
      aria-label={label}
      className={`tile ${lit === 0 ? 'dim' : lit < 1 ? 'part' : ''} ${picked ? 'picked' : ''} ${focused ? 'focused' : ''}`}
      style={style}
      onClick={onPick}
      onMouseEnter={onHover}
    >
      <rect className="tile-ground" x={x + 0.5} y={y + 0.5} width={wide} height={high} rx="2" />
      <rect
        className="tile-lit"
        x={x + 0.5}
        y={y + 0.5 + high * (1 - lit)}
        width={wide}
        height={high * lit}
        rx="2"
      />
      <rect className="tile-edge" x={x + 0.5} y={y + 0.5} width={wide} height={high} rx="2" />
      {named && (
        <text x={x + PADDING_PX} y={y + 15} aria-hidden="true">
          {name}
        </text>
      )}
      {sized && (
        <text x={x + PADDING_PX} y={y + 31} className="tile-size" aria-hidden="true">
          {size}
        </text>
      )}
      {focused && (
        <rect
          className="tile-focus"
          x={x + 1.5}
          y={y + 1.5}
          width={Math.max(0, wide - 2)}
          height={Math.max(0, high - 2)}
          rx="2"
        />
      )}
    </g>
  )
}

function fits(words: string, room: number): boolean {
  return words.length * CHARACTER_PX <= room
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
