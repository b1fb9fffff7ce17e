import type { VolumeDue } from '../../../../src/contract/dto/check'
import { formatCount } from '../../../../src/primitives/quantity'
import { formatDay } from '../../../../src/primitives/spokenTime'
import { type Column, csvOf, DataTable } from '../../components/DataTable'
import { Panel } from '../../components/Panel'
import { VolumeLabel } from '../../components/VolumeLabel'
import { t } from '../../copy'

const VISIBLE_ROWS = 6

/** When discs and images were verified last, and when to do so again: those that are due, or all. */
export function ChecksPanel({ kind, volumes }: { kind: 'due' | 'all'; volumes: readonly VolumeDue[] }) {
  return (
    <Panel
      title={t(`checks.${kind}`)}
      says={t(`checks.${kind}.says`)}
      csv={volumes.length === 0 ? undefined : () => ({ name: 'checks', ...csvOf(COLUMNS, volumes) })}
    >
      <DataTable
        label={t(`checks.${kind}`)}
        columns={COLUMNS}
        rows={volumes}
        rowKey={({ planId, setId, volume }) => `${planId ?? setId} ${volume}`}
        visibleRows={VISIBLE_ROWS}
        empty={t('checks.none')}
      />
    </Panel>
  )
}

const COLUMNS: readonly Column<VolumeDue>[] = [
  {
    key: 'label',
    header: t('column.volume'),
    track: 'minmax(110px, 1.600fr)',
    cell: ({ label }) => (
      <strong>
        <VolumeLabel label={label} />
      </strong>
    ),
    sortBy: ({ label }) => label,
    csv: { label: ({ label }) => label },
  },
  {
    key: 'disc',
    header: t('column.disc'),
    track: '40px',
    align: 'end',
    cell: ({ volume }) => formatCount(volume),
    sortBy: ({ volume }) => volume,
    csv: { disc: ({ volume }) => volume },
  },
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
