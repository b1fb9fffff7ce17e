import { useMemo } from 'react'
import { type PlaceLoss, placeLosses } from '../../../../src/contract/dto/copies'
import { formatSize, type Units } from '../../../../src/primitives/quantity'
import type { Column } from '../../components/DataTable'
import { columnsOf, type WindowTable } from '../../components/declaredColumns'
import { TablePanel } from '../../components/TablePanel'
import { t } from '../../copy'
import { type KeptSet, volumesOf } from '../../state/catalog/keptArchive'
import { useStateOf, useUnits } from '../../state/sessionContext'
import { ArchiveSession } from './archiveSession'

const VISIBLE_ROWS = 5
const ROW_PX = 50

/** A place, with what the loss of it would leave of one set. */
interface Row extends PlaceLoss {
  readonly setId: string
  readonly set: string
}

/** The volumes of an archive that remain, and those that would be gone, if any one place burns. */
export function PlaceLossPanel({ sets }: { sets: readonly KeptSet[] }) {
  const volumes = useStateOf(ArchiveSession, (archive) => archive.volumes)
  const units = useUnits()
  const rows = useMemo(
    () =>
      sets.flatMap((set) =>
        placeLosses(volumesOf(set, volumes), set.copies).map(
          (loss): Row => Object.assign(loss, { setId: set.id, set: set.label }),
        ),
      ),
    [sets, volumes],
  )
  const isUnsure = rows.some(({ unsure }) => unsure.volumes > 0)
  const columns = useMemo(() => lossColumns(units, isUnsure), [units, isUnsure])
  return (
    <TablePanel
      title={t('burn.title')}
      says={t('burn.says')}
      csv="places"
      columns={columns}
      rows={rows}
      rowKey={({ setId, place }) => `${setId} ${place}`}
      rowPx={ROW_PX}
      visibleRows={VISIBLE_ROWS}
      empty={t('burn.none')}
    />
  )
}

/** The volumes that remain and those that are gone without each place; the CSV has each figure. */
const LOSSES = {
  place: { heading: 'place', kind: 'name', of: ({ place }) => place },
  set: { heading: 'ofSet', kind: 'name', of: ({ set }) => set },
  copies: { heading: 'copies', kind: 'count', of: ({ copies }) => copies },
  gone: { heading: 'goneThen', kind: 'count', of: ({ gone }) => gone.volumes, csv: figuresOf('gone') },
  kept: { heading: 'keptElsewhere', kind: 'count', of: ({ kept }) => kept.volumes, csv: figuresOf('kept') },
  unsure: {
    heading: 'keptUnsure',
    kind: 'count',
    of: ({ unsure }) => unsure.volumes,
    csv: figuresOf('unsure'),
  },
} satisfies WindowTable<Row>

type Fate = 'gone' | 'kept' | 'unsure'

function figuresOf(fate: Fate): Readonly<Record<string, (row: Row) => string | number>> {
  return {
    [`${fate}_volumes`]: (row) => row[fate].volumes,
    [`${fate}_files`]: (row) => row[fate].files ?? '',
    [`${fate}_bytes`]: (row) => row[fate].bytes ?? '',
  }
}

const lossColumns = (units: Units, isUnsure: boolean): readonly Column<Row>[] =>
  columnsOf<Row, keyof typeof LOSSES>(LOSSES, units, {
    place: 'minmax(10ch, 1.500fr)',
    set: { track: 'minmax(12ch, 1fr)', isForComparing: true },
    copies: '7ch',
    gone: {
      track: 'minmax(20ch, 1fr)',
      cell: (row) => <Sum row={row} fate="gone" units={units} />,
      align: 'start',
    },
    kept: {
      track: 'minmax(20ch, 1fr)',
      cell: (row) => <Sum row={row} fate="kept" units={units} />,
      align: 'start',
    },
    ...(isUnsure && {
      unsure: {
        track: 'minmax(20ch, 1fr)',
        cell: (row: Row) => <Sum row={row} fate="unsure" units={units} />,
        align: 'start' as const,
      },
    }),
  })

/** Volumes, with their files and bytes below. */
function Sum({ row, fate, units }: { row: Row; fate: Fate; units: Units }) {
  const { volumes, files, bytes } = row[fate]
  return (
    <span className="home-lines">
      <span className={fate === 'gone' && volumes > 0 ? 'warn' : volumes === 0 ? 'muted' : undefined}>
        {t('burn.volumes', { count: volumes })}
      </span>
      {volumes > 0 && files !== null && bytes !== null && (
        <span className="muted small">
          {t('burn.files', { count: files, size: formatSize(bytes, units) })}
        </span>
      )}
    </span>
  )
}
