/** How large the tiles of a shelf are. */
export interface TileSize {
  readonly name: 'large' | 'medium' | 'small' | 'tiny'
  readonly leastPx: number
  readonly mostPx: number
  readonly gaugePx: number
  /** Room below the gauge. */
  readonly footPx: number
}

const GAP_PX = 8
/** Rows drawn above and below those in view. */
const OVERSCAN = 2

const SIZES: readonly (TileSize & { readonly upTo: number })[] = [
  { upTo: 4, name: 'large', leastPx: 200, mostPx: 300, gaugePx: 184, footPx: 42 },
  { upTo: 12, name: 'medium', leastPx: 150, mostPx: 200, gaugePx: 120, footPx: 42 },
  { upTo: 72, name: 'small', leastPx: 88, mostPx: 116, gaugePx: 68, footPx: 22 },
  { upTo: Number.POSITIVE_INFINITY, name: 'tiny', leastPx: 58, mostPx: 72, gaugePx: 48, footPx: 20 },
]

/** The places of tiles in rows as wide as a shelf. */
export interface ShelfLayout {
  readonly size: TileSize
  readonly columns: number
  readonly tilePx: number
  readonly rowPx: number
  readonly heightPx: number
}

/** The layout of so many discs: the more there are, the smaller is each. */
export function shelfLayout(discs: number, widthPx: number): ShelfLayout {
  const size = SIZES.find(({ upTo }) => discs <= upTo) as TileSize
  const columns = Math.max(1, Math.floor((widthPx + GAP_PX) / (size.leastPx + GAP_PX)))
  const tilePx = Math.min(size.mostPx, (widthPx - (columns - 1) * GAP_PX) / columns)
  const rowPx = size.gaugePx + size.footPx + GAP_PX
  return { size, columns, tilePx, rowPx, heightPx: Math.ceil(discs / columns) * rowPx }
}

/** The place of a tile's left upper corner. */
export function placeOf(
  at: number,
  { columns, tilePx, rowPx }: ShelfLayout,
): { readonly left: number; readonly top: number } {
  return { left: (at % columns) * (tilePx + GAP_PX), top: Math.floor(at / columns) * rowPx }
}

/** The tiles that are drawn: those in view, and a few rows more. */
export function drawnTiles(
  discs: number,
  { columns, rowPx }: ShelfLayout,
  view: { readonly top: number; readonly height: number },
): { readonly from: number; readonly to: number } {
  const first = Math.max(0, Math.floor(view.top / rowPx) - OVERSCAN)
  const last = Math.ceil((view.top + view.height) / rowPx) + OVERSCAN
  return { from: Math.min(discs, first * columns), to: Math.min(discs, last * columns) }
}

/** The tile that a key leads to; null for keys that lead nowhere. */
export function tileByKey(
  key: string,
  at: number,
  discs: number,
  columns: number,
  rowsInView: number,
): number | null {
  const page = columns * Math.max(1, rowsInView)
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: 1,
    ArrowLeft: -1,
    ArrowDown: columns,
    ArrowUp: -columns,
    PageDown: page,
    PageUp: -page,
    Home: -discs,
    End: discs,
  }
  const step = steps[key]
  if (step === undefined) return null
  // Up and down stay in their column: there is nothing where a row ends early.
  if ((key === 'ArrowDown' || key === 'ArrowUp') && (at + step < 0 || at + step >= discs)) return at
  return Math.max(0, Math.min(discs - 1, at + step))
}
