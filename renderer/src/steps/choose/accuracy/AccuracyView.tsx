import { useMemo, useState } from 'react'
import type { CompareDocument, ComparedFigure } from '../../../../../src/contract/dto/options'
import { formatCount, formatShare, type Units } from '../../../../../src/primitives/quantity'
import { formatMoment } from '../../../../../src/primitives/spokenTime'
import { AccuracyChart, type AccuracyPoint } from '../../../charts/AccuracyChart'
import { SectorsSize } from '../../../components/columns'
import { type Column, MOMENT_TRACK } from '../../../components/DataTable'
import { columnsOf, type WindowTable } from '../../../components/declaredColumns'
import { Figure } from '../../../components/Figure'
import { Segments } from '../../../components/Segments'
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
  const runs = useMemo(() => runColumns(units), [units])
  const builds = compare?.builds ?? []
  return (
    <div className="stack" aria-busy={compare === null}>
      <Medians compare={compare} />
      <ChartPanel compare={compare} columns={columns} />
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

function ChartPanel({
  compare,
  columns,
}: {
  compare: CompareDocument | null
  columns: readonly Column<Build>[]
}) {
  const units = useUnits()
  const [fact, setFact] = useState<Fact>('bytes')
  const points = compare === null ? [] : pointsOf(compare, fact, units)
  return (
    <TablePanel
      title={t('accuracyChart.title')}
      says={t('accuracyChart.says')}
      chart={
        points.length > 0 ? (
          <AccuracyChart
            points={points}
            figure={t(`fact.${fact}`)}
            kind={FIGURE_KINDS[fact]}
            units={units}
            height={CHART_PX}
          />
        ) : compare === null ? null : (
          <p className="chart-absent muted" style={{ height: CHART_PX }}>
            {t('accuracyChart.none')}
          </p>
        )
      }
      keptPx={CHART_PX}
      {...buildsTable(compare?.builds ?? [], columns)}
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

type Compared = Pick<ComparedFigure, 'actual' | 'error' | 'held'> & {
  readonly forecast: AccuracyPoint['forecast']
}

/** Builds of options and of sets that can be drawn on logarithmic axes, by the actual figure. */
function pointsOf({ builds, runs, times }: CompareDocument, fact: Fact, units: Units): AccuracyPoint[] {
  const point = (name: string, compared: Compared | null, isSet: boolean): AccuracyPoint[] => {
    if (compared === null || compared.actual <= 0 || compared.forecast.low <= 0) return []
    const { forecast, actual, error, held } = compared
    const words = t('accuracyChart.point', {
      name,
      forecast: formatFigure(fact, forecast.value, units),
      actual: formatActual(fact, actual, units),
      error: signedShare(error),
      held: t(held ? 'fact.holds' : 'fact.missed'),
    })
    return [{ actual, forecast, held, isSet, words }]
  }
  const setName = ({ volumes, startedWallMs }: { volumes: number; startedWallMs: number }): string =>
    t('accuracyChart.set', { count: volumes, moment: formatMoment(startedWallMs) })
  return [
    ...builds.flatMap(({ name, errors }) => point(name, errors[fact], false)),
    ...(fact === 'bytes' ? runs.flatMap((run) => point(setName(run), sizeOf(run), true)) : []),
    ...(fact === 'buildSeconds'
      ? times
          .filter(({ step }) => step === 'build')
          .flatMap((time) => point(setName(time), { ...time, actual: time.actualSeconds }, true))
      : []),
  ].sort((a, b) => a.actual - b.actual)
}

/** The size of a set: its forecast is the most that it can be. */
function sizeOf({ sectorBytes, forecastSectors, actualSectors }: CompareDocument['runs'][number]): Compared {
  const forecast = forecastSectors * sectorBytes
  return {
    forecast: { value: forecast, low: forecast, high: forecast },
    actual: actualSectors * sectorBytes,
    error: forecastSectors / actualSectors - 1,
    held: actualSectors <= forecastSectors,
  }
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

type Run = CompareDocument['runs'][number]

const RUNS = {
  when: { heading: 'whenBuilt', kind: 'moment', of: ({ startedWallMs }) => startedWallMs },
  volumes: { heading: 'optionVolumes', kind: 'count', of: ({ volumes }) => volumes },
  forecast: { heading: 'forecast', kind: 'count', of: ({ forecastSectors }) => forecastSectors },
  actual: { heading: 'actual', kind: 'count', of: ({ actualSectors }) => actualSectors },
} satisfies WindowTable<Run>

const runColumns = (units: Units): Column<Run>[] =>
  columnsOf<Run, keyof typeof RUNS>(RUNS, units, {
    when: `minmax(${MOMENT_TRACK}, 1fr)`,
    volumes: '72px',
    forecast: {
      track: '96px',
      cell: ({ forecastSectors: sectors, sectorBytes }) => (
        <SectorsSize sectors={sectors} sectorBytes={sectorBytes} units={units} />
      ),
    },
    actual: {
      track: '96px',
      cell: ({ actualSectors: sectors, sectorBytes }) => (
        <SectorsSize sectors={sectors} sectorBytes={sectorBytes} units={units} />
      ),
    },
  })
