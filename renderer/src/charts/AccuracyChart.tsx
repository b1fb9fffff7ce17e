import type { ChartConfiguration } from 'chart.js'
import type { Units } from '../../../src/primitives/quantity'
import { t } from '../copy'
import { ChartCanvas, pointsOf, wordsTooltip } from './ChartCanvas'
import type { ChartColours } from './colours'
import { endLabels } from './endLabels'
import { type FigureKind, figureAxis } from './figureAxis'
import { whiskers } from './pointLabels'

const ROOM = 1.15
const DIAGONAL = 0
const POINTS = 1

/** One build; its figures are above zero. */
export interface AccuracyPoint {
  readonly actual: number
  readonly forecast: { readonly value: number; readonly low: number; readonly high: number }
  /** True when the range contains the actual figure. */
  readonly held: boolean
  /** Built of a plan, not of an option. */
  readonly isSet: boolean
  readonly words: string
}

/** Forecast vs. actual on logarithmic axes; on the dashed line the forecast is right. */
export function AccuracyChart({
  points,
  figure,
  kind,
  units,
  height,
}: {
  /** By the actual figure. */
  points: readonly AccuracyPoint[]
  /** The figure's name. */
  figure: string
  kind: FigureKind
  units: Units
  height: number
}) {
  const ends = points.flatMap(({ actual, forecast }) => [actual, forecast.low, forecast.high])
  const range = { from: Math.min(...ends) / ROOM, to: Math.max(...ends) * ROOM }
  const words = pointsOf(
    POINTS,
    points.map((point) => point.words),
  )
  const configure = (colours: ChartColours): ChartConfiguration => ({
    type: 'line',
    data: {
      datasets: [
        {
          data: [range.from, range.to].map((at) => ({ x: Math.log10(at), y: Math.log10(at) })),
          borderColor: colours.strong,
          borderWidth: 1,
          borderDash: [4, 4],
          pointRadius: 0,
          pointHitRadius: 0,
          order: 2,
        },
        {
          data: points.map(({ actual, forecast }) => ({
            x: Math.log10(actual),
            y: Math.log10(forecast.value),
          })),
          showLine: false,
          pointRadius: 4,
          pointHoverRadius: 6,
          // A miss has another shape.
          pointStyle: points.map(({ held, isSet }) => (!held ? 'crossRot' : isSet ? 'rect' : 'circle')),
          pointBorderColor: points.map(({ held }) => (held ? colours.accent : colours.ink)),
          pointBorderWidth: points.map(({ held }) => (held ? 1 : 2)),
          pointBackgroundColor: colours.accent,
          order: 1,
        },
      ],
    },
    options: {
      layout: { padding: { top: 10, right: 48 } },
      scales: {
        x: figureAxis(t('accuracyChart.x'), kind, range, 7, false, units, colours),
        y: figureAxis(t('accuracyChart.y'), kind, range, 6, true, units, colours),
      },
      plugins: {
        tooltip: wordsTooltip(colours, words, { one: true }),
      },
    },
    plugins: [
      whiskers(
        POINTS,
        points.map(({ forecast }) => ({ low: Math.log10(forecast.low), high: Math.log10(forecast.high) })),
        colours,
      ),
      endLabels([{ dataset: DIAGONAL, index: 1, text: t('accuracyChart.right'), strong: false }], colours),
    ],
  })
  return (
    <ChartCanvas
      label={t('accuracyChart.label', { figure: figure })}
      configure={configure}
      version={`${units} ${figure} ${words.map((point) => point.words).join(' ')}`}
      points={words}
      height={height}
    />
  )
}
