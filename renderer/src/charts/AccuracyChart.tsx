import type { ChartConfiguration } from 'chart.js'
import type { CompareDocument } from '../../../src/contract/dto/options'
import type { Units } from '../../../src/primitives/quantity'
import { t } from '../copy'
import { formatFigure, signedShare } from '../steps/choose/optionWords'
import { FIGURE_KINDS } from '../steps/choose/paretoPicture'
import { ChartCanvas, pointsOf, wordsTooltip } from './ChartCanvas'
import type { ChartColours } from './colours'
import { endLabels } from './endLabels'
import { figureAxis } from './figureAxis'
import { whiskers } from './pointLabels'

const ROOM = 1.15
const DIAGONAL = 0
const POINTS = 1

type Build = CompareDocument['builds'][number]
export type AccuracyFigure = keyof Build['errors']

/** Forecast vs. actual on logarithmic axes; on the dashed line the forecast is right. */
export function AccuracyChart({
  builds,
  figure,
  units,
  height,
}: {
  builds: readonly Build[]
  figure: AccuracyFigure
  units: Units
  height: number
}) {
  const points = builds
    .flatMap((build) => {
      const compared = build.errors[figure]
      return compared === null || compared.actual <= 0 || compared.forecast.low <= 0
        ? []
        : [{ build, compared }]
    })
    .sort((a, b) => a.compared.actual - b.compared.actual)
  const ends = points.flatMap(({ compared }) => [
    compared.actual,
    compared.forecast.low,
    compared.forecast.high,
  ])
  const range = { from: Math.min(...ends) / ROOM, to: Math.max(...ends) * ROOM }
  const words = pointsOf(
    POINTS,
    points.map(({ build, compared }) =>
      t('accuracyChart.point', {
        name: build.name,
        forecast: formatFigure(figure, compared.forecast.value, units),
        actual: formatFigure(figure, compared.actual, units),
        error: signedShare(compared.error),
        held: t(compared.held ? 'fact.holds' : 'fact.missed'),
      }),
    ),
  )
  const kind = FIGURE_KINDS[figure]
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
          data: points.map(({ compared }) => ({
            x: Math.log10(compared.actual),
            y: Math.log10(compared.forecast.value),
          })),
          showLine: false,
          pointRadius: 4,
          pointHoverRadius: 6,
          // A miss has another shape.
          pointStyle: points.map(({ compared }) => (compared.held ? 'circle' : 'crossRot')),
          pointBorderColor: points.map(({ compared }) => (compared.held ? colours.accent : colours.ink)),
          pointBorderWidth: points.map(({ compared }) => (compared.held ? 1 : 2)),
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
        points.map(({ compared }) => ({
          low: Math.log10(compared.forecast.low),
          high: Math.log10(compared.forecast.high),
        })),
        colours,
      ),
      endLabels([{ dataset: DIAGONAL, index: 1, text: t('accuracyChart.right'), strong: false }], colours),
    ],
  })
  return (
    <ChartCanvas
      label={t('accuracyChart.label', { figure: t(`fact.${figure}`).toLowerCase() })}
      configure={configure}
      version={`${units} ${figure} ${words.map((point) => point.words).join(' ')}`}
      points={words}
      height={height}
    />
  )
}
