import type { SurveyDocument } from '../../../../src/contract/dto/survey'
import { formatExactBytes, formatShare, type Units } from '../../../../src/primitives/quantity'
import { classColour } from '../../charts/classColour'
import { countColumn, markColumn, sizeColumn } from '../../components/columns'
import { type Column, DataTable } from '../../components/DataTable'
import { t } from '../../copy'
import { extensionName } from '../../format/extensionName'
import { amountOf, type Linked } from './linked'

type TypeRow = SurveyDocument['types'][number]

/** The types of a selection; a row takes part in it by a click, Enter or Space. */
export function TypeTable({
  rows,
  total,
  units,
  linked,
  onPick,
}: {
  rows: readonly TypeRow[]
  /** Bytes of all types. */
  total: number
  units: Units
  linked: Linked
  onPick: (linked: Linked) => void
}) {
  const picked = linked?.by === 'type' ? linked : null
  return (
    <div className="type-table">
      <DataTable
        label={t('types.title')}
        columns={typeColumns(total, units)}
        rows={rows}
        rowKey={(row) => row.extension ?? ' rest'}
        visibleRows={11}
        empty={t('types.says.none')}
        isSelected={(row) => picked !== null && amountOf(row, picked).files > 0}
        inView={picked === null ? -1 : rows.findIndex((row) => row.extension === picked.extension)}
        onPick={(row) => onPick({ by: 'type', extension: row.extension })}
      />
    </div>
  )
}

/** The columns of the table and of its CSV; shares are of `total` bytes. */
export function typeColumns(total: number, units: Units): Column<TypeRow>[] {
  return [
    {
      key: 'type',
      header: t('column.type'),
      track: 'minmax(14ch, 1fr)',
      cell: (row) => (
        <span className="type-name" title={t(`class.${row.fileClass}`)}>
          <span className="swatch" style={{ background: classColour(row.fileClass) }} aria-hidden="true" />
          <span className="ellipsis">{extensionName(row.extension)}</span>
        </span>
      ),
      sortBy: (row) => row.extension ?? '',
      csv: { extension: (row) => row.extension ?? '*', class: (row) => row.fileClass },
    },
    countColumn('files', t('column.files'), '76px', (row) => row.files),
    sizeColumn(units, 'bytes', t('column.size'), '84px', (row) => row.bytes),
    {
      key: 'share',
      header: t('column.share'),
      track: 'minmax(104px, 1.400fr)',
      cell: (row) => {
        const share = total === 0 ? 0 : row.bytes / total
        return (
          <span className="bar-cell">
            <span className="bar-track">
              <span
                className="bar"
                style={{ width: `${share * 100}%`, background: classColour(row.fileClass) }}
              />
            </span>
            <span className="bar-number">{formatShare(share)}</span>
          </span>
        )
      },
      sortBy: (row) => row.bytes,
      csv: { share: (row) => (total === 0 ? 0 : row.bytes / total) },
    },
    markColumn((row) => ({
      label: extensionName(row.extension),
      exactly: formatExactBytes(row.bytes),
      basis: { provenance: 'exact', text: t('basis.types') },
    })),
  ]
}
