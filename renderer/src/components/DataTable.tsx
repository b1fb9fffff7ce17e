import { type CSSProperties, type ReactNode, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { t } from '../copy'

export interface Column<Row> {
  readonly key: string
  readonly header: string
  /** A grid track: `120px`, `minmax(160px, 2fr)`. */
  readonly track: string
  readonly align?: 'end'
  readonly cell: (row: Row) => ReactNode
  /** What sorting compares; a column without it cannot be sorted. */
  readonly sortBy?: (row: Row) => number | string
  /** Columns that only the CSV has, behind this one. */
  readonly csvMore?: readonly { readonly header: string; readonly csv: (row: Row) => string | number }[]
  /** What the CSV holds: plain numbers, whole texts. A column without it is left out. */
  readonly csv?: (row: Row) => string | number
  readonly csvHeader?: string
}

interface DataTableProps<Row> {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => string | number
  /** Rows visible before the table scrolls by itself. */
  readonly visibleRows?: number
  readonly empty: string
  readonly isSelected?: (row: Row) => boolean
  /** The place of a row that is to be in view; the table scrolls to it when this changes. */
  readonly inView?: number
}

const ROW_PX = 30
/** Rows kept above and below the visible ones, so that quick scrolling shows no holes. */
const OVERSCAN = 12

/**
 * A table that may have a million rows: only the visible ones are in the page. Columns sort by a press on their head
 * (ascending, descending, as given); the scrolling part takes the keyboard.
 */
export function DataTable<Row>({
  label,
  columns,
  rows,
  rowKey,
  visibleRows = 12,
  empty,
  isSelected,
  inView,
}: DataTableProps<Row>) {
  const [sort, setSort] = useState<{ key: string; down: boolean } | null>(null)
  const [top, setTop] = useState(0)
  const body = useRef<HTMLDivElement>(null)
  const sorted = useMemo(() => sortRows(rows, columns, sort), [rows, columns, sort])
  const scrolls = rows.length > visibleRows
  const first = scrolls ? Math.max(0, Math.floor(top / ROW_PX) - OVERSCAN) : 0
  const last = scrolls ? Math.min(rows.length, first + visibleRows + 2 * OVERSCAN) : rows.length
  useLayoutEffect(() => {
    const element = body.current
    if (!element || inView === undefined || inView < 0) return
    const start = inView * ROW_PX
    if (start < element.scrollTop) element.scrollTop = start
    else if (start + ROW_PX > element.scrollTop + element.clientHeight)
      element.scrollTop = start + ROW_PX - element.clientHeight
  }, [inView])
  const grid: CSSProperties = { gridTemplateColumns: columns.map((column) => column.track).join(' ') }
  const height = Math.max(1, Math.min(rows.length, visibleRows)) * ROW_PX
  const press = (key: string) =>
    setSort((was) => (was?.key !== key ? { key, down: true } : was.down ? { key, down: false } : null))
  return (
    <div
      className={`table ${scrolls ? 'scrolls' : ''}`}
      role="table"
      aria-label={label}
      aria-rowcount={rows.length + 1}
    >
      <div role="rowgroup">
        <div className="table-row table-head" role="row" style={grid} aria-rowindex={1}>
          {columns.map((column) => {
            const state = sort?.key === column.key ? (sort.down ? 'descending' : 'ascending') : undefined
            return (
              <div
                key={column.key}
                role="columnheader"
                className={column.align === 'end' ? 'end' : undefined}
                aria-sort={state}
              >
                {column.sortBy ? (
                  <button type="button" className="sort" onClick={() => press(column.key)}>
                    {column.header}
                    <span aria-hidden="true" className="sort-arrow">
                      {state === 'descending' ? '↓' : state === 'ascending' ? '↑' : ''}
                    </span>
                  </button>
                ) : (
                  column.header
                )}
              </div>
            )
          })}
        </div>
      </div>
      {rows.length === 0 ? (
        <div className="table-empty muted">{empty}</div>
      ) : (
        <div
          ref={body}
          role="rowgroup"
          className={scrolls ? 'table-body scroll' : 'table-body'}
          style={{ height }}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a part that scrolls must take the keyboard
          tabIndex={scrolls ? 0 : undefined}
          aria-label={scrolls ? t('table.scrollable', { label, count: rows.length }) : undefined}
          onScroll={scrolls ? (event) => setTop(event.currentTarget.scrollTop) : undefined}
        >
          <div style={{ height: rows.length * ROW_PX, paddingTop: first * ROW_PX }}>
            {sorted.slice(first, last).map((row, offset) => (
              <div
                key={rowKey(row)}
                role="row"
                className={`table-row ${isSelected?.(row) ? 'selected' : ''}`}
                style={grid}
                aria-rowindex={first + offset + 2}
              >
                {columns.map((column) => (
                  <div key={column.key} role="cell" className={column.align === 'end' ? 'end' : undefined}>
                    {column.cell(row)}
                  </div>
                ))}
              </div>
            ))}
          </div>
        </div>
      )}
    </div>
  )
}

function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  sort: { key: string; down: boolean } | null,
): readonly Row[] {
  const by = sort && columns.find((column) => column.key === sort.key)?.sortBy
  if (!by) return rows
  const sign = sort.down ? -1 : 1
  return [...rows].sort((one, other) => {
    const a = by(one)
    const b = by(other)
    return a === b ? 0 : (a < b ? -1 : 1) * sign
  })
}

/** The header and rows that a table's CSV has. */
export function csvOf<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): { header: string[]; rows: (string | number)[][] } {
  const kept = columns.flatMap((column) => [
    ...(column.csv ? [{ header: column.csvHeader ?? column.header, csv: column.csv }] : []),
    ...(column.csvMore ?? []),
  ])
  return {
    header: kept.map(({ header }) => header),
    rows: rows.map((row) => kept.map(({ csv }) => csv(row))),
  }
}
