import { useState } from 'react'
import { type Compression, type Solid, smallestOf } from '../../../../src/contract/dto/survey'
import { solidTable } from '../../../../src/contract/tables/surveyTables'
import {
  formatBlockSize,
  formatExactBytes,
  formatShare,
  formatSizeRange,
  sizeQuantity,
  sizeWithRange,
  type Units,
} from '../../../../src/primitives/quantity'
import { SolidChart } from '../../charts/SolidChart'
import { shownMark } from '../../components/columns'
import { type Column, csvOf } from '../../components/DataTable'
import { columnsOf } from '../../components/declaredColumns'
import { Segments } from '../../components/Segments'
import { TablePanel } from '../../components/TablePanel'
import { t } from '../../copy'
import { codecName } from '../../format/permanentNames'
import { bestCodec, codecsAt } from './forecasts'

const CHART_PX = 330

/** One solid archive of everything: its size over the dictionary, for three orders of the files. */
export function SolidPanel({
  solid,
  compression,
  totalBytes,
  units,
}: {
  solid: readonly Solid[]
  compression: readonly Compression[]
  totalBytes: number
  units: Units
}) {
  const codecs = [...new Set(solid.map((row) => row.codec))]
  const [wanted, setWanted] = useState('')
  const codec = codecs.includes(wanted) ? wanted : (codecs[0] ?? '')
  const rows = solid.filter((row) => row.codec === codec)
  const columns = columnsFor(totalBytes, units)
  const apart = bestCodec(codecsAt(compression, null))
  return (
    <TablePanel
      title={t('solid.title', { codec: codecName(codec) })}
      says={sayBest(rows, totalBytes, units)}
      chart={
        <>
          {codecs.length > 1 && (
            <div className="choice-row line">
              <Segments
                label={t('column.codec')}
                all={codecs}
                chosen={codec}
                words={codecName}
                onChange={setWanted}
              />
            </div>
          )}
          <SolidChart
            solid={rows}
            totalBytes={totalBytes}
            reference={apart ? { bytes: apart.predictedBytes, name: codecName(apart.codec) } : null}
            units={units}
            height={CHART_PX}
          />
        </>
      }
      keptPx={CHART_PX}
      columns={columns}
      rows={rows}
      rowKey={(row) => `${row.order} ${row.dictionaryBytes}`}
      visibleRows={10}
      empty={t('forecast.none')}
      csv={() => ({ name: 'solid-by-dictionary', ...csvOf(columns, solid) })}
    />
  )
}

function sayBest(rows: readonly Solid[], total: number, units: Units): string {
  const best = smallestOf([...rows].sort((one, other) => one.dictionaryBytes - other.dictionaryBytes))
  if (!best || total === 0) return t('forecast.none')
  return t('solid.says', {
    size: sizeWithRange({ ...best, bytes: best.predictedBytes }, units),
    share: formatShare(best.predictedBytes / total),
    dictionary: formatBlockSize(best.dictionaryBytes),
    order: t(`order.${best.order}`),
  })
}

function columnsFor(total: number, units: Units): Column<Solid>[] {
  return columnsOf(solidTable(total), units, {
    order: { track: 'minmax(96px, 1.200fr)', say: (row) => t(`order.${row.order}`) },
    dictionary_bytes: 'minmax(84px, 1fr)',
    size: 'minmax(84px, 1fr)',
    range: 'minmax(84px, 1fr)',
    share: 'minmax(64px, 1fr)',
    provenance: shownMark((row) => ({
      label: `${t(`order.${row.order}`)}, ${formatBlockSize(row.dictionaryBytes)}`,
      exactly: formatExactBytes(row.predictedBytes),
      unit: sizeQuantity(row.predictedBytes, units).unit,
      basis: {
        provenance: 'modelled',
        text: t('basis.solid'),
        range: formatSizeRange(row.predictedBytes, row.low, row.high, units),
      },
    })),
  })
}
