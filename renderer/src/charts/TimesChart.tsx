import type { ChartConfiguration } from 'chart.js'
import type { SampleOperation } from '../../../src/contract/dto/measure'
import { formatCount } from '../../../src/primitives/quantity'
import { t } from '../copy'
import type { TimeBin } from '../steps/measure/measureFigures'
import { formatTime, timeQuantity } from '../steps/measure/measureWords'
import { ChartCanvas, tooltipStyle } from './ChartCanvas'
import type { ChartColours } from './colours'

/** How many small accesses took how long; times by their logarithm, counts from zero. */
export function TimesChart({
  bins,
  operations,
  height,
}: {
  bins: readonly TimeBin[]
  operations: readonly SampleOperation[]
  height: number
}) {
  const points = bins.map((bin) => binWords(bin, operations))
  const configure = (colours: ChartColours): ChartConfiguration => {
    const font = { family: colours.face, size: 12 }
    return {
      type: 'bar',
      data: {
        labels: bins.map((bin) => shortTime(bin.fromNs)),
        datasets: operations.map((op) => ({
          data: bins.map(({ counts }) => counts[op] ?? 0),
          backgroundColor: timesColour(op, colours),
          borderColor: colours.edge,
          borderWidth: 1,
          categoryPercentage: 0.86,
          barPercentage: 1,
        })),
      },
      options: {
        interaction: { mode: 'index', intersect: false },
        scales: {
          x: {
            border: { color: colours.hairline },
            grid: { display: false },
            ticks: { color: colours.muted, font, maxRotation: 0, autoSkipPadding: 10 },
            title: { display: true, text: t('latency.x'), color: colours.muted, font },
          },
          y: {
            beginAtZero: true,
            border: { display: false },
            grid: { color: colours.grid },
            ticks: { maxTicksLimit: 5, precision: 0, color: colours.muted, font },
            title: { display: true, text: t('latency.y'), color: colours.muted, font },
          },
        },
        plugins: {
          tooltip: {
            ...tooltipStyle(colours),
            filter: (item) => item.datasetIndex === 0,
            callbacks: {
              title: (items) => (points[items[0]?.dataIndex ?? 0] ?? '').split(': ')[0] ?? '',
              label: (item) => (points[item.dataIndex] ?? '').split(': ').slice(1).join(': ').split('; '),
            },
          },
        },
      },
    }
  }
  return (
    <ChartCanvas
      label={t('latency.label')}
      configure={configure}
      version={`${operations.join()} ${bins.map(({ fromNs, counts }) => `${fromNs} ${Object.values(counts).join(' ')}`).join()}`}
      points={points}
      walk={0}
      height={height}
    />
  )
}

/** `200 µs to 300 µs: Read 12; Write 3`. */
export function binWords({ fromNs, toNs, counts }: TimeBin, operations: readonly SampleOperation[]): string {
  const parts = operations.map((op) =>
    t('latency.part', { op: t(`op.${op}`), count: formatCount(counts[op] ?? 0) }),
  )
  return t('latency.point', { from: formatTime(fromNs), to: formatTime(toNs), parts: parts.join('; ') })
}

/** `1.5 ms`: a round time without the zeros that its precision would ask for. */
function shortTime(ns: number): string {
  const { number, unit } = timeQuantity(ns)
  return `${Number(number)} ${unit}`
}

function timesColour(op: SampleOperation, colours: ChartColours): string {
  if (op === 'randomRead') return colours.randomRead
  if (op === 'randomWrite') return colours.randomWrite
  return op === 'write' || op === 'streamWrite' ? colours.write : colours.read
}
