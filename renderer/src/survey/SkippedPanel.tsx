import type { SurveyDocument } from '../../../src/contract/dto/survey'
import { formatCount } from '../../../src/primitives/quantity'
import { type Column, csvOf, DataTable } from '../components/DataTable'
import { Panel } from '../components/Panel'
import { PathText } from '../components/PathText'
import { t } from '../copy'

type Skipped = SurveyDocument['skipped'][number]

const COLUMNS: Column<Skipped>[] = [
  {
    key: 'path',
    header: t('column.path'),
    track: 'minmax(200px, 3fr)',
    cell: (row) => <PathText path={row.path} />,
    sortBy: (row) => row.path,
    csv: (row) => row.path,
    csvHeader: 'path',
  },
  {
    key: 'message',
    header: t('column.why'),
    track: 'minmax(140px, 2fr)',
    cell: (row) => (
      <span className="ellipsis selectable" title={row.message}>
        {row.message}
      </span>
    ),
    sortBy: (row) => row.message,
    csv: (row) => row.message,
    csvHeader: 'message',
  },
  {
    key: 'code',
    header: t('column.code'),
    track: '140px',
    cell: (row) => <span className="mono muted">{row.code}</span>,
    sortBy: (row) => row.code,
    csv: (row) => row.code,
    csvHeader: 'code',
  },
]

/** Every file that could not be read: a survey with skips never looks complete. */
export function SkippedPanel({ document }: { document: SurveyDocument }) {
  const { skipped, totals } = document
  return (
    <Panel
      className="skipped"
      title={t('skipped.title', { count: totals.skipped })}
      says={
        totals.skipped > skipped.length
          ? t('skipped.first', { shown: formatCount(skipped.length) })
          : t('skipped.says')
      }
      csv={() => ({ name: 'skipped-files', ...csvOf(COLUMNS, skipped) })}
    >
      <DataTable
        label={t('skipped.title', { count: totals.skipped })}
        columns={COLUMNS}
        rows={skipped}
        rowKey={(row) => row.path}
        visibleRows={10}
        empty=""
      />
    </Panel>
  )
}
