import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useId,
  useState,
} from 'react'
import type { Rect } from './squarify'
import { type Direction, nextTile } from './typeTiles'

/** An area of a treemap, as it is drawn and read out. */
interface Tile {
  readonly key: string
  readonly rect: Rect
  readonly name: string
  /** Drawn below the name where there is room; absent where the line below says it. */
  readonly size?: string
  /** All about it in one line. */
  readonly label: string
  /** As CSS takes it. */
  readonly colour: string
  /** How much of it is filled, 0 to 1. */
  readonly lit: number
  readonly isPicked: boolean
  /** Its parts, drawn in its area: none is a tile of its own for keys and presses. */
  readonly within?: readonly InnerTile[]
}

/** A part of a tile. */
export interface InnerTile {
  readonly key: string
  readonly rect: Rect
  readonly name: string
  /** How much of it is filled, 0 to 1. */
  readonly lit: number
  /** As CSS takes it; that of the tile where it is absent. */
  readonly colour?: string
}

interface TreemapProps {
  /** Takes the element that the tiles are drawn in. */
  readonly box?: RefObject<HTMLDivElement | null>
  readonly width: number
  readonly height: number
  readonly label: string
  /** The keys and their actions, in one line. */
  readonly keys: string
  readonly tiles: readonly Tile[]
  /** Drawn below the tiles. */
  readonly ground?: ReactNode
  /** Behind what is said of the tile at hand. */
  readonly mark?: ReactNode
  /** A tile by its place, or null to let go of the selection. */
  readonly onPick: (index: number | null) => void
  readonly canLetGo: boolean
  /** The tiles are filled with their colours whole, on all of which ink must be readable. */
  readonly isSolid?: boolean
  /** Goes into the picked tile: Enter on it, or a second click. */
  readonly onOpen?: (index: number) => void
  /** Goes back out: Backspace. */
  readonly onUp?: () => void
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
 * Areas that stand for amounts. The arrow keys move to the neighbour, Home and End to the largest
 * and the smallest, Enter and Space pick, Escape lets go; the line below says what the tile at hand
 * is.
 */
export function Treemap(props: TreemapProps) {
  const { box, width, height, label, keys, tiles, ground, mark, onPick, canLetGo, onOpen, onUp } = props
  const { isSolid = false } = props
  const id = useId()
  const [at, setAt] = useState(0)
  const [hovered, setHovered] = useState(-1)
  const [focused, setFocused] = useState(false)
  const active = Math.min(at, tiles.length - 1)
  const shown = tiles[hovered] ?? (focused ? tiles[active] : undefined)
  const open = (index: number) => {
    if (!onOpen) return
    setAt(0)
    setHovered(-1)
    onOpen(index)
  }
  const press = (event: KeyboardEvent) => {
    const to = DIRECTIONS[event.key]
    const tile = tiles[active]
    if (to) setAt(nextTile(tiles, active, to))
    else if (event.key === 'Home') setAt(0)
    else if (event.key === 'End') setAt(tiles.length - 1)
    else if (event.key === 'Enter' && tile?.isPicked && onOpen) open(active)
    else if ((event.key === 'Enter' || event.key === ' ') && tile) onPick(active)
    else if (event.key === 'Escape' && canLetGo) onPick(null)
    else if (event.key === 'Backspace' && onUp) {
      setAt(0)
      onUp()
    } else return
    event.preventDefault()
  }
  return (
    <div className={isSolid ? 'treemap solid' : 'treemap'}>
      <div
        ref={box}
        className="treemap-box"
        style={{ height }}
        role="listbox"
        tabIndex={0}
        aria-label={`${label} ${keys}`}
        aria-activedescendant={tiles.length > 0 ? `${id}-${active}` : undefined}
        onKeyDown={press}
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
        onMouseLeave={() => setHovered(-1)}
      >
        <svg width={width} height={height} role="presentation">
          {ground}
          {tiles.map((tile, index) => (
            <TileArea
              key={tile.key}
              id={`${id}-${index}`}
              tile={tile}
              isFocused={focused && index === active}
              onHover={() => setHovered(index)}
              onPick={() => {
                setAt(index)
                onPick(index)
              }}
              onOpen={() => open(index)}
            />
          ))}
          {/* Not in the tiles: their names read out what is drawn in them, in other words. */}
          <g aria-hidden="true">
            {tiles.flatMap(({ key, colour, within = [] }) =>
              within.map((inner) => <InnerArea key={`${key}\0${inner.key}`} tile={inner} colour={colour} />),
            )}
          </g>
        </svg>
      </div>
      <div className="treemap-says muted" aria-hidden="true">
        {shown ? (
          <>
            <span className="swatch" style={{ background: shown.colour }} />
            <span className="treemap-words ellipsis">{shown.label}</span>
            {mark}
          </>
        ) : (
          keys
        )}
      </div>
    </div>
  )
}

interface TileAreaProps {
  readonly id: string
  readonly tile: Tile
  readonly isFocused: boolean
  readonly onHover: () => void
  readonly onPick: () => void
  readonly onOpen: () => void
}

function TileArea({ id, tile, isFocused, onHover, onPick, onOpen }: TileAreaProps) {
  const { x, y, width, height } = tile.rect
  const { name, size, lit, isPicked } = tile
  const wide = Math.max(0, width - 1)
  const high = Math.max(0, height - 1)
  const named = height >= 20 && fitsTile(name, tile.rect)
  const sized = named && size !== undefined && height >= 38 && fitsTile(size, tile.rect)
  const style = { '--tile': tile.colour } as CSSProperties
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the box takes the keys
    <g
      id={id}
      role="option"
      aria-selected={isPicked}
      aria-label={tile.label}
      className={`tile ${lit === 0 ? 'dim' : lit < 1 ? 'part' : ''} ${isPicked ? 'picked' : ''} ${isFocused ? 'focused' : ''}`}
      style={style}
      onClick={onPick}
      onDoubleClick={onOpen}
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
      )}{' '}
      {sized && (
        <text x={x + PADDING_PX} y={y + 31} className="tile-size" aria-hidden="true">
          {size}
        </text>
      )}
      {isFocused && (
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

/** @param colour that of the tile that it is in */
function InnerArea({ tile: { rect, name, lit, colour: own }, colour }: { tile: InnerTile; colour: string }) {
  const { x, y, width, height } = rect
  const isNamed = height >= 18 && fitsTile(name, rect)
  return (
    <g
      className={`tile-inner ${own === undefined ? '' : 'own'} ${lit === 0 ? 'dim' : ''}`}
      style={{ '--tile': own ?? colour } as CSSProperties}
    >
      <rect
        x={x + 0.5}
        y={y + 0.5}
        width={Math.max(0, width - 1.5)}
        height={Math.max(0, height - 1.5)}
        rx="1"
      />
      {isNamed && (
        <text x={x + PADDING_PX} y={y + 14}>
          {name}
        </text>
      )}
    </g>
  )
}

/** True when words have room in the width of a tile, without what stays free on both sides. */
export function fitsTile(words: string, { width }: Pick<Rect, 'width'>): boolean {
  return fits(words, width - 2 * PADDING_PX)
}

/** True when words of a tile, or of what is drawn below tiles, have room in this width. */
export function fits(words: string, room: number): boolean {
  return words.length * CHARACTER_PX <= room
}
