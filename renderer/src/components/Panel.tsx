import { type ReactNode, useState } from 'react'
import { Button, ToggleButton } from 'react-aria-components'
import { t } from '../copy'
import { toCsv } from '../format/csv'
import { useSession } from '../state/sessionContext'

export interface Csv {
  readonly name: string
  readonly header: string[]
  readonly rows: (string | number)[][]
}

interface PanelProps {
  readonly title: string
  /** The conclusion from the picture or the table, in one line. */
  readonly says?: ReactNode
  /** The picture; the table replaces it on demand. */
  readonly chart?: ReactNode
  readonly table?: ReactNode
  /** The CSV that Export saves; null when it could not be loaded; the failure is reported then. */
  readonly csv?: (() => Csv | Promise<Csv | null>) | undefined
  readonly className?: string | undefined
  readonly children?: ReactNode
}

/** A titled part of a step, with Table and Export next to the title. */
export function Panel({ title, says, chart, table, csv, className, children }: PanelProps) {
  const session = useSession()
  const [asTable, setAsTable] = useState(false)
  const save = async () => {
    const found = await csv?.()
    if (found) await session.saveText(`${found.name}.csv`, toCsv(found.header, found.rows))
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
            <Button className="quiet" onPress={() => void save()} aria-label={t('panel.exportOf', { title })}>
              {t('panel.export')}
            </Button>
          )}
        </div>
      </header>
      <div className="panel-says muted">{says}</div>
      {table !== undefined && (asTable || chart === undefined) ? table : chart}
      {children}
    </section>
  )
}
