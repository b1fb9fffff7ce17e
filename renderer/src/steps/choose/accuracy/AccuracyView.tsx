import { useMemo, useState } from 'react'
import type { CompareDocument } from '../../../../../src/contract/dto/options'
import { formatCount, formatShare, type Units } from '../../../../../src/primitives/quantity'
import { formatMoment } from '../../../../../src/primitives/spokenTime'
import { AccuracyChart, type AccuracyPoint } from '../../../charts/AccuracyChart'
import { countColumn } from '../../../components/columns'
import { type Column, MOMENT_TRACK } from '../../../components/DataTable'
import { Figure } from '../../../components/Figure'
import { Segments } from '../../../components/Segments'
import { EmptyState } from '../../../components/StepPage'
import { TablePanel } from '../../../components/TablePanel'
import { t } from '../../../copy'
import { useUnits } from '../../../state/sessionContext'
import { FACTS, type Fact } from '../FactTable'
import { OPTION_ROW_PX } from '../optionColumns'
import { FIGURE_KINDS, formatActual, formatFigure, signedShare } from '../optionWords'
import { type Build, buildColumns } from './accuracyColumns'

const CHART_PX = 340

/** Forecast vs. actual, of everything that was ever built here. */
export function AccuracyView({ compare }: { compare: CompareDocument | null }) {
  const units = useUnits()
  const columns = useMemo(() => buildColumns(units), [units])
  const runs = useMemo(() => runColumns(), [])
  if (compare !== null && compare.builds.length === 0 && compare.runs.length === 0)
    return <EmptyState title={t('accuracy.empty.title')} text={t('accuracy.empty.text')} />
  const builds = compare?.builds ?? []
  return (
    <div className="stack" aria-busy={compare === null}>
      <Medians compare={compare} />
      <ChartPanel builds={builds} columns={columns} />
      <TablePanel
        title={t('accuracyBuilds.title')}
        says={t('accuracyBuilds.says')}
        {...buildsTable(builds, columns)}
      />
      <TablePanel
        title={t('accuracyRuns.title')}
        says={t('accuracyRuns.says')}
        columns={runs}
        rows={compare?.runs ?? []}
        rowKey={(run) => run.runId}
        visibleRows={8}
        empty={t('accuracyRuns.none')}
      />
    </div>
  )
}

function Medians({ compare }: { compare: CompareDocument | null }) {
  return (
    <div className="totals">
      {FACTS.map((fact) => {
        const found = compare?.summary.find(({ figure }) => figure === fact) ?? null
        const share = found === null || found.builds === 0 ? null : formatShare(found.medianError)
        return (
          <Figure
            key={fact}
            size={fact === 'bytes' ? 'hero' : 'small'}
            label={t('accuracy.median', { figure: t(`fact.${fact}`) })}
            quantity={share === null ? null : { number: share.replace(' %', ''), unit: '%' }}
            exactly={
              share === null || found === null
                ? ''
                : t('accuracy.medianExactly', { share, count: formatCount(found.builds) })
            }
            basis={{ provenance: 'measured', text: t('accuracy.medianBasis') }}
            note={found === null ? '' : t('accuracy.medianNote', { held: found.held, count: found.builds })}
          />
        )
      })}
    </div>
  )
}

function ChartPanel({ builds, columns }: { builds: readonly Build[]; columns: readonly Column<Build>[] }) {
  const units = useUnits()
  const [fact, setFact] = useState<Fact>('bytes')
  const hasPoints = builds.some((build) => build.errors[fact] !== null)
  return (
    <TablePanel
      title={t('accuracyChart.title')}
      says={t('accuracyChart.says')}
      chart={
        hasPoints ? (
          <AccuracyChart
            points={pointsOf(builds, fact, units)}
            figure={t(`fact.${fact}`)}
            kind={FIGURE_KINDS[fact]}
            units={units}
            height={CHART_PX}
          />
        ) : null
      }
      keptPx={CHART_PX}
      {...buildsTable(builds, columns)}
    >
      <div className="board-foot line">
        <Segments
          label={t('accuracyChart.figure')}
          all={FACTS}
          chosen={fact}
          words={(each) => t(`fact.${each}`)}
          onChange={setFact}
        />
      </div>
    </TablePanel>
  )
}

/** The builds that can be drawn on logarithmic axes, by the actual figure. */
function pointsOf(builds: readonly Build[], fact: Fact, units: Units): AccuracyPoint[] {
  return builds
    .flatMap(({ name, errors }) => {
      const compared = errors[fact]
      if (compared === null || compared.actual <= 0 || compared.forecast.low <= 0) return []
      const { forecast, actual, error, held } = compared
      const words = t('accuracyChart.point', {
        name,
        forecast: formatFigure(fact, forecast.value, units),
        actual: formatActual(fact, actual, units),
        error: signedShare(error),
        held: t(held ? 'fact.holds' : 'fact.missed'),
      })
      return [{ actual, forecast, held, words }]
    })
    .sort((a, b) => a.actual - b.actual)
}

/** The table of builds, below its title and behind the chart. */
function buildsTable(builds: readonly Build[], columns: readonly Column<Build>[]) {
  return {
    csv: 'option-builds',
    columns,
    rows: builds,
    rowKey: (build: Build) => build.id,
    visibleRows: 8,
    rowPx: OPTION_ROW_PX,
    empty: t('accuracyBuilds.none'),
  }
}

const runColumns = (): Column<CompareDocument['runs'][number]>[] => [
  {
    key: 'when',
    header: t('column.whenBuilt'),
    track: `minmax(${MOMENT_TRACK}, 1fr)`,
    cell: (run) => formatMoment(run.startedWallMs),
    sortBy: (run) => run.startedWallMs,
  },
  countColumn('volumes', t('column.optionVolumes'), '72px', (run) => run.volumes),
  countColumn('forecast', t('column.sectorsForecast'), '124px', (run) => run.forecastSectors),
  countColumn('actual', t('column.sectorsActual'), '124px', (run) => run.actualSectors),
]
