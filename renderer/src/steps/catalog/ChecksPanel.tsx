import { useMemo } from 'react'
import type { VolumeDue } from '../../../../src/contract/dto/check'
import { formatDay } from '../../../../src/primitives/spokenTime'
import { countColumn, wordColumn } from '../../components/columns'
import type { Column } from '../../components/DataTable'
import { TablePanel } from '../../components/TablePanel'
import { VolumeLabel } from '../../components/VolumeLabel'
import { t } from '../../copy'
import { useStateOf } from '../../state/sessionContext'
import { CopiesSession } from './copies/copiesSession'
import { copyKey, placesOf } from './copies/copiesState'

const VISIBLE_ROWS = 6

/**
 * When discs and images were verified last, and when to do so again: those that are due, or all.
 */
export function ChecksPanel({ kind, volumes }: { kind: 'due' | 'all'; volumes: readonly VolumeDue[] }) {
  const copies = useStateOf(CopiesSession, (state) => state.copies)
  const columns = useMemo(() => checkColumns(placesOf(copies)), [copies])
  return (
    <TablePanel
      title={t(`checks.${kind}`)}
      says={t(`checks.${kind}.says`)}
      csv="checks"
      columns={columns}
      rows={volumes}
      rowKey={copyKey}
      visibleRows={VISIBLE_ROWS}
      empty={t('checks.none')}
    />
  )
}

const checkColumns = (places: ReadonlyMap<string, string>): readonly Column<VolumeDue>[] => [
  wordColumn(
    'label',
    t('column.volume'),
    'minmax(110px, 1.600fr)',
    ({ label }) => label,
    ({ label }) => (
      <strong>
        <VolumeLabel label={label} />
      </strong>
    ),
  ),
  countColumn('disc', t('column.disc'), '40px', ({ volume }) => volume),
  countColumn('copy', t('column.copy'), '44px', ({ copy }) => copy),
  wordColumn(
    'place',
    t('column.place'),
    'minmax(9ch, 1fr)',
    (row) => places.get(copyKey(row)) ?? '',
    (row) => (
      <span className="ellipsis given-name" title={places.get(copyKey(row))}>
        {places.get(copyKey(row)) ?? ''}
      </span>
    ),
  ),
  {
    key: 'last',
    header: t('column.lastCheck'),
    track: '22ch',
    cell: (row) => <span className={row.last?.result === 'good' ? 'muted' : 'warn'}>{lastText(row)}</span>,
    sortBy: ({ last }) => last?.checkedWallMs ?? 0,
    csv: { last_check: lastText },
  },
  {
    key: 'by',
    header: t('column.checkBy'),
    track: '12ch',
    cell: (row) => byText(row),
    sortBy: ({ checkByWallMs }) => checkByWallMs,
    csv: { check_by: byText },
  },
  {
    key: 'of',
    header: t('column.belongsTo'),
    track: 'minmax(12ch, 1fr)',
    cell: (row) => (
      <span className="ellipsis mono muted" title={row.planId ?? row.setId ?? ''}>
        {ofText(row)}
      </span>
    ),
    sortBy: ofText,
    csv: { plan_or_set: ({ planId, setId }) => planId ?? setId ?? '' },
  },
]

function lastText({ last }: VolumeDue): string {
  return last === null
    ? t('checks.last.never')
    : t(`checks.last.${last.result}`, { day: formatDay(last.checkedWallMs) })
}

function byText({ last, checkByWallMs }: VolumeDue): string {
  return last?.result === 'good' ? formatDay(checkByWallMs) : t('checks.now')
}

function ofText({ planId, setId }: VolumeDue): string {
  return planId ?? setId?.slice(0, 12) ?? ''
}
