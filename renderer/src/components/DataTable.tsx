/**
 * The room `components` has the parts that steps are made of: tables, panels, figures, fields.
 * How: they take data and callbacks, and know no step and no call of the engine.
 * Not here: charts (`charts`), words of a single step (`steps`).
 */

import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { t } from '../copy'
import { meaningOf } from '../format/meanings'
import { ProvenanceMark } from './Marks'
import { type Column, type Sorting, shownColumns, sortRows, sortTree, type TreeLevels } from './tableColumns'
import { whenNear } from './whenNear'

export { type Column, csvOf, MOMENT_TRACK } from './tableColumns'

export interface DataTableProps<Row> {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  /** May have holes where `need` is given. */
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => string | number
  /** Rows visible before the table scrolls by itself. */
  readonly visibleRows?: number
  readonly empty: string
  /** The height of a row; more than the default where a cell has several lines. */
  readonly rowPx?: number
  readonly isSelected?: (row: Row) => boolean
  /** The place of a row that is to be in view; the table scrolls to it when this changes. */
  readonly inView?: number
  /** Takes a row by click, Enter or Space; the arrow keys then walk the rows. */
  readonly onPick?: (row: Row) => void
  /** True when a row that opens is open; undefined for rows that do not. */
  readonly isExpanded?: (row: Row) => boolean | undefined
  /**
   * Called with the rows that come near view, so that holes can be filled; sorting waits until
   * there are none.
   */
  readonly need?: (from: number, to: number) => void
  /** Rows that lie in one another: the table is a tree then, which sorts what is in each row. */
  readonly tree?: TreeOf<Row>
  /** Far down its page: its rows are drawn once it comes near view. Their room is kept. */
  readonly isFar?: boolean
  /**
   * The place of the row that keys act on, where it is known by more than its place. This one and
   * that of `inView` are those in `rows`, however the table is sorted.
   */
  readonly activeAt?: number | undefined
  /** The row that is unfolded, with what is drawn below it; null or left out where none is. */
  readonly unfolded?: { readonly key: string | number; readonly content: ReactNode } | null
}

/** How rows lie in one another, and what keys do with them. */
interface TreeOf<Row> extends TreeLevels<Row> {
  /** Undefined for rows that do not open. */
  readonly isOpen: (row: Row) => boolean | undefined
  readonly onOpen: (row: Row, isOpen: boolean) => void
  /** The place of the row that a row is in, among the rows as they are shown; -1 for none. */
  readonly parentOf: (index: number, shown: readonly Row[]) => number
  /** The space key on a row. */
  readonly onCheck: (row: Row) => void
}

const ONE_LINE_PX = 30
/** The height of the head, with its line. */
const HEAD_PX = 30
/** A table that scrolls by itself is never higher: the page around it can be scrolled too. */
const MOST_OF_WINDOW = '85vh'
/** Rows of this height are kept above and below the visible ones: scrolling shows no holes. */
const OVERSCAN_PX = 300

