import type { ReactNode } from 'react'
import { DataTable, type DataTableProps } from './DataTable'
import { type Csv, Panel } from './Panel'
import { csvOf } from './tableColumns'

interface TablePanelProps<Row> extends Omit<DataTableProps<Row>, 'label'> {
  readonly title: string
  readonly says?: ReactNode
  readonly className?: string
  /**
   * A picture of the rows, which the table replaces on demand; null while there is nothing to draw.
   */
  readonly chart?: ReactNode
  /** The height that is kept for the picture or the table, whatever it shows. */
  readonly keptPx?: number
  /**
   * The CSV that Export saves: the rows under this name, or something else. Without rows there is
   * nothing to save.
   */
  readonly csv?: string | (() => Csv | Promise<Csv | null>) | undefined
  /** Content between the title and the table. */
  readonly above?: ReactNode
  /** Content below the table. */
  readonly children?: ReactNode
}

/** A titled part of a step with one table, its picture if it has one, and Export. */
export function TablePanel<Row>(props: TablePanelProps<Row>) {
  const { title, says, className, chart, keptPx, csv, above, children, ...table } = props
  const rows = (
    <>
      {above}
      <div style={{ minHeight: keptPx }}>
        <DataTable label={title} {...table} />
      </div>
    </>
  )
  return (
    <Panel
      title={title}
      says={says}
      className={className}
      chart={chart === null ? <div className="chart-absent" style={{ height: keptPx }} /> : chart}
      table={chart === null && table.rows.length === 0 ? undefined : rows}
      csv={
        typeof csv !== 'string'
          ? csv
          : table.rows.length === 0
            ? undefined
            : () => ({ name: csv, ...csvOf(table.columns, table.rows) })
      }
    >
      {children}
    </Panel>
  )
}
