import { useMemo } from 'react'
import { Button } from 'react-aria-components'
import type { VolumeDue } from '../../../../src/contract/dto/check'
import { copyKey, DISK, OPTICAL_DISC } from '../../../../src/contract/dto/copies'
import { DUE_TABLE } from '../../../../src/contract/tables/catalogTables'
import type { Units } from '../../../../src/primitives/quantity'
import { formatDay } from '../../../../src/primitives/spokenTime'
import type { Column } from '../../components/DataTable'
import { columnsOf, type WindowTable } from '../../components/declaredColumns'
import { TablePanel } from '../../components/TablePanel'
import { VolumeLabel } from '../../components/VolumeLabel'
import { t } from '../../copy'
import { sayRanges } from '../../format/sayRanges'
import { CheckSession } from '../../state/catalog/checkSession'
import { dueOf } from '../../state/catalog/checkState'
import { CopiesSession, copyName } from '../../state/catalog/copiesSession'
import { alikeRows, type CopyRow, copyRows, furtherRows, ofSets } from '../../state/catalog/copiesState'
import { useSession, useStateOf, useUnits } from '../../state/sessionContext'

const VISIBLE_ROWS = 6

/**
 * When discs and images were verified last, and when to do so again: those that are due, or all.
 * @param of the sets that it is about, which need no column then; all where none are given
 * @param isShort one row stands for copies of several volumes that look alike; what is done with
 *   each of them is done elsewhere
 */
export function ChecksPanel({
  kind,
  of,
  isShort = false,
}: {
  kind: 'due' | 'all'
  of?: ReadonlySet<string>
  isShort?: boolean
}) {
  const session = useSession(CopiesSession)
  const copies = useStateOf(CopiesSession, (state) => state.copies)
  const check = useStateOf(CheckSession)
  const rows = useMemo(() => {
    const rowsOf = (volumes: readonly VolumeDue[]) => copyRows(ofSets(volumes, of), copies)
    if (kind === 'due') return rowsOf(dueOf(check))
    const all = [...rowsOf(check.volumes), ...furtherRows(check.volumes, ofSets(copies, of))]
    return isShort ? alikeRows(all, looksOf) : all
  }, [kind, of, isShort, check, copies])
  const units = useUnits()
  const columns = useMemo(
    () => [
      ...checkColumns(units, of !== undefined, isShort).filter(({ key }) => !isShort || key !== 'disc'),
      actionsColumn(session),
    ],
    [session, units, of, isShort],
  )
  if (rows.length === 0) return null
  return (
    <TablePanel
      title={t(`checks.${kind}`)}
      says={t(`checks.${kind}.says`)}
      csv={isShort ? undefined : 'checks'}
      columns={columns}
      rows={rows}
      rowKey={copyKey}
      visibleRows={VISIBLE_ROWS}
      empty={t('checks.none')}
    />
  )
}

/** Copies with their last check, and where each is kept. */
const COPIES = {
  ...DUE_TABLE,
  place: { heading: 'place', kind: 'name', of: ({ known }) => known?.place ?? '' },
  medium: { heading: 'medium', kind: 'name', of: ({ known }) => known?.medium ?? '' },
} satisfies WindowTable<CopyRow>

const checkColumns = (units: Units, isOfOne: boolean, isShort: boolean): readonly Column<CopyRow>[] =>
  columnsOf<CopyRow, keyof typeof COPIES>(COPIES, units, {
    label: {
      track: isShort ? 'minmax(150px, 1.600fr)' : 'minmax(102px, 1.600fr)',
      cell: ({ label, labels }) => (
        <strong>{labels ? <LabelRanges labels={labels} /> : <VolumeLabel label={label} />}</strong>
      ),
    },
    disc: '40px',
    copy: '44px',
    place: 'minmax(8ch, 1fr)',
    ...(isOfOne && { medium: { track: 'minmax(8ch, 1fr)', say: mediumText } }),
    last_check: {
      track: '20ch',
      say: lastText,
      cell: (row) => <span className={row.last?.result === 'good' ? 'muted' : 'warn'}>{lastText(row)}</span>,
      sortBy: ({ last, known }) => known?.lostWallMs ?? last?.checkedWallMs ?? 0,
    },
    check_by: { track: '11ch', say: byText, sortBy: ({ checkByWallMs }) => checkByWallMs },
    ...(!isOfOne && {
      plan_or_set: {
        track: 'minmax(8ch, 1fr)',
        cell: (row) => (
          <span className="ellipsis mono muted" title={row.planId ?? row.setId ?? ''}>
            {ofText(row)}
          </span>
        ),
        sortBy: ofText,
      },
    }),
  })

/** The copy that a row is about is lost or found, and kept somewhere. */
function actionsColumn(session: CopiesSession): Column<CopyRow> {
  return {
    key: 'note',
    header: t('copies.note'),
    isHeaderHidden: true,
    track: '14ch',
    align: 'end',
    cell: ({ known, labels }) => {
      if (known === null || labels) return null
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

function LabelRanges({ labels }: { labels: readonly string[] }) {
  const said = sayRanges(labels)
  return (
    <span className="given-name ellipsis selectable" title={said}>
      {said}
    </span>
  )
}

/** Its plan or set, and everything that a row shows but its volume. */
function looksOf(row: CopyRow): string {
  return [ofText(row), row.copy, row.known?.place ?? '', mediumText(row), lastText(row), byText(row)].join(
    '\n',
  )
}

/** The kinds that Stowage writes to in the language of the window, others as they were noted. */
function mediumText({ known }: CopyRow): string {
  if (known?.medium === OPTICAL_DISC) return t('copies.medium.disc')
  return known?.medium === DISK ? t('copies.medium.disk') : (known?.medium ?? '')
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
