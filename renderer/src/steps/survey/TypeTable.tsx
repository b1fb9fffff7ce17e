import {
  isNotWorthCompressing,
  type SurveyDocument,
  shownCompression,
} from '../../../../src/contract/dto/survey'
import { ratioOf, typeTable } from '../../../../src/contract/tables/surveyTables'
import {
  fixedNumber,
  formatExactBytes,
  formatShare,
  numberRange,
  type Units,
} from '../../../../src/primitives/quantity'
import { classColour } from '../../charts/classColour'
import { markColumn } from '../../components/columns'
import { type Column, DataTable } from '../../components/DataTable'
import { columnsOf } from '../../components/declaredColumns'
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

/** Shares are of `total` bytes, bars of the largest row. */
export function typeColumns(rows: readonly TypeRow[], total: number, units: Units): Column<TypeRow>[] {
  const most = Math.max(1, ...rows.map(({ bytes }) => bytes))
  return [
    ...columnsOf(typeTable(total), units, {
      type: {
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
      },
      files: '60px',
      bytes: '72px',
      ratio: { track: '58px', cell: (row) => <Ratio row={row} /> },
      share: {
        track: 'minmax(76px, 1.4fr)',
        align: 'start',
        cell: (row) => (
          <span className="bar-cell">
            <span className="bar-track">
              <span
                className="bar"
                style={{ width: `${(row.bytes / most) * 100}%`, background: classColour(row.fileClass) }}
              />
            </span>
            <span className="bar-number">{formatShare(total === 0 ? 0 : row.bytes / total)}</span>
          </span>
        ),
        sortBy: (row) => row.bytes,
      },
    }),
    markColumn((row) => ({
      label: extensionName(row.extension),
      exactly: formatExactBytes(row.bytes),
      basis: { provenance: 'exact', text: t('basis.types') },
    })),
  ]
}

/** The ratio; hover and focus show its range, and a press how it is known. */
function Ratio({ row }: { row: TypeRow }) {
  const ratio = ratioOf(row)
  if (ratio === null) return null
  const range = numberRange(ratio.low, ratio.high, 2)
  const codec = codecName(shownCompression(row)?.codec ?? '')
  const text = t('basis.typeRatio', { codec })
  return (
    <HowDoWeKnow
      className="figure-inline"
      label={t('types.ratio', { name: extensionName(row.extension) })}
      exactly={`${fixedNumber(ratio.value, 3)} (${range})`}
      basis={{
        provenance: 'modelled',
        range,
        text: isNotWorthCompressing(row) ? `${text} ${t('basis.typeRatio.none')}` : text,
      }}
      shown={{ number: fixedNumber(ratio.value, 2), unit: '' }}
    />
  )
}
