import type { ChartConfiguration } from 'chart.js'
import type { SampleOperation } from '../../../src/contract/dto/measure'
import { formatCount } from '../../../src/primitives/quantity'
import { t } from '../copy'
import { amountAxis, classAxis } from './axes'
import { ChartCanvas, pointsOf, wordsTooltip } from './ChartCanvas'
import type { ChartColours } from './colours'

/** Accesses that took about as long. */
export interface TimeColumn {
  /** Below the column. */
  readonly label: string
  /** All that is known of it. */
  readonly words: string
  readonly counts: Readonly<Partial<Record<SampleOperation, number>>>
}

/** How many small accesses took how long; times by their logarithm, counts from zero. */
export function TimesChart({
  columns,
  operations,
  height,
}: {
  columns: readonly TimeColumn[]
  operations: readonly SampleOperation[]
  height: number
}) {
  const points = pointsOf(
    0,
    columns.map(({ words }) => words),
  )
  const configure = (colours: ChartColours): ChartConfiguration => {
    const axis = amountAxis(t('latency.y'), 5, colours, formatCount)
    return {
      type: 'bar',
      data: {
        labels: columns.map(({ label }) => label),
        datasets: operations.map((op) => ({
          data: columns.map(({ counts }) => counts[op] ?? 0),
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
      version={`${operations.join()} ${columns.map(({ words }) => words).join()}`}
      points={points}
      height={height}
    />
  )
}

function timesColour(op: SampleOperation, colours: ChartColours): string {
  if (op === 'randomRead') return colours.randomRead
  if (op === 'randomWrite') return colours.randomWrite
  return op === 'write' || op === 'streamWrite' ? colours.write : colours.read
}
