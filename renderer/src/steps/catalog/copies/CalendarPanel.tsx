import { useMemo } from 'react'
import { type DuePlace, healthCalendar } from '../../../../../src/contract/dto/copies'
import { CALENDAR_TABLE } from '../../../../../src/contract/tables/catalogTables'
import type { Units } from '../../../../../src/primitives/quantity'
import { formatMonth } from '../../../../../src/primitives/spokenTime'
import type { Column } from '../../../components/DataTable'
import { columnsOf } from '../../../components/declaredColumns'
import { TablePanel } from '../../../components/TablePanel'
import { t } from '../../../copy'
import { sayRanges } from '../../../format/sayRanges'
import { CheckSession } from '../../../state/catalog/checkSession'
import { CopiesSession } from '../../../state/catalog/copiesSession'
import { ofSets } from '../../../state/catalog/copiesState'
import { useStateOf, useUnits } from '../../../state/sessionContext'

const VISIBLE_ROWS = 6

/** When copies fall due for verification, by month and place: those of these sets, or all. */
export function CalendarPanel({ of }: { of?: ReadonlySet<string> }) {
  const copies = useStateOf(CopiesSession, (state) => state.copies)
  const { volumes, askedWallMs } = useStateOf(CheckSession)
  const units = useUnits()
  const columns = useMemo(() => calendarColumns(units), [units])
  const rows = useMemo(
    () => healthCalendar(ofSets(volumes, of), copies, askedWallMs),
    [volumes, of, copies, askedWallMs],
  )
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

const calendarColumns = (units: Units): readonly Column<DuePlace>[] =>
  columnsOf(CALENDAR_TABLE, units, {
    month: {
      track: '12ch',
      say: monthText,
      cell: (row) => <span className={row.dueWallMs === null ? 'warn' : undefined}>{monthText(row)}</span>,
      sortBy: ({ dueWallMs }) => dueWallMs ?? 0,
    },
    place: {
      track: 'minmax(18ch, 1fr)',
      say: placeText,
      cell: (row) => (
        <span
          className={row.place === null ? 'ellipsis muted' : 'ellipsis given-name'}
          title={placeText(row)}
        >
          {placeText(row)}
        </span>
      ),
    },
    copies: '8ch',
    volumes: { track: 'minmax(20ch, 3fr)', say: ({ labels }) => sayRanges(labels) },
  })

function monthText({ dueWallMs }: DuePlace): string {
  return dueWallMs === null ? t('checks.now') : formatMonth(dueWallMs)
}

function placeText({ place }: DuePlace): string {
  return place ?? t('safe.noPlace')
}
