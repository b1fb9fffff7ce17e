import { useMemo } from 'react'
import { Button } from 'react-aria-components'
import { copyKey } from '../../../../src/contract/dto/copies'
import { formatDay } from '../../../../src/primitives/spokenTime'
import { countColumn, wordColumn } from '../../components/columns'
import type { Column } from '../../components/DataTable'
import { TablePanel } from '../../components/TablePanel'
import { VolumeLabel } from '../../components/VolumeLabel'
import { t } from '../../copy'
import { CheckSession } from '../../state/catalog/checkSession'
import { dueOf } from '../../state/catalog/checkState'
import { CopiesSession, copyName } from '../../state/catalog/copiesSession'
import { type CopyRow, copyRows, furtherRows } from '../../state/catalog/copiesState'
import { useSession, useStateOf } from '../../state/sessionContext'

const VISIBLE_ROWS = 6

/**
 * When discs and images were verified last, and when to do so again: those that are due, or all.
 */
export function ChecksPanel({ kind }: { kind: 'due' | 'all' }) {
  const session = useSession(CopiesSession)
  const copies = useStateOf(CopiesSession, (state) => state.copies)
  const check = useStateOf(CheckSession)
  const rows = useMemo(() => {
    if (kind === 'due') return copyRows(dueOf(check), copies)
    return [...copyRows(check.volumes, copies), ...furtherRows(check.volumes, copies)]
  }, [kind, check, copies])
  const columns = useMemo(() => [...checkColumns(), actionsColumn(session)], [session])
  if (rows.length === 0) return null
  return (
    <TablePanel
      title={t(`checks.${kind}`)}
      says={t(`checks.${kind}.says`)}
      csv="checks"
      columns={columns}
      rows={rows}
      rowKey={copyKey}
      visibleRows={VISIBLE_ROWS}
      empty={t('checks.none')}
    />
  )
}

const checkColumns = (): readonly Column<CopyRow>[] => [
  wordColumn(
    'label',
    t('column.volume'),
    'minmax(102px, 1.600fr)',
    ({ label }) => label,
    ({ label }) => (
      <strong>
        <VolumeLabel label={label} />
      </strong>
    ),
  ),
  countColumn('disc', t('column.disc'), '40px', ({ volume }) => volume),
  countColumn('copy', t('column.copy'), '44px', ({ copy }) => copy),
  wordColumn('place', t('column.place'), 'minmax(8ch, 1fr)', placeText, (row) => (
    <span className="ellipsis given-name" title={placeText(row)}>
      {placeText(row)}
    </span>
  )),
  {
    key: 'last',
    header: t('column.lastCheck'),
    track: '20ch',
    cell: (row) => <span className={row.last?.result === 'good' ? 'muted' : 'warn'}>{lastText(row)}</span>,
    sortBy: ({ last, known }) => known?.lostWallMs ?? last?.checkedWallMs ?? 0,
    csv: { last_check: lastText },
  },
  {
    key: 'by',
    header: t('column.checkBy'),
    track: '11ch',
    cell: (row) => byText(row),
    sortBy: ({ checkByWallMs }) => checkByWallMs,
    csv: { check_by: byText },
  },
  {
    key: 'of',
    header: t('column.belongsTo'),
    track: 'minmax(8ch, 1fr)',
    cell: (row) => (
      <span className="ellipsis mono muted" title={row.planId ?? row.setId ?? ''}>
        {ofText(row)}
      </span>
    ),
    sortBy: ofText,
    csv: { plan_or_set: ({ planId, setId }) => planId ?? setId ?? '' },
  },
]

/** The copy that a row is about is lost or found, and kept somewhere. */
function actionsColumn(session: CopiesSession): Column<CopyRow> {
  return {
    key: 'note',
    header: t('copies.note'),
    isHeaderHidden: true,
    track: '14ch',
    align: 'end',
    cell: ({ known }) => {
      if (known === null) return null
      const kind = known.state === 'lost' ? 'found' : 'lost'
      const name = copyName(known)
      return (
        <span className="row-actions">
          <Button
            className="link"
            aria-label={t(`copies.${kind}.named`, { name })}
            onPress={() => void session.noteIs(kind, known)}
          >
            {t(`copies.${kind}`)}
          </Button>
          <Button
            className="link"
            aria-label={t('copies.place.named', { name })}
            onPress={() => session.askPlace(known)}
          >
            {t('copies.place')}
          </Button>
        </span>
      )
    },
  }
}

function placeText({ known }: CopyRow): string {
  return known?.place ?? ''
}

function lastText({ last, known }: CopyRow): string {
  if (known?.lostWallMs != null) return t('checks.last.lost', { day: formatDay(known.lostWallMs) })
  return last === null
    ? t('checks.last.never')
    : t(`checks.last.${last.result}`, { day: formatDay(last.checkedWallMs) })
}

function byText({ last, known, checkByWallMs }: CopyRow): string {
  if (known?.state === 'lost') return ''
  return last?.result === 'good' ? formatDay(checkByWallMs) : t('checks.now')
}

function ofText({ planId, setId }: CopyRow): string {
  return planId ?? setId?.slice(0, 8) ?? ''
}
