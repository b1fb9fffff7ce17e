import {
  isNotWorthCompressing,
  type SurveyDocument,
  shownCompression,
} from '../../../../src/contract/dto/survey'
import {
  fixedNumber,
  formatExactBytes,
  formatShare,
  numberRange,
  type Units,
} from '../../../../src/primitives/quantity'
import { classColour } from '../../charts/classColour'
import { countColumn, markColumn, sizeColumn } from '../../components/columns'
import { type Column, DataTable } from '../../components/DataTable'
import { HowDoWeKnow } from '../../components/Figure'
import { t } from '../../copy'
import { extensionName } from '../../format/extensionName'
import { codecName } from '../../format/permanentNames'
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
        columns={typeColumns(rows, total, units)}
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

/** The columns of the table and its CSV: shares are of `total` bytes, bars of the largest row. */
export function typeColumns(rows: readonly TypeRow[], total: number, units: Units): Column<TypeRow>[] {
  const most = Math.max(1, ...rows.map(({ bytes }) => bytes))
  return [
    {
      key: 'type',
      header: t('column.type'),
      track: 'minmax(13ch, 1fr)',
      cell: (row) => (
        <span className="type-name" title={t(`class.${row.fileClass}`)}>
          <span className="swatch" style={{ background: classColour(row.fileClass) }} aria-hidden="true" />
          <span className="ellipsis">{extensionName(row.extension)}</span>
          {isNotWorthCompressing(row) && (
            <span className="tag" title={t('basis.typeRatio.none')}>
              {t('types.none')}
            </span>
          )}
        </span>
      ),
      sortBy: (row) => row.extension ?? '',
      csv: { extension: (row) => row.extension ?? '*', class: (row) => row.fileClass },
    },
    countColumn('files', t('column.files'), '60px', (row) => row.files),
    sizeColumn(units, 'bytes', t('column.size'), '72px', (row) => row.bytes),
    {
      key: 'ratio',
      header: t('column.ratio'),
      track: '58px',
      align: 'end',
      cell: (row) => <Ratio row={row} />,
      sortBy: (row) => ratioOf(row) ?? -1,
      csv: {
        ratio: (row) => ratioOf(row) ?? '',
        ratio_low: (row) => ratioOf(row, 'low') ?? '',
        ratio_high: (row) => ratioOf(row, 'high') ?? '',
      },
    },
    {
      key: 'share',
      header: t('column.share'),
      track: 'minmax(76px, 1.4fr)',
      cell: (row) => {
        const share = total === 0 ? 0 : row.bytes / total
        return (
          <span className="bar-cell">
            <span className="bar-track">
              <span
                className="bar"
                style={{ width: `${(row.bytes / most) * 100}%`, background: classColour(row.fileClass) }}
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

/** Stored / original bytes; null where too little of the type was sampled. */
function ratioOf(row: TypeRow, end: 'predictedBytes' | 'low' | 'high' = 'predictedBytes'): number | null {
  const shown = shownCompression(row)
  return shown && row.bytes > 0 ? shown[end] / row.bytes : null
}

/** The ratio; hover and focus show its range, and a press how it is known. */
function Ratio({ row }: { row: TypeRow }) {
  const [ratio, low, high] = [ratioOf(row), ratioOf(row, 'low'), ratioOf(row, 'high')]
  if (ratio === null || low === null || high === null) return null
  const range = numberRange(low, high, 2)
  const codec = codecName(shownCompression(row)?.codec ?? '')
  const text = t('basis.typeRatio', { codec })
  return (
    <HowDoWeKnow
      className="figure-inline"
      label={t('types.ratio', { name: extensionName(row.extension) })}
      exactly={`${fixedNumber(ratio, 3)} (${range})`}
      basis={{
        provenance: 'modelled',
        range,
        text: isNotWorthCompressing(row) ? `${text} ${t('basis.typeRatio.none')}` : text,
      }}
      shown={{ number: fixedNumber(ratio, 2), unit: '' }}
    />
  )
}
