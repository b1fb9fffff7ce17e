import { type ReactNode, useState } from 'react'
import { Button, ToggleButton } from 'react-aria-components'
import { t } from '../copy'
import { toCsv } from '../format/csv'
import { useSession } from '../state/sessionContext'

interface PanelProps {
  readonly title: string
  /** What the picture or the table says, in one line. */
  readonly says?: ReactNode
  /** The picture; where there is one, the table stands in its place on demand. */
  readonly chart?: ReactNode
  readonly table?: ReactNode
  readonly csv?: (() => { name: string; header: string[]; rows: (string | number)[][] }) | undefined
  readonly className?: string
  readonly children?: ReactNode
}

/** A titled part of a step, with Table and Export beside the title. */
export function Panel({ title, says, chart, table, csv, className, children }: PanelProps) {
  const session = useSession()
  const [asTable, setAsTable] = useState(false)
  const save = () => {
    if (!csv) return
    const { name, header, rows } = csv()
    void session.saveText(`${name}.csv`, toCsv(header, rows))
  }
  return (
    <section className={`panel ${className ?? ''}`} aria-label={title}>
      <header className="panel-head">
        <h2>{title}</h2>
        <div className="panel-actions">
          {chart !== undefined && table !== undefined && (
            <ToggleButton
              className="quiet"
              isSelected={asTable}
              onChange={setAsTable}
              aria-label={t('panel.tableOf', { title })}
            >
              {t('panel.table')}
            </ToggleButton>
          )}
          {csv && (
            <Button className="quiet" onPress={save} aria-label={t('panel.exportOf', { title })}>
              {t('panel.export')}
            </Button>
          )}
        </div>
      </header>
      <div className="panel-says muted">{says}</div>
      {asTable || chart === undefined ? table : chart}
      {children}
    </section>
  )
}
