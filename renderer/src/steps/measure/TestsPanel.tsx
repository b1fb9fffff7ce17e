import type { Distribution, MeasurementDocument, TestRow } from '../../../../src/contract/dto/measure'
import {
  formatCount,
  formatShare,
  formatSize,
  formatSizeRange,
  type Quantity,
  type Units,
} from '../../../../src/primitives/quantity'
import { markColumn, wordColumn } from '../../components/columns'
import { type Column } from '../../components/DataTable'
import { QuantityText } from '../../components/Figure'
import { TablePanel } from '../../components/TablePanel'
import { spoken, t } from '../../copy'
import { formatTime, rateQuantity, timeQuantity } from './measureWords'
import { testColumn } from './testColumn'

/** The report: each operation of each test with its sizes, rates and times. */
export function TestsPanel({ document, units }: { document: MeasurementDocument; units: Units }) {
  const columns = columnsFor(document, units)
  return (
    <TablePanel
      title={t('tests.title')}
      says={t('tests.says')}
      csv={`measurement-${document.id}-tests`}
      columns={columns}
      rows={document.tests}
      rowKey={(row) => `${row.test} ${row.op}`}
      visibleRows={14}
      empty={t('tests.none')}
    />
  )
}

function sizesWords({ smallestBytes, largestBytes }: TestRow, units: Units): string {
  const smallest = formatSize(smallestBytes, units)
  return smallestBytes === largestBytes
    ? smallest
    : t('sizes.between', { from: smallest, to: formatSize(largestBytes, units) })
}

function middleOf({ n, median, q05, q95 }: Distribution, units: Units): string {
  return n > 1 ? formatSizeRange(median, q05, q95, units) : ''
}

function spreadOf({ spread, median }: Distribution): string {
  return spread === null || median === 0 ? '' : `± ${formatShare(spread / median)}`
}

/** The median of a distribution; the CSV has the middle 90 % too. */
function medianColumn(
  of: 'rates' | 'times',
  unit: string,
  header: string,
  track: string,
  write: (value: number) => Quantity,
): Column<TestRow> {
  return {
    key: of,
    header,
    track,
    align: 'end',
    cell: (row) => <QuantityText {...write(row[of].median)} />,
    sortBy: (row) => row[of].median,
    csv: {
      [`median_${unit}`]: (row) => Math.round(row[of].median),
      [`q05_${unit}`]: (row) => Math.round(row[of].q05),
      [`q95_${unit}`]: (row) => Math.round(row[of].q95),
    },
  }
}

function columnsFor(document: MeasurementDocument, units: Units): Column<TestRow>[] {
  const isMarked = !document.cache.plausible
  return [
    testColumn(),
    wordColumn(
      'operation',
      t('column.operation'),
      'minmax(94px, 1fr)',
      (row) => row.op,
      (row) => <span className="ellipsis">{t(`op.${row.op}`)}</span>,
    ),
    {
      key: 'files',
      header: t('column.samples'),
      track: '44px',
      align: 'end',
      cell: (row) => formatCount(row.samples),
      sortBy: (row) => row.samples,
      csv: { samples: (row) => row.samples, bytes: (row) => row.bytes },
    },
    {
      key: 'sizes',
      header: t('column.sizes'),
      track: 'minmax(150px, 1.400fr)',
      align: 'end',
      cell: (row) => sizesWords(row, units),
      sortBy: (row) => row.largestBytes,
      csv: { smallest_bytes: (row) => row.smallestBytes, largest_bytes: (row) => row.largestBytes },
    },
    medianColumn('rates', 'bytes_per_second', t('column.medianRate'), 'minmax(80px, 1fr)', (rate) =>
      rateQuantity(rate, units),
    ),
    {
      key: 'middle',
      header: t('column.middle90'),
      track: 'minmax(74px, 1fr)',
      align: 'end',
      cell: (row) => <span className="muted">{middleOf(row.rates, units)}</span>,
    },
    medianColumn('times', 'nanoseconds', t('column.medianTime'), 'minmax(74px, 1fr)', timeQuantity),
    {
      key: 'spread',
      header: t('column.spread'),
      track: 'minmax(60px, 0.800fr)',
      align: 'end',
      cell: (row) => <span className="muted">{spreadOf(row.rates)}</span>,
      sortBy: (row) => row.rates.spread ?? 0,
      csv: {
        spread_bytes_per_second: (row) => (row.rates.spread === null ? '' : Math.round(row.rates.spread)),
        plausible: () => String(!isMarked),
      },
    },
    {
      ...markColumn((row) => {
        const { number, unit } = rateQuantity(row.rates.median, units)
        return {
          label: `${spoken(row.name)}, ${t(`op.${row.op}`)}`,
          exactly: `${number} ${unit}, ${formatTime(row.times.median)}`,
          unit,
          basis: {
            provenance: 'measured',
            text: isMarked ? `${t('basis.implausible')} ${t('basis.tests')}` : t('basis.tests'),
            range: middleOf(row.rates, units) || undefined,
          },
        }
      }),
      csv: { provenance: () => 'measured' },
    },
  ]
}
