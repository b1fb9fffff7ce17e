import {
  type MeasureSample,
  SAMPLE_OPERATIONS,
  type SampleOperation,
} from '../../../../src/contract/dto/measure'
import {
  decimalsFor,
  formatCount,
  formatSize,
  shortNumber,
  type Units,
} from '../../../../src/primitives/quantity'
import { TimesChart } from '../../charts/TimesChart'
import { figureColumn, markColumn } from '../../components/columns'
import { type Column } from '../../components/DataTable'
import { TablePanel } from '../../components/TablePanel'
import { t } from '../../copy'
import { type TimeBin, timeBins } from './measureFigures'
import { formatTime, timeUnit } from './measureWords'

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
    <TablePanel
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
        bins.length === 0 ? null : (
          <TimesChart
            columns={bins.map((bin) => ({
              label: shortTime(bin.fromNs),
              words: binWords(bin, operations),
              counts: bin.counts,
            }))}
            operations={operations}
            height={CHART_PX}
          />
        )
      }
      keptPx={CHART_PX}
      columns={columns}
      rows={bins}
      rowKey={(bin) => bin.fromNs}
      visibleRows={10}
      empty={t('latency.says.none')}
      csv="access-times"
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
      csv: { from_nanoseconds: (bin) => bin.fromNs, to_nanoseconds: (bin) => bin.toNs },
    },
    ...operations.map((op) =>
      figureColumn(
        op,
        t(`op.${op}`),
        'minmax(13ch, 1fr)',
        (bin: TimeBin) => bin.counts[op] ?? 0,
        formatCount,
      ),
    ),
    markColumn((bin) => ({
      label: t('latency.title'),
      exactly: binWords(bin, operations),
      basis: { provenance: 'exact', text: t('basis.bin') },
    })),
  ]
}

/** `200 µs to 300 µs: Read 12; Write 3`. */
function binWords({ fromNs, toNs, counts }: TimeBin, operations: readonly SampleOperation[]): string {
  const parts = operations.map((op) =>
    t('latency.part', { op: t(`op.${op}`), count: formatCount(counts[op] ?? 0) }),
  )
  return t('latency.point', { from: formatTime(fromNs), to: formatTime(toNs), parts: parts.join('; ') })
}

/** `1.5 ms`: a round time without the zeros that its precision would ask for. */
function shortTime(ns: number): string {
  const { ns: one, unit } = timeUnit(ns)
  return `${shortNumber(ns / one, decimalsFor(ns / one))} ${unit}`
}