/**
 * A table that may have a million rows: only the visible ones are in the page. Columns sort by a
 * press on their head (ascending, descending, as given), which stays in view; a table that scrolls
 * takes the keyboard.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, rows, rowKey, visibleRows = 12, empty, isSelected, onPick, need, unfolded } = props
  const columns = useMemo(() => shownColumns(props.columns, rows), [props.columns, rows])
  const { tree } = props
  const { rowPx = ONE_LINE_PX } = props
  const [sort, setSort] = useState<Sorting>(null)
  const [top, setTop] = useState(0)
  const [at, setAt] = useState(0)
  const [isNear, setNear] = useState(props.isFar !== true)
  const scroller = useRef<HTMLDivElement>(null)
  const id = useId()
  const whole = useMemo(
    () => need === undefined || rows.findIndex((row) => row === undefined) < 0,
    [need, rows],
  )
  const sorted = useMemo(
    () => (!whole ? rows : tree ? sortTree(rows, columns, sort, tree) : sortRows(rows, columns, sort)),
    [rows, columns, sort, whole, tree],
  )
  const placeOf = (given: number | undefined) =>
    given === undefined || given < 0 || sorted === rows ? given : sorted.indexOf(rows[given] as Row)
  const inView = placeOf(props.inView)
  const [unfoldedPx, setUnfoldedPx] = useState(0)
  const openAt = useMemo(
    () => (unfolded ? sorted.findIndex((row) => row !== undefined && rowKey(row) === unfolded.key) : -1),
    [unfolded, sorted, rowKey],
  )
  /** The height of what is unfolded above a row. */
  const unfoldedAbove = (index: number) => (openAt >= 0 && index > openAt ? unfoldedPx : 0)
  const scrolls = rows.length > visibleRows
  const passed = Math.floor(top / rowPx)
  const topmost = Math.max(Math.min(passed, openAt), Math.floor((top - unfoldedAbove(passed)) / rowPx))
  const overscan = Math.ceil(OVERSCAN_PX / rowPx)
  const first = scrolls ? Math.max(0, topmost - overscan) : 0
  const end = scrolls ? Math.min(rows.length, topmost + visibleRows + overscan) : rows.length
  const last = isNear ? end : first
  const active = Math.min(placeOf(props.activeAt) ?? at, rows.length - 1)
  const picks = onPick !== undefined
  const show = (index: number) => {
    const element = scroller.current
    if (!element || index < 0) return
    const start = index * rowPx + unfoldedAbove(index)
    if (start < element.scrollTop) element.scrollTop = start
    else if (start + rowPx > element.scrollTop + element.clientHeight - HEAD_PX)
      element.scrollTop = start + rowPx - element.clientHeight + HEAD_PX
  }
  useEffect(
    () => (isNear || !scroller.current ? undefined : whenNear(scroller.current, () => setNear(true))),
    [isNear],
  )
  const ask = useEffectEvent((from: number, to: number) => need?.(from, to))
  useEffect(() => {
    if (!whole) ask(first, last)
  }, [whole, first, last])
  const bring = useEffectEvent((index: number) => show(index))
  useLayoutEffect(() => {
    if (inView !== undefined) bring(inView)
  }, [inView])
  const go = (target: number) => {
    const bounded = Math.max(0, Math.min(rows.length - 1, target))
    setAt(bounded)
    show(bounded)
    const row = sorted[bounded]
    if (tree && row !== undefined) onPick?.(row)
  }
  const press = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + visibleRows,
      PageUp: active - visibleRows,
      Home: 0,
      End: rows.length - 1,
    }
    const row = sorted[active]
    if (tree && row !== undefined && treeKey(tree, sorted, active, event.key, go)) {
      event.preventDefault()
      return
    }
    const target = steps[event.key]
    if (target !== undefined) go(target)
    else if ((event.key === 'Enter' || event.key === ' ') && row !== undefined) onPick?.(row)
    else return
    event.preventDefault()
  }
  const grid: CSSProperties = { gridTemplateColumns: columns.map((column) => column.track).join(' ') }
  const rowStyle: CSSProperties = { ...grid, height: rowPx }
  const sortPressed = (key: string) =>
    setSort((was) => (was?.key !== key ? { key, down: true } : was.down ? { key, down: false } : null))
  const table = (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- a table; a grid, which takes keys, where rows are picked
    <div
      className={picks ? 'table picks' : 'table'}
      role={tree || props.isExpanded ? 'treegrid' : picks ? 'grid' : 'table'}
      aria-label={label}
      aria-rowcount={rows.length + 1}
      tabIndex={picks ? 0 : undefined}
      aria-activedescendant={picks && active >= first && active < last ? `${id}-${active}` : undefined}
      onKeyDown={picks ? press : undefined}
    >
      <div role="rowgroup" className="table-heads">
        <div className="table-row table-head" role="row" style={grid} aria-rowindex={1}>
          {columns.map((column) => {
            const state = sort?.key === column.key ? (sort.down ? 'descending' : 'ascending') : undefined
            return (
              <div
                key={column.key}
                role="columnheader"
                title={meaningOf(column.header)}
                className={column.align === 'end' ? 'end' : undefined}
                aria-sort={state}
              >
                {column.sortBy && whole ? (
                  <button type="button" className="sort" onClick={() => sortPressed(column.key)}>
                    {column.header}
                    <span aria-hidden="true" className="sort-arrow">
                      {state === 'descending' ? '↓' : state === 'ascending' ? '↑' : ''}
                    </span>
                  </button>
                ) : (
                  <span className={column.isHeaderHidden ? 'hidden-text' : undefined}>{column.header}</span>
                )}
                {column.mark && (
                  <span className="head-mark" title={t(`provenance.${column.mark}`)}>
                    <ProvenanceMark provenance={column.mark} />
                  </span>
                )}
              </div>
            )
          })}
        </div>
      </div>
      {rows.length === 0 ? (
        <div className="table-empty muted">{empty}</div>
      ) : (
        <div role="rowgroup" className="table-body">
          <div
            style={{
              minHeight: rows.length * rowPx + unfoldedAbove(rows.length),
              paddingTop: first * rowPx + unfoldedAbove(first),
            }}
          >
            {Array.from({ length: last - first }, (_, offset) => {
              const index = first + offset
              const row = sorted[index]
              if (row === undefined)
                return (
                  <div
                    key={`hole ${index}`}
                    role="row"
                    className="table-row"
                    style={rowStyle}
                    aria-rowindex={index + 2}
                  />
                )
              const line = (
                // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the body takes the keys
                <div
                  key={rowKey(row)}
                  id={picks ? `${id}-${index}` : undefined}
                  role="row"
                  className={`table-row ${isSelected?.(row) ? 'selected' : ''} ${picks && index === active ? 'active' : ''}`}
                  style={rowStyle}
                  aria-rowindex={index + 2}
                  aria-level={tree?.levelOf(row)}
                  aria-selected={picks ? (isSelected?.(row) ?? false) : undefined}
                  aria-expanded={(tree?.isOpen ?? props.isExpanded)?.(row)}
                  onClick={
                    picks
                      ? (event) => {
                          // A button in the row has its own meaning; words that were marked are being copied.
                          if ((event.target as Element).closest('button')) return
                          if (getSelection()?.isCollapsed === false) return
                          setAt(index)
                          onPick(row)
                        }
                      : undefined
                  }
                >
                  {columns.map((column) => (
                    <div
                      key={column.key}
                      role={picks ? 'gridcell' : 'cell'}
                      className={column.align === 'end' ? 'end' : undefined}
                    >
                      {column.cell(row)}
                    </div>
                  ))}
                </div>
              )
              return index === openAt && unfolded
                ? [
                    line,
                    <UnfoldedRow
                      key={`below ${unfolded.key}`}
                      columns={columns.length}
                      onHeight={setUnfoldedPx}
                    >
                      {unfolded.content}
                    </UnfoldedRow>,
                  ]
                : line
            })}
          </div>
        </div>
      )}
    </div>
  )
  return scrolls ? (
    // A grid takes the keyboard itself.
    <div
      ref={scroller}
      className="table-frame scroll"
      style={{ maxHeight: `min(${HEAD_PX + visibleRows * rowPx}px, ${MOST_OF_WINDOW})` }}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
      {...(!picks && {
        role: 'region',
        tabIndex: 0,
        'aria-label': t('table.scrollable', { label, count: rows.length }),
      })}
    >
      {table}
    </div>
  ) : (
    <div ref={scroller} className="table-frame">
      {table}
    </div>
  )
}

