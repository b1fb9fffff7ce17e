import type { Distribution, MeasurementDocument, TestRow } from '../../../../src/contract/dto/measure'
import { testTable } from '../../../../src/contract/tables/measureTables'
import { formatSize, formatSizeRange, type Units } from '../../../../src/primitives/quantity'
import { shownMark } from '../../components/columns'
import { type Column } from '../../components/DataTable'
import { columnsOf } from '../../components/declaredColumns'
import { QuantityText } from '../../components/Figure'
import { TablePanel } from '../../components/TablePanel'
import { spoken, t } from '../../copy'
import { formatTime, rateQuantity, timeQuantity } from './measureWords'
import { shownTest } from './testColumn'

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

function columnsFor(document: MeasurementDocument, units: Units): Column<TestRow>[] {
  const isMarked = !document.cache.plausible
  return columnsOf(testTable({ isContainer: false, isPlausible: !isMarked }), units, {
    test: shownTest(),
    operation: {
      track: 'minmax(94px, 1fr)',
      cell: (row) => <span className="ellipsis">{t(`op.${row.op}`)}</span>,
    },
    samples: '44px',
    sizes: {
      track: 'minmax(150px, 1.400fr)',
      align: 'end',
      say: (row) => sizesWords(row, units),
      sortBy: (row) => row.largestBytes,
    },
    rates: {
      track: 'minmax(80px, 1fr)',
      cell: ({ rates }) => <QuantityText {...rateQuantity(rates.median, units)} />,
    },
    middle: 'minmax(74px, 1fr)',
    times: {
      track: 'minmax(74px, 1fr)',
      cell: ({ times }) => <QuantityText {...timeQuantity(times.median)} />,
    },
    spread: {
      track: 'minmax(60px, 0.800fr)',
      sortBy: ({ rates }) => rates.spread ?? 0,
    },
    provenance: shownMark((row) => {
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
  })
}
