import type { ChartConfiguration } from 'chart.js'
import type { BandSweepPoint, SweepOperation, SweepRate } from '../../../src/contract/dto/bands'
import { formatCount, threeDigits, type Units } from '../../../src/primitives/quantity'
import { t } from '../copy'
import { amountAxis } from './axes'
import { ChartCanvas, wordsTooltip } from './ChartCanvas'
import type { ChartColours } from './colours'
import { endLabels } from './endLabels'
import { sizeStep } from './figureAxis'
import { logAxis, logTicks, shortSize } from './logAxis'
import { whiskers } from './pointLabels'
import { zone } from './zone'

const GB = 1e9
const ROOM = 1.25
/**
 * So far apart, as a factor of the band size, that the ranges of three operations are next to one
 * another.
 */
const ASIDE: Readonly<Record<SweepOperation, number>> = { write: 1 / 1.045, read: 1, stream: 1.045 }
/** Line and raw file: so many data sets each operation has. */
const SETS = 2

export type BandMeasure = 'rate' | 'time'

/** A point with bands; the raw file has none. */
type BandPoint = BandSweepPoint & { readonly bandSize: number }

/**
 * Rate, or time for a gigabyte, against band size by its logarithm, with ranges, the raw file, and
 * the good numbers of bands.
 */
export function BandChart({
  points,
  operations,
  reference,
  good,
  chosen,
  measure,
  words,
  units,
  height,
}: {
  points: readonly BandPoint[]
  operations: readonly SweepOperation[]
  reference: BandSweepPoint | null
  /** Band sizes that make a good number of bands. */
  good: { readonly from: number; readonly to: number; readonly words: string } | null
  chosen: number | null
  measure: BandMeasure
  /** All that is known of one operation at a point. */
  words: (point: BandPoint, op: SweepOperation, rate: SweepRate) => string
  units: Units
  height: number
}) {
  const of = (bytesPerSecond: number): number => (measure === 'rate' ? bytesPerSecond : GB / bytesPerSecond)
  const drawn = operations.map((op) => ({
    op,
    points: points.flatMap((point) => {
      const rate = point[op]
      return rate === null ? [] : [{ point, rate, x: Math.log10(point.bandSize * ASIDE[op]) }]
    }),
    raw: reference?.[op]?.value ?? null,
  }))
  const walked = points.flatMap((point) =>
    drawn.flatMap(({ op, points: own }, place) => {
      const index = own.findIndex((each) => each.point === point)
      const rate = point[op]
      return index < 0 || rate === null
        ? []
        : [{ dataset: SETS * place, index, words: words(point, op, rate) }]
    }),
  )
  const sizes = points.map(({ bandSize }) => bandSize)
  const range = { from: Math.min(...sizes) / ROOM, to: Math.max(...sizes) * ROOM }
  const xTicks = logTicks(range.from, range.to, 'binary', 10)
  const values = drawn.flatMap(({ points: own, raw }) => [
    ...own.flatMap(({ rate }) => [rate.value, rate.low ?? rate.value, rate.high ?? rate.value].map(of)),
    ...(raw === null ? [] : [of(raw)]),
  ])
  const top = Math.max(...values, 0)
  const step = measure === 'rate' && top > 0 ? sizeStep({ from: 0, to: top }, units, 6) : null
  const rangeOf = ({ value, low, high }: SweepRate) => {
    const ends = [of(low ?? value), of(high ?? value)]
    return { low: Math.min(...ends), high: Math.max(...ends) }
  }
  const configure = (colours: ChartColours): ChartConfiguration => ({
    type: 'line',
    data: {
      datasets: drawn.flatMap(({ op, points: own, raw }) => {
        const colour = colourOf(op, colours)
        return [
          {
            data: own.map(({ rate, x }) => ({ x, y: of(rate.value) })),
            borderColor: colour,
            borderWidth: 2,
            pointStyle: STYLES[op],
            pointRadius: own.map(({ point }) => (point.bandSize === chosen ? 6 : 3.5)),
            pointHoverRadius: 7,
            pointBorderColor: colour,
            pointBorderWidth: own.map(({ point }) => (point.bandSize === chosen ? 2 : 1)),
            pointBackgroundColor: own.map(({ point }) =>
              point.bandSize === chosen ? colours.paper : colour,
            ),
            order: 1,
          },
          {
            data: raw === null ? [] : [range.from, range.to].map((at) => ({ x: Math.log10(at), y: of(raw) })),
            borderColor: colour,
            borderWidth: 1,
            borderDash: [4, 4],
            pointRadius: 0,
            pointHitRadius: 0,
            order: 2,
          },
        ]
      }),
    },
    options: {
      layout: { padding: { top: 10, right: 72 } },
      scales: {
        x: logAxis(t('bandChart.x'), xTicks, 'binary', colours, { suffix: '', grid: false, range }),
        y: {
          min: 0,
          suggestedMax: top === 0 ? 1 : top,
          ...(step !== null && { max: Math.ceil(top / step) * step }),
          ...amountAxis(
            t(`bandChart.y.${measure}`),
            7,
            colours,
            (value) =>
              top === 0 ? '' : measure === 'rate' ? `${shortSize(value, units)}/s` : threeDigits(value),
            step,
          ),
        },
      },
      plugins: {
        tooltip: wordsTooltip(colours, walked),
      },
    },
    plugins: [
      ...(good === null
        ? []
        : [zone({ from: Math.log10(good.from), to: Math.log10(good.to) }, good.words, colours)]),
      ...drawn.map(({ op, points: own }, place) => ({
        ...whiskers(
          SETS * place,
          own.map(({ rate }) => rangeOf(rate)),
          { ...colours, strong: colourOf(op, colours) },
        ),
        id: `whiskers ${op}`,
      })),
      endLabels(
        drawn.flatMap(({ op, points: own }, place) =>
          own.length === 0
            ? []
            : [
                {
                  dataset: SETS * place,
                  index: own.length - 1,
                  text: `${SIGNS[op]} ${t(`sweep.op.${op}`)}`,
                  strong: false,
                },
              ],
        ),
        colours,
      ),
    ],
  })
  return (
    <ChartCanvas
      label={t(measure === 'rate' ? 'bandChart.label' : 'bandChart.label.time')}
      configure={configure}
      version={`${units} ${measure} ${chosen} ${good?.words} ${walked.map((each) => each.words).join(' ')}`}
      points={walked}
      height={height}
    />
  )
}

/** Discs for writing, triangles for reading, squares for both at once. */
const STYLES: Readonly<Record<SweepOperation, 'circle' | 'triangle' | 'rect'>> = {
  write: 'circle',
  read: 'triangle',
  stream: 'rect',
}

const SIGNS: Readonly<Record<SweepOperation, string>> = { write: '●', read: '▲', stream: '■' }

function colourOf(op: SweepOperation, colours: ChartColours): string {
  return { write: colours.write, read: colours.read, stream: colours.randomRead }[op]
}

/** Band sizes with which a bundle of this size has so many bands. */
export function goodSizes(
  fullBytes: number,
  { from, to }: { readonly from: number; readonly to: number },
): { from: number; to: number; words: string } {
  return {
    from: fullBytes / to,
    to: fullBytes / from,
    words: t('bandChart.zone', { from: formatCount(from), to: formatCount(to) }),
  }
}
