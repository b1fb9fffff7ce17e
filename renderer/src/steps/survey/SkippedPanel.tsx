import { useMemo } from 'react'
import type { Skipped, SurveyDocument } from '../../../../src/contract/dto/survey'
import { csvOf } from '../../components/DataTable'
import { skippedColumns } from '../../components/skippedColumns'
import { TablePanel } from '../../components/TablePanel'
import { allRows, usePagedRows } from '../../components/usePagedRows'
import { t } from '../../copy'
import { useSession, useUnits } from '../../state/sessionContext'
import { SurveySession } from './surveySession'

/**
 * Every file that could not be read: a survey with skips never looks complete. What is beyond the
 * document's own comes as it is scrolled to.
 */
export function SkippedPanel({ document }: { document: SurveyDocument }) {
  const session = useSession(SurveySession)
  const units = useUnits()
  const { skipped, totals, id } = document
  const columns = useMemo(() => skippedColumns(units), [units])
  const load = (offset: number, limit: number) => session.skips(id, offset, limit)
  const { rows, need } = usePagedRows(id, () => startOf(document), load)
  const all = async () => {
    const found = await allRows(totals.skipped, load)
    return found && { name: 'skipped-files', ...csvOf(columns, found) }
  }
  return (
    <TablePanel
      className="skipped"
      title={t('skipped.title', { count: totals.skipped })}
      says={t('skipped.says')}
      csv={all}
      columns={columns}
      rows={rows}
      rowKey={(row) => row.path}
      visibleRows={10}
      empty=""
      {...(totals.skipped > skipped.length ? { need } : {})}
    />
  )
}

/** One row for each skipped entry; those that the document does not list are holes. */
function startOf({ skipped, totals }: SurveyDocument): Skipped[] {
  const rows = [...skipped]
  rows.length = Math.max(rows.length, totals.skipped)
  return rows
}
