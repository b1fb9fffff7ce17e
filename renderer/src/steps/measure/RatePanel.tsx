import type {
  MeasurementDocument,
  MeasurePreview,
  MeasureSample,
  SampleOperation,
} from '../../../../src/contract/dto/measure'
import { formatCount, formatSize, type Units } from '../../../../src/primitives/quantity'
import { RateChart, type RatePoint, type RateSeries } from '../../charts/RateChart'
import { markColumn } from '../../components/columns'
import type { Column } from '../../components/DataTable'
import { columnsOf, type WindowTable } from '../../components/declaredColumns'
import { QuantityText } from '../../components/Figure'
import { TablePanel } from '../../components/TablePanel'
import { t } from '../../copy'
import { useUnits } from '../../state/sessionContext'
import {
  drawnSamples,
  FILE_OPERATIONS,
  type FiguresByOperation,
  fittedCurve,
  rateOf,
  sizeExtent,
} from './measureFigures'
import { formatTime, rateQuantity, sampleWords } from './measureWords'

const CHART_PX = 300
/** Points drawn of each operation; more only cover one another. */
const MOST_POINTS = 300

/** How the rate depends on the size, file by file, with the line through the times. */
export function RatePanel({
  figures,
  samples,
  spec,
  other,
  name,
}: {
  figures: FiguresByOperation | null
  samples: readonly MeasureSample[]
  spec: MeasurePreview['spec'] | null
  /** The measurement that it is laid over. */
  other: MeasurementDocument | null
  /** The name of the exported file. */
  name: string
}) {
  const units = useUnits()
  const extent = sizeExtent([...samples, ...(other?.samples ?? [])], spec)
  const series: RateSeries[] = []
  const pointsOf = (all: readonly MeasureSample[], op: SampleOperation): RatePoint[] =>
    drawnSamples(all, op, MOST_POINTS).map((sample) => ({
      bytes: sample.bytes,
      rate: rateOf(sample),
      isMarked: sample.mark !== null,
      words: sampleWords(sample, units),
    }))
  for (const op of FILE_OPERATIONS) {
    if (!extent) break
    if (other?.[op])
      series.push({
        op,
        points: pointsOf(other.samples, op),
        curve: fittedCurve(other[op], extent.from, extent.to),
        isOther: true,
      })
    if (figures?.[op])
      series.push({
        op,
        points: pointsOf(samples, op),
        curve: fittedCurve(figures[op], extent.from, extent.to),
        isOther: false,
      })
  }
  const columns = columnsFor(units)
  return (
    <TablePanel
      title={t('rates.title')}
      says={sayRates(figures, series, samples.length, units)}
      chart={
        extent === null ? null : <RateChart series={series} extent={extent} units={units} height={CHART_PX} />
      }
      keptPx={CHART_PX}
      columns={columns}
      rows={samples}
      rowKey={(sample) => `${sample.op} ${sample.startMs} ${sample.bytes}`}
      visibleRows={10}
      empty={t('rates.says.none')}
      csv={`measurement-${name || 'running'}-samples`}
    />
  )
}

function sayRates(
  figures: FiguresByOperation | null,
  series: readonly RateSeries[],
  count: number,
  units: Units,
): string {
  const own = series.filter(({ isOther }) => !isOther)
  if (own.length === 0) return t('rates.says.none')
  const shown = own.reduce((sum, { points }) => sum + points.length, 0)
  const files = own.reduce((sum, { op }) => sum + (figures?.[op]?.samples ?? 0), 0)
  const half = figures?.read?.halfSpeedBytes ?? null
  const parts = [
    half === null
      ? t('rates.says.points')
      : t('rates.says', { op: t('op.read'), size: formatSize(Math.round(half.value), units) }),
    ...(half !== null && half.high > half.low ? [t('rates.says.band')] : []),
    ...(shown < Math.min(files, count)
      ? [t('rates.says.shown', { shown: formatCount(shown), count: formatCount(files) })]
      : []),
  ]
  return parts.join(' ')
}

const SAMPLES = {
  operation: {
    heading: 'operation',
    kind: 'code',
    of: ({ op }) => op,
    csv: {
      operation: ({ op }) => op,
      test: ({ test }) => test,
      repeat: ({ repeat }) => repeat,
    },
  },
  bytes: { heading: 'size', kind: 'bytes', of: ({ bytes }) => bytes },
  rate: {
    heading: 'rate',
    kind: 'rate',
    of: rateOf,
    csv: { bytes_per_second: (sample) => Math.round(rateOf(sample)) },
  },
  time: {
    heading: 'time',
    kind: 'nanoseconds',
    of: ({ ns }) => ns,
    csv: {
      nanoseconds: ({ ns }) => ns,
      transfer_nanoseconds: ({ transferNs }) => transferNs,
      start_milliseconds: ({ startMs }) => startMs,
    },
  },
  mark: { heading: 'mark', kind: 'code', of: ({ mark }) => mark ?? '' },
} satisfies WindowTable<MeasureSample>

function columnsFor(units: Units): Column<MeasureSample>[] {
  return [
    ...columnsOf<MeasureSample, keyof typeof SAMPLES>(SAMPLES, units, {
      operation: { track: 'minmax(96px, 1.200fr)', say: ({ op }) => t(`op.${op}`) },
      bytes: 'minmax(76px, 1fr)',
      rate: {
        track: 'minmax(84px, 1fr)',
        cell: (sample) => <QuantityText {...rateQuantity(rateOf(sample), units)} />,
      },
      time: { track: 'minmax(76px, 1fr)', cell: ({ ns }) => formatTime(ns) },
      mark: {
        track: 'minmax(22ch, 1.600fr)',
        cell: ({ mark }) => (
          <span className={mark === null ? 'ellipsis muted' : 'ellipsis warn'}>
            {t(`mark.${mark ?? 'none'}`)}
          </span>
        ),
      },
    }),
    markColumn((sample) => ({
      label: t(`op.${sample.op}`),
      exactly: sampleWords(sample, units),
      basis: { provenance: 'measured', text: t('basis.sample') },
    })),
  ]
}
