import type { ChartConfiguration } from 'chart.js'
import type { SampleOperation } from '../../../src/contract/dto/measure'
import { formatCount } from '../../../src/primitives/quantity'
import { t } from '../copy'
import type { TimeBin } from '../steps/measure/measureFigures'
import { formatTime, timeQuantity } from '../steps/measure/measureWords'
import { amountAxis, classAxis } from './axes'
import { ChartCanvas, pointsOf, wordsTooltip } from './ChartCanvas'
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
  const points = pointsOf(
    0,
    bins.map((bin) => binWords(bin, operations)),
  )
  const configure = (colours: ChartColours): ChartConfiguration => {
    const axis = amountAxis(t('latency.y'), 5, colours, formatCount)
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
          x: classAxis(t('latency.x'), colours),
          y: { beginAtZero: true, ...axis, ticks: { ...axis.ticks, precision: 0 } },
        },
        plugins: {
          tooltip: wordsTooltip(colours, points),
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
