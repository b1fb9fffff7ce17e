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
import { markColumn } from '../../components/columns'
import type { Column } from '../../components/DataTable'
import { columnsOf, type WindowTable } from '../../components/declaredColumns'
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
  compress: 'var(--op-compress)',
}

/** How long the smallest accesses take: nearly nothing but latency. */
export function LatencyPanel({ samples, units }: { samples: readonly MeasureSample[]; units: Units }) {
  const { bins, sizes } = timeBins(samples)
  const operations = SAMPLE_OPERATIONS.filter((op) => sizes[op] !== undefined)
  const columns = columnsFor(operations, units)
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

const BINS = {
  from: {
    heading: 'from',
    kind: 'nanoseconds',
    of: ({ fromNs }) => fromNs,
    csv: { from_nanoseconds: ({ fromNs }) => fromNs, to_nanoseconds: ({ toNs }) => toNs },
  },
} satisfies WindowTable<TimeBin>

/** The accesses of one operation that took so long. */
const countsOf = (op: SampleOperation) =>
  ({
    [op]: { heading: 'count', kind: 'count', of: ({ counts }) => counts[op] ?? 0 },
  }) satisfies WindowTable<TimeBin>

function columnsFor(operations: readonly SampleOperation[], units: Units): Column<TimeBin>[] {
  return [
    ...columnsOf<TimeBin, keyof typeof BINS>(BINS, units, {
      from: { track: 'minmax(80px, 1fr)', cell: ({ fromNs }) => formatTime(fromNs) },
    }),
    ...operations.flatMap((op) =>
      columnsOf(countsOf(op), units, { [op]: { track: 'minmax(13ch, 1fr)', header: t(`op.${op}`) } }),
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
