import { useRef, useState } from 'react'
import type { Skipped, SurveyDocument } from '../../../../src/contract/dto/survey'
import { pathForDisplay } from '../../../../src/primitives/pathText'
import { wordColumn } from '../../components/columns'
import { type Column, csvOf } from '../../components/DataTable'
import { PathText } from '../../components/PathText'
import { TablePanel } from '../../components/TablePanel'
import { t } from '../../copy'
import { useSession } from '../../state/sessionContext'
import { SurveySession } from './surveySession'

/** The reason without the path, which has a column of its own. */
function reasonOf({ path, message }: Skipped): string {
  const named = `${pathForDisplay(path)}: `
  const at = message.indexOf(named)
  return at < 0 ? message : message.slice(at + named.length)
}

const COLUMNS: Column<Skipped>[] = [
  wordColumn(
    'path',
    t('column.path'),
    'minmax(200px, 3fr)',
    (row) => row.path,
    (row) => <PathText path={row.path} />,
  ),
  wordColumn(
    'message',
    t('column.why'),
    'minmax(32ch, 2fr)',
    (row) => row.message,
    (row) => (
      <span className="ellipsis selectable" title={row.message}>
        {reasonOf(row)}
      </span>
    ),
  ),
  wordColumn(
    'code',
    t('column.code'),
    '140px',
    (row) => row.code,
    (row) => <span className="mono muted">{row.code}</span>,
  ),
]

/** Rows asked for at a time while scrolling, and while all are exported. */
const PAGE = 1000
const EXPORT_PAGE = 10_000

/**
 * Every file that could not be read: a survey with skips never looks complete. What is beyond the
 * document's own comes as it is scrolled to.
 */
export function SkippedPanel({ document }: { document: SurveyDocument }) {
  const session = useSession(SurveySession)
  const { skipped, totals, id } = document
  const [pages, setPages] = useState<{ readonly of: string; readonly rows: Skipped[] }>({ of: '', rows: [] })
  const asked = useRef(new Set<string>())
  const rows = pages.of === id ? pages.rows : startOf(document)
  const need = (from: number, to: number) => {
    for (let page = Math.floor(from / PAGE); page <= Math.floor((to - 1) / PAGE); page++) {
      const key = `${id} ${page}`
      if (asked.current.has(key) || rows[page * PAGE] !== undefined) continue
      asked.current.add(key)
      void session.skips(id, page * PAGE, PAGE).then((found) => {
        if (found === null) asked.current.delete(key)
        else
          setPages((was) => {
            const next = (was.of === id ? was.rows : startOf(document)).slice()
            found.forEach((row, index) => {
              next[page * PAGE + index] = row
            })
            return { of: id, rows: next }
          })
      })
    }
  }
  const all = async () => {
    const found: Skipped[] = []
    while (found.length < totals.skipped) {
      const page = await session.skips(id, found.length, EXPORT_PAGE)
      if (page === null) return null
      if (page.length === 0) break
      found.push(...page)
    }
    return { name: 'skipped-files', ...csvOf(COLUMNS, found) }
  }
  return (
    <TablePanel
      className="skipped"
      title={t('skipped.title', { count: totals.skipped })}
      says={t('skipped.says')}
      csv={all}
      columns={COLUMNS}
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
