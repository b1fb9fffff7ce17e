import { useMemo } from 'react'
import type { Skipped, SurveyDocument } from '../../../../src/contract/dto/survey'
import { pathForDisplay } from '../../../../src/primitives/pathText'
import type { Units } from '../../../../src/primitives/quantity'
import { type Column, csvOf } from '../../components/DataTable'
import { columnsOf, type WindowTable } from '../../components/declaredColumns'
import { TablePanel } from '../../components/TablePanel'
import { allRows, usePagedRows } from '../../components/usePagedRows'
import { spoken, t } from '../../copy'
import { useSession, useUnits } from '../../state/sessionContext'
import { SurveySession } from './surveySession'

/** The reason without the path, which has a column of its own. */
function reasonOf({ path, message }: Skipped): string {
  const named = `${pathForDisplay(path)}: `
  const at = message.indexOf(named)
  return at < 0 ? message : message.slice(at + named.length)
}

const SKIPPED = {
  path: { heading: 'path', kind: 'path', of: ({ path }) => path },
  message: { heading: 'why', kind: 'words', of: ({ message }) => message },
  code: { heading: 'code', kind: 'code', of: ({ code }) => code },
} satisfies WindowTable<Skipped>

const skippedColumns = (units: Units): Column<Skipped>[] =>
  columnsOf<Skipped, keyof typeof SKIPPED>(SKIPPED, units, {
    path: 'minmax(200px, 3fr)',
    message: {
      track: 'minmax(32ch, 2fr)',
      say: ({ message }) => spoken(message),
      cell: (row) => (
        <span className="ellipsis selectable" title={spoken(row.message)}>
          {reasonOf(row)}
        </span>
      ),
    },
    code: { track: '140px', cell: ({ code }) => <span className="mono muted">{code}</span> },
  })

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