/** Content below a row, over all columns; its height is reported when it changes. */
function UnfoldedRow({
  columns,
  onHeight,
  children,
}: {
  columns: number
  onHeight: (px: number) => void
  children: ReactNode
}) {
  const body = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const { current } = body
    if (!current) return
    const measure = () => onHeight(current.offsetHeight)
    const observer = new ResizeObserver(measure)
    measure()
    observer.observe(current)
    return () => observer.disconnect()
  }, [onHeight])
  return (
    <div ref={body} role="row" className="table-unfolded">
      <div role="cell" aria-colspan={columns}>
        {children}
      </div>
    </div>
  )
}

/** Opens, closes or checks a row of a tree; false for another key. */
function treeKey<Row>(
  tree: TreeOf<Row>,
  shown: readonly Row[],
  index: number,
  key: string,
  go: (index: number) => void,
): boolean {
  const row = shown[index] as Row
  const parent = tree.parentOf(index, shown)
  const isOpen = tree.isOpen(row)
  if (key === ' ') tree.onCheck(row)
  else if (key === 'Enter' && isOpen !== undefined) tree.onOpen(row, !isOpen)
  else if (key === 'ArrowRight' && isOpen === false) tree.onOpen(row, true)
  else if (key === 'ArrowRight' && isOpen) go(index + 1)
  else if (key === 'ArrowLeft' && isOpen) tree.onOpen(row, false)
  else if (key === 'ArrowLeft' && parent >= 0) go(parent)
  else return false
  return true
}
