import type { ChartConfiguration } from 'chart.js'
import type { SampleOperation } from '../../../src/contract/dto/measure'
import type { Units } from '../../../src/primitives/quantity'
import { t } from '../copy'
import { pale } from './axes'
import { ChartCanvas, pointsOf, wordsTooltip } from './ChartCanvas'
import type { ChartColours } from './colours'
import { type EndLabel, endLabels, roomForLabels } from './endLabels'
import { logAxis, logTicks } from './logAxis'

/** One timed file. */
export interface RatePoint {
  readonly bytes: number
  /** Bytes per second. */
  readonly rate: number
  /** It is an outlier, whatever the reason. */
  readonly isMarked: boolean
  readonly words: string
}

/** One place of a fitted line, with the band around it. */
export interface CurvePoint {
  readonly bytes: number
  readonly rate: number
  readonly low: number
  readonly high: number
}

/** Operations that move whole files. */
export type FileOperation = Exclude<SampleOperation, 'randomRead' | 'randomWrite'>

const POINTS_OF: Readonly<Record<FileOperation, 'circle' | 'triangle' | 'rect'>> = {
  write: 'circle',
  streamWrite: 'circle',
  read: 'triangle',
  streamRead: 'triangle',
  compress: 'rect',
}

/** One operation: its timed files and the line through them. */
export interface RateSeries {
  readonly op: FileOperation
  readonly points: readonly RatePoint[]
  readonly curve: readonly CurvePoint[]
  /** True for the measurement that is compared with: drawn behind, pale and dashed. */
  readonly isOther: boolean
}

/** Band's upper and lower edge, line, points: so many data sets each series has. */
const SETS = 4
const LINE = 2
const POINTS = 3

const ROOM = 1.3

/**
 * Rate against file size, both by their logarithm: rates and sizes span powers of ten, and neither
 * end may hide the other.
 */
export function RateChart({
  series,
  extent,
  units,
  height,
}: {
  series: readonly RateSeries[]
  extent: { readonly from: number; readonly to: number }
  units: Units
  height: number
}) {
  const points = series.map((one, place) =>
    pointsOf(
      SETS * place + POINTS,
      one.points.map(({ words }) => words),
    ),
  )
  // Room next to the smallest and the largest file, so that their points are not on the axis.
  const range = { from: extent.from / ROOM, to: extent.to * ROOM }
  const xTicks = logTicks(range.from, range.to, units, 8)
  const yTicks = rateTicks(series, units)
  const labels = labelsOf(series)
  const configure = (colours: ChartColours): ChartConfiguration => ({
    type: 'line',
    data: { datasets: series.flatMap((one) => datasetsOf(one, colours)) },
    options: {
      layout: { padding: { top: 10, right: Math.max(96, roomForLabels(labels, colours)) } },
      scales: {
        x: logAxis(t('rates.x'), xTicks, units, colours, { suffix: '', grid: false, range }),
        y: logAxis(t('rates.y'), yTicks, units, colours, { suffix: '/s', grid: true }),
      },
      plugins: {
        tooltip: wordsTooltip(colours, points.flat()),
      },
    },
    plugins: [endLabels(labels, colours)],
  })
  return (
    <ChartCanvas
      label={t('rates.label')}
      configure={configure}
      version={`${units} ${xTicks.join()} ${yTicks.join()} ${series.map(versionOf).join(' ')}`}
      points={points.filter((_, place) => !series[place]?.isOther).flat()}
      height={height}
    />
  )
}

function versionOf({ op, points, curve, isOther }: RateSeries): string {
  const places = points.map(({ bytes, rate, isMarked }) => `${bytes} ${rate} ${isMarked}`)
  return `${op} ${isOther} ${places.join()} ${curve[0]?.rate} ${curve[0]?.low}`
}

/**
 * From the slowest to the fastest that is drawn, in round steps, so that the picture seldom moves
 * while points come in.
 */
function rateTicks(series: readonly RateSeries[], units: Units): number[] {
  let [low, high] = [Number.POSITIVE_INFINITY, 0]
  for (const { points, curve } of series) {
    for (const { rate } of points) [low, high] = [Math.min(low, rate), Math.max(high, rate)]
    for (const point of curve) [low, high] = [Math.min(low, point.low), Math.max(high, point.high)]
  }
  if (!(high > 0)) return logTicks(1e6, 1e9, units, 7)
  // Less than a factor of four would make noise look like a slope.
  const widened = Math.max(1, 2 / Math.sqrt(high / low))
  return logTicks(low / widened, high * widened, units, 7)
}

function colourOf(op: FileOperation, colours: ChartColours): string {
  if (op === 'compress') return colours.compress
  return op === 'write' || op === 'streamWrite' ? colours.write : colours.read
}

/**
 * Writes are discs, reads are triangles, hollow while the other goes on at once; compressed files
 * are squares.
 */
function datasetsOf(
  { op, points, curve, isOther }: RateSeries,
  colours: ChartColours,
): ChartConfiguration['data']['datasets'] {
  const colour = isOther ? colours.strong : colourOf(op, colours)
  const through = (of: 'rate' | 'low' | 'high') =>
    curve.map((point) => ({ x: Math.log10(point.bytes), y: Math.log10(point[of]) }))
  const edge = { pointRadius: 0, pointHitRadius: 0, borderWidth: 1, borderColor: colours.edge, order: 3 }
  const isHollow = op === 'streamWrite' || op === 'streamRead' || isOther
  return [
    {
      ...edge,
      data: through('high'),
      fill: '+1',
      backgroundColor: isOther ? colours.faint : (pale(colour, '26') ?? 'transparent'),
    },
    { ...edge, data: through('low'), fill: false },
    {
      data: through('rate'),
      borderColor: colour,
      borderWidth: isOther ? 1.5 : 2,
      borderDash: isOther ? [5, 4] : [],
      pointRadius: 0,
      pointHitRadius: 0,
      fill: false,
      order: 1,
    },
    {
      data: points.map(({ bytes, rate }) => ({ x: Math.log10(bytes), y: Math.log10(rate) })),
      showLine: false,
      pointStyle: points.map(({ isMarked }) => (isMarked ? 'crossRot' : POINTS_OF[op])),
      pointRadius: isOther ? 2.5 : 3.5,
      pointHoverRadius: 6,
      pointBorderColor: colour,
      pointBorderWidth: points.map(({ isMarked }) => (isMarked ? 1.75 : 1)),
      pointBackgroundColor: isHollow ? colours.paper : colour,
      order: 2,
    },
  ]
}

/**
 * The label next to a line's end names it, so that no legend is needed; a series without a line has
 * them at its last point.
 */
function labelsOf(series: readonly RateSeries[]): EndLabel[] {
  return series.flatMap(({ op, points, curve, isOther }, place): EndLabel[] => {
    const text = isOther ? t('rates.other', { op: t(`op.${op}`) }) : t(`op.${op}`)
    if (curve.length > 0)
      return [{ dataset: SETS * place + LINE, index: curve.length - 1, text, strong: !isOther }]
    return points.length === 0
      ? []
      : [{ dataset: SETS * place + POINTS, index: points.length - 1, text, strong: !isOther }]
  })
}
