import { useMemo, useState } from 'react'
import type { CompareDocument } from '../../../../../src/contract/dto/options'
import { formatCount, formatShare, type Units } from '../../../../../src/primitives/quantity'
import { formatMoment } from '../../../../../src/primitives/spokenTime'
import { TruthChart } from '../../../charts/TruthChart'
import { type Column, csvOf, DataTable, MOMENT_TRACK } from '../../../components/DataTable'
import { Figure } from '../../../components/Figure'
import { Panel } from '../../../components/Panel'
import { Segments } from '../../../components/Segments'
import { EmptyState } from '../../../components/StepPage'
import { t } from '../../../copy'
import { useSession } from '../../../state/sessionContext'
import { useStore } from '../../../state/store'
import { FACTS, type Fact } from '../FactTable'
import { OPTION_ROW_PX } from '../optionColumns'
import { Check } from '../wishes/WishFields'
import { type Build, buildColumns, CALIBRATION_COLUMNS } from './truthColumns'

const CHART_PX = 340

/** Forecast vs. actual, of everything that was ever built here. */
export function TruthView({ compare, units }: { compare: CompareDocument | null; units: Units }) {
  const session = useSession()
  const { form } = useStore(session.stores.options)
  const columns = useMemo(() => buildColumns(units, form.calibrate), [units, form.calibrate])
  if (compare !== null && compare.builds.length === 0 && compare.runs.length === 0)
    return <EmptyState title={t('truth.empty.title')} text={t('truth.empty.text')} />
  const builds = compare?.builds ?? []
  return (
    <div className="truth" aria-busy={compare === null}>
      <Medians compare={compare} />
      <div className="truth-switch">
        <Check
          words={t('truth.calibrate')}
          isOn={form.calibrate}
          onChange={(calibrate) => session.options.set({ calibrate })}
        />
        <span className="muted">{t('truth.calibrate.note')}</span>
      </div>
      <ChartPanel builds={builds} columns={columns} units={units} />
      <Panel title={t('truthBuilds.title')} says={t('truthBuilds.says')} csv={buildsCsv(builds, columns)}>
        <BuildsTable builds={builds} columns={columns} />
      </Panel>
      <div className="split even">
        <Panel
          title={t('calibration.title')}
          says={t('calibration.says')}
          csv={
            compare === null || compare.calibration.length === 0
              ? undefined
              : () => ({ name: 'corrections', ...csvOf(CALIBRATION_COLUMNS, compare.calibration) })
          }
        >
          <DataTable
            label={t('calibration.title')}
            columns={CALIBRATION_COLUMNS}
            rows={compare?.calibration ?? []}
            rowKey={(row) => `${row.family} ${row.variant} ${row.figure}`}
            visibleRows={8}
            empty={t('calibration.none')}
          />
        </Panel>
        <Panel title={t('truthRuns.title')} says={t('truthRuns.says')}>
          <DataTable
            label={t('truthRuns.title')}
            columns={RUN_COLUMNS}
            rows={compare?.runs ?? []}
            rowKey={(run) => run.runId}
            visibleRows={8}
            empty={t('truthRuns.none')}
          />
        </Panel>
      </div>
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
            label={t('truth.median', { figure: t(`fact.${fact}`).toLowerCase() })}
            quantity={share === null ? null : { number: share.replace(' %', ''), unit: '%' }}
            exactly={
              share === null || found === null
                ? ''
                : t('truth.medianExactly', { share, count: formatCount(found.builds) })
            }
            basis={{ provenance: 'measured', text: t('truth.medianBasis') }}
            note={found === null ? '' : t('truth.medianNote', { held: found.held, count: found.builds })}
          />
        )
      })}
    </div>
  )
}

function ChartPanel({
  builds,
  columns,
  units,
}: {
  builds: readonly Build[]
  columns: readonly Column<Build>[]
  units: Units
}) {
  const [fact, setFact] = useState<Fact>('bytes')
  const hasPoints = builds.some((build) => build.errors[fact] !== null)
  return (
    <Panel
      title={t('truthChart.title')}
      says={t('truthChart.says')}
      chart={
        hasPoints ? (
          <TruthChart builds={builds} figure={fact} units={units} height={CHART_PX} />
        ) : (
          <div className="chart-absent" style={{ height: CHART_PX }} />
        )
      }
      table={
        <div style={{ minHeight: CHART_PX }}>
          <BuildsTable builds={builds} columns={columns} />
        </div>
      }
      csv={buildsCsv(builds, columns)}
    >
      <div className="board-foot">
        <Segments
          label={t('truthChart.figure')}
          all={FACTS}
          chosen={fact}
          words={(each) => t(`fact.${each}`)}
          onChange={setFact}
        />
      </div>
    </Panel>
  )
}

function buildsCsv(builds: readonly Build[], columns: readonly Column<Build>[]) {
  return builds.length === 0 ? undefined : () => ({ name: 'option-builds', ...csvOf(columns, builds) })
}

function BuildsTable({ builds, columns }: { builds: readonly Build[]; columns: readonly Column<Build>[] }) {
  return (
    <DataTable
      label={t('truthBuilds.title')}
      columns={columns}
      rows={builds}
      rowKey={(build) => build.id}
      visibleRows={8}
      rowPx={OPTION_ROW_PX}
      empty={t('truthBuilds.none')}
    />
  )
}

const RUN_COLUMNS: Column<CompareDocument['runs'][number]>[] = [
  {
    key: 'when',
    header: t('column.whenBuilt'),
    track: `minmax(${MOMENT_TRACK}, 1fr)`,
    cell: (run) => formatMoment(run.startedWallMs),
    sortBy: (run) => run.startedWallMs,
  },
  {
    key: 'volumes',
    header: t('column.optionVolumes'),
    track: '72px',
    align: 'end',
    cell: (run) => formatCount(run.volumes),
    sortBy: (run) => run.volumes,
  },
  {
    key: 'forecast',
    header: t('column.sectorsForecast'),
    track: '124px',
    align: 'end',
    cell: (run) => formatCount(run.forecastSectors),
    sortBy: (run) => run.forecastSectors,
  },
  {
    key: 'actual',
    header: t('column.sectorsActual'),
    track: '124px',
    align: 'end',
    cell: (run) => formatCount(run.actualSectors),
    sortBy: (run) => run.actualSectors,
  },
]
