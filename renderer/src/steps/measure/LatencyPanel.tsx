import {
  type MeasureSample,
  SAMPLE_OPERATIONS,
  type SampleOperation,
} from '../../../../src/contract/dto/measure'
import { formatCount, formatSize, type Units } from '../../../../src/primitives/quantity'
import { binWords, TimesChart } from '../../charts/TimesChart'
import { type Column, csvOf, DataTable } from '../../components/DataTable'
import { HowDoWeKnow } from '../../components/Figure'
import { Panel } from '../../components/Panel'
import { t } from '../../copy'
import { type TimeBin, timeBins } from './measureFigures'
import { formatTime } from './measureWords'

const CHART_PX = 300

const SWATCH: Record<SampleOperation, string> = {
  write: 'var(--op-write)',
  streamWrite: 'var(--op-write)',
  read: 'var(--op-read)',
  streamRead: 'var(--op-read)',
  randomRead: 'var(--op-random-read)',
  randomWrite: 'var(--op-random-write)',
}

/** How long the smallest accesses take: nearly nothing but latency. */
export function LatencyPanel({ samples, units }: { samples: readonly MeasureSample[]; units: Units }) {
  const { bins, sizes } = timeBins(samples)
  const operations = SAMPLE_OPERATIONS.filter((op) => sizes[op] !== undefined)
  const columns = columnsFor(operations)
  return (
    <Panel
      title={t('latency.title')}
      says={
        operations.length === 0 ? (
          t('latency.says.none')
        ) : (
          <span className="legend">
            {operations.map((op) => (
              <span key={op} className="legend-part">
                <span className="swatch" style={{ background: SWATCH[op] }} aria-hidden="true" />
                {t('latency.of', { op: t(`op.${op}`), size: formatSize(sizes[op] ?? 0, units) })}
              </span>
            ))}
          </span>
        )
      }
      chart={
        bins.length === 0 ? (
          <div className="chart-absent" style={{ height: CHART_PX }} />
        ) : (
          <TimesChart bins={bins} operations={operations} height={CHART_PX} />
        )
      }
      table={
        <div style={{ minHeight: CHART_PX }}>
          <DataTable
            label={t('latency.title')}
            columns={columns}
            rows={bins}
            rowKey={(bin) => bin.fromNs}
            visibleRows={10}
            empty={t('latency.says.none')}
          />
        </div>
      }
      csv={bins.length === 0 ? undefined : () => ({ name: 'access-times', ...csvOf(columns, bins) })}
    />
  )
}

function columnsFor(operations: readonly SampleOperation[]): Column<TimeBin>[] {
  return [
    {
      key: 'from',
      header: t('column.from'),
      track: 'minmax(80px, 1fr)',
      align: 'end',
      cell: (bin) => formatTime(bin.fromNs),
      sortBy: (bin) => bin.fromNs,
      csv: (bin) => bin.fromNs,
      csvHeader: 'from_nanoseconds',
      csvMore: [{ header: 'to_nanoseconds', csv: (bin) => bin.toNs }],
    },
    ...operations.map(
      (op): Column<TimeBin> => ({
        key: op,
        header: t(`op.${op}`),
        track: 'minmax(13ch, 1fr)',
        align: 'end',
        cell: (bin) => formatCount(bin.counts[op] ?? 0),
        sortBy: (bin) => bin.counts[op] ?? 0,
        csv: (bin) => bin.counts[op] ?? 0,
        csvHeader: op,
      }),
    ),
    {
      key: 'know',
      header: '',
      track: '28px',
      align: 'end',
      cell: (bin) => (
        <HowDoWeKnow
          className="mark-button"
          label={t('latency.title')}
          exactly={binWords(bin, operations)}
          basis={{ provenance: 'exact', text: t('basis.bin') }}
        />
      ),
    },
  ]
}
