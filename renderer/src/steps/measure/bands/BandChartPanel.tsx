import { useState } from 'react'
import type { BandSweepDocument, BandSweepPoint } from '../../../../../src/contract/dto/bands'
import { formatSize } from '../../../../../src/primitives/quantity'
import { BandChart, type BandMeasure, goodSizes } from '../../../charts/BandChart'
import { Segments } from '../../../components/Segments'
import { TablePanel } from '../../../components/TablePanel'
import { t } from '../../../copy'
import { useUnits } from '../../../state/sessionContext'
import { DRAWN_OPERATIONS, pointGroups } from './bandsState'
import { bandPointWords, containerWords } from './bandsWords'
import { pointColumns } from './pointColumns'

const CHART_PX = 320
const MEASURES: readonly BandMeasure[] = ['rate', 'time']

/**
 * Rate or time against band size, one container at a time; the table has all of them and the raw
 * file.
 */
export function BandChartPanel({
  points,
  document,
  fullBytes,
}: {
  /** The raw file first; empty before the first passes. */
  points: readonly BandSweepPoint[]
  /** Null while a sweep runs. */
  document: BandSweepDocument | null
  fullBytes: number
}) {
  const units = useUnits()
  const [measure, setMeasure] = useState<BandMeasure>('rate')
  const [wanted, setWanted] = useState<string | null>(null)
  const [reference] = points
  const groups = pointGroups(points)
  const group = groups.find(({ key }) => key === wanted) ?? groups[0]
  const recommended = document?.recommended ?? null
  const isChosen = (point: BandSweepPoint): boolean =>
    recommended !== null &&
    point.kind === 'UDSB' &&
    point.encryption === recommended.encryption &&
    point.bandSize === recommended.bandSize &&
    point.bandSize !== null
  const columns = pointColumns(units, reference ?? null, isChosen)
  const chosen = group?.points.find(isChosen)?.bandSize ?? null
  const good = goodSizes(fullBytes, recommended?.rule ?? { from: 3000, to: 10_000 })
  return (
    <TablePanel
      title={t('bandChart.title')}
      says={
        points.length === 0
          ? t('bandChart.says.none')
          : t('bandChart.says', { full: formatSize(fullBytes, units) })
      }
      chart={
        group === undefined ? null : (
          <BandChart
            points={group.points}
            operations={DRAWN_OPERATIONS}
            reference={reference ?? null}
            good={group.kind === 'UDSB' ? good : null}
            chosen={chosen}
            measure={measure}
            words={(point, op, rate) => bandPointWords(point, op, rate, units)}
            units={units}
            height={CHART_PX}
          />
        )
      }
      keptPx={CHART_PX}
      columns={columns}
      rows={points}
      rowKey={(point) => `${point.kind} ${point.encryption} ${point.bandSize}`}
      visibleRows={14}
      isSelected={isChosen}
      empty={t('bandChart.says.none')}
      csv={`band-sweep-${document?.id ?? 'running'}`}
    >
      <div className="choice-row band-choice-row line">
        <Segments
          label={t('bandChart.show')}
          all={MEASURES}
          chosen={measure}
          words={(id) => t(`bandChart.${id}`)}
          onChange={setMeasure}
        />
        {groups.length > 1 && (
          <Segments
            label={t('bandChart.group')}
            all={groups.map(({ key }) => key)}
            chosen={group?.key ?? ''}
            words={(id) => {
              const shown = groups.find(({ key }) => key === id)
              return shown ? containerWords(shown.kind, shown.encryption) : ''
            }}
            onChange={setWanted}
          />
        )}
      </div>
    </TablePanel>
  )
}
