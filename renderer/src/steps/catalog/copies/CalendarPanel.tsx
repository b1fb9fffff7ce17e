import { useMemo } from 'react'
import { type DuePlace, healthCalendar } from '../../../../../src/contract/dto/copies'
import { formatMonth } from '../../../../../src/primitives/spokenTime'
import { countColumn, wordColumn } from '../../../components/columns'
import type { Column } from '../../../components/DataTable'
import { TablePanel } from '../../../components/TablePanel'
import { t } from '../../../copy'
import { sayRanges } from '../../../format/sayRanges'
import { CheckSession } from '../../../state/catalog/checkSession'
import { CopiesSession } from '../../../state/catalog/copiesSession'
import { useStateOf } from '../../../state/sessionContext'

const VISIBLE_ROWS = 6

/** When copies fall due for verification, by month and place. */
export function CalendarPanel() {
  const copies = useStateOf(CopiesSession, (state) => state.copies)
  const { volumes, askedWallMs } = useStateOf(CheckSession)
  const columns = useMemo(() => calendarColumns(), [])
  const rows = useMemo(() => healthCalendar(volumes, copies, askedWallMs), [volumes, copies, askedWallMs])
  if (rows.length === 0) return null
  return (
    <TablePanel
      title={t('calendar.title')}
      says={t('calendar.says')}
      csv="verification-calendar"
      columns={columns}
      rows={rows}
      rowKey={({ dueWallMs, place }) => `${dueWallMs} ${place}`}
      visibleRows={VISIBLE_ROWS}
      empty={t('checks.none')}
    />
  )
}

const calendarColumns = (): readonly Column<DuePlace>[] => [
  {
    key: 'month',
    header: t('calendar.month'),
    track: '12ch',
    cell: (row) => <span className={row.dueWallMs === null ? 'warn' : undefined}>{monthText(row)}</span>,
    sortBy: ({ dueWallMs }) => dueWallMs ?? 0,
    csv: { month: monthText },
  },
  wordColumn('place', t('column.place'), 'minmax(12ch, 1fr)', placeText, (row) => (
    <span className={row.place === null ? 'ellipsis muted' : 'ellipsis given-name'} title={placeText(row)}>
      {placeText(row)}
    </span>
  )),
  countColumn('copies', t('calendar.copies'), '8ch', ({ copies }) => copies),
  wordColumn(
    'volumes',
    t('calendar.volumes'),
    'minmax(20ch, 3fr)',
    ({ labels }) => sayRanges(labels),
    ({ labels }) => (
      <span className="ellipsis given-name" title={sayRanges(labels)}>
        {sayRanges(labels)}
      </span>
    ),
  ),
]

function monthText({ dueWallMs }: DuePlace): string {
  return dueWallMs === null ? t('checks.now') : formatMonth(dueWallMs)
}

function placeText({ place }: DuePlace): string {
  return place ?? t('safe.noPlace')
}
