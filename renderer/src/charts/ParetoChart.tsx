import type { ChartConfiguration, Plugin } from 'chart.js'
import type { Option, OptionsDocument } from '../../../src/contract/dto/options'
import { formatSize, type Units } from '../../../src/primitives/quantity'
import { t } from '../copy'
import { pale } from './axes'
import { ChartCanvas, wordsTooltip } from './ChartCanvas'
import type { ChartColours } from './colours'
import { type FigureKind, figureAxis } from './figureAxis'
import {
  axisEnd,
  type BoardFigure,
  floorOf,
  lineOf,
  radiusOf,
  SHAPES,
  shapeOf,
  walkOrder,
} from './paretoPicture'
import { pointLabels } from './pointLabels'
import { uprightLine } from './referenceLine'

const ROOM = 1.3
const SIDE_ROOM = 1.12
const STYLES = {
  files: 'circle',
  images: 'rect',
  archives: 'triangle',
  stores: 'rectRot',
  other: 'crossRot',
} as const

/**
 * Size on the medium against another figure, both by their logarithm; a dot's area is memory, its
 * shape the family.
 */
export function ParetoChart({
  document,
  figure,
  kind,
  marked,
  words,
  name,
  units,
  height,
  onPick,
}: {
  document: OptionsDocument
  figure: BoardFigure
  kind: FigureKind
  /** The chosen option first, then those compared with it. */
  marked: readonly Option[]
  /** The name of an option, `: `, and its figures, of which the size is first. */
  words: (option: Option) => string
  /** A short name, next to its dot. */
  name: (option: Option) => string
  units: Units
  height: number
  onPick: (option: Option) => void
}) {
  const { options, source } = document
  const line = lineOf(options, figure)
  const groups = SHAPES.map((shape) => options.filter(({ family }) => shapeOf(family) === shape))
  const walked = walkOrder(options, line)
  const mostRam = Math.max(...options.map(({ estimate }) => estimate.ramBytes.value))
  const [least, leastOther] = [floorOf(options, 'bytes'), floorOf(options, figure)]
  const placeOf = ({ estimate }: Option, end: 'value' | 'low' | 'high' = 'value') => ({
    x: Math.log10(Math.max(least, estimate.bytes[end])),
    y: Math.log10(Math.max(leastOther, estimate[figure][end])),
  })
  const atSource = source.bytes > 0 ? [Math.log10(source.bytes)] : []
  const all = options.map((option) => placeOf(option))
  const kept = [...marked, ...line].map((option) => placeOf(option))
  const end = {
    x: axisEnd(
      all.map(({ x }) => x),
      [...atSource, ...kept.map(({ x }) => x)],
    ),
    y: axisEnd(
      all.map(({ y }) => y),
      kept.map(({ y }) => y),
    ),
  }
  const isBeyond = (option: Option): boolean => placeOf(option).x > end.x || placeOf(option).y > end.y
  // What is beyond an axis is at its end, where the arrow keys find it, without a dot.
  const at = (option: Option, of: 'value' | 'low' | 'high' = 'value') => {
    const { x, y } = placeOf(option, of)
    return isBeyond(option) ? { x: Math.min(x, end.x), y: Math.min(y, end.y) } : { x, y }
  }
  const ends = (values: readonly number[], room: number) => ({
    from: 10 ** Math.min(...values) / room,
    to: 10 ** Math.max(...values) * room,
  })
  const places = options.map((option) => at(option))
  const xRange = ends([...atSource, ...places.map(({ x }) => x)], SIDE_ROOM)
  const yRange = ends(
    places.map(({ y }) => y),
    ROOM,
  )
  const dots = new Map(
    groups.flatMap((group, before) => group.map((option, index) => [option, { dataset: before + 1, index }])),
  )
  const placeIn = (option: Option) => dots.get(option) ?? { dataset: 0, index: -1 }
  const points = walked.map((option) => ({
    ...placeIn(option),
    // There are hundreds, and few are asked for.
    get words() {
      return words(option)
    },
  }))
  const named = [...new Set([...marked, ...outermost(line)])]
  const configure = (colours: ChartColours): ChartConfiguration => ({
    type: 'line',
    data: {
      datasets: [
        {
          data: line.map((option) => at(option)),
          borderColor: colours.accent,
          borderWidth: 1.5,
          pointRadius: 0,
          pointHitRadius: 0,
          order: 2,
        },
        ...groups.map((group, place) => ({
          data: group.map((option) => at(option)),
          showLine: false,
          clip: false as const,
          pointStyle: STYLES[SHAPES[place] ?? 'other'],
          pointRadius: group.map((option) => (isBeyond(option) ? 0 : radiusOf(option, mostRam))),
          pointHoverRadius: group.map((option) => radiusOf(option, mostRam) + 2),
          pointHoverBorderWidth: 2,
          pointHoverBorderColor: colours.ink,
          pointBorderWidth: group.map((option) => (marked.includes(option) ? 2 : 1)),
          pointBorderColor: group.map((option) => borderOf(option, marked, colours)),
          pointBackgroundColor: group.map((option) => fillOf(option, colours)),
          order: 1,
        })),
      ],
    },
    options: {
      layout: { padding: { top: 18, right: 12 } },
      scales: {
        x: figureAxis(t('board.x'), 'size', xRange, 8, false, units, colours),
        y: figureAxis(t(`option.${figure}`), kind, yRange, 7, true, units, colours),
      },
      plugins: {
        tooltip: wordsTooltip(colours, points, { one: true, cut }),
      },
    },
    plugins: [
      ...atSource.map((place) =>
        uprightLine(place, t('board.source', { size: formatSize(source.bytes, units) }), colours),
      ),
      beyondAxes(
        options.filter((option) => placeOf(option).x > end.x).length,
        options.filter((option) => placeOf(option).y > end.y).length,
        colours,
      ),
      crosses(
        marked.map((option) => ({ low: at(option, 'low'), value: at(option), high: at(option, 'high') })),
        colours,
      ),
      pointLabels(
        named.map((option) => ({
          ...placeIn(option),
          text: name(option),
          strong: marked.includes(option),
        })),
        [0],
        colours,
        groups.map((_, place) => place + 1),
        marked.flatMap((option) => {
          const [low, value, high] = [at(option, 'low'), at(option, 'value'), at(option, 'high')]
          return [
            [
              { x: low.x, y: value.y },
              { x: high.x, y: value.y },
            ],
            [
              { x: value.x, y: low.y },
              { x: value.x, y: high.y },
            ],
          ]
        }),
      ),
    ],
  })
  return (
    <ChartCanvas
      label={t('board.label', { figure: t(`option.${figure}`) })}
      configure={configure}
      version={`${units} ${figure} ${document.createdWallMs} ${document.elapsedMs} ${JSON.stringify(document.request)} ${marked.map(({ id }) => id).join()}`}
      points={points}
      onPick={(point) => {
        const option = walked[point]
        if (option) onPick(option)
      }}
      height={height}
    />
  )
}

/** The smallest and the best in the other figure. */
function outermost(line: readonly Option[]): Option[] {
  const [first] = line
  const last = line[line.length - 1]
  return [...(first ? [first] : []), ...(last && last !== first ? [last] : [])]
}

/** The name, and the figures each on a line of its own. */
function cut(words: string): { head: string; lines: string[] } {
  const at = words.indexOf(`: ${t('option.bytes')}`)
  return { head: words.slice(0, at), lines: words.slice(at + 2).split('; ') }
}

function borderOf(option: Option, marked: readonly Option[], colours: ChartColours): string {
  if (marked.includes(option)) return colours.ink
  if (option.breaks.length > 0) return pale(colours.strong, '66') ?? colours.strong
  return option.pareto ? colours.accent : colours.strong
}

/** Filled on the Pareto front, hollow off it: distinguishable without colour. */
function fillOf(option: Option, colours: ChartColours): string {
  if (!option.pareto || option.breaks.length > 0) return 'transparent'
  return pale(colours.accent, '99') ?? colours.accent
}

interface Place {
  readonly x: number
  readonly y: number
}

/** How many points are beyond the right and the upper end of the axes. */
function beyondAxes(right: number, above: number, colours: ChartColours): Plugin {
  return {
    id: 'beyondAxes',
    afterDatasetsDraw({ ctx, chartArea }) {
      ctx.save()
      ctx.font = `12px ${colours.face}`
      ctx.fillStyle = colours.muted
      ctx.textAlign = 'right'
      ctx.textBaseline = 'bottom'
      if (right > 0)
        ctx.fillText(t('board.beyond.right', { count: right }), chartArea.right, chartArea.bottom - 4)
      ctx.textAlign = 'left'
      ctx.textBaseline = 'top'
      if (above > 0)
        ctx.fillText(t('board.beyond.above', { count: above }), chartArea.left + 4, chartArea.top + 2)
      ctx.restore()
    },
  }
}

/** The ranges of some points in both directions. */
function crosses(
  ranges: readonly { readonly low: Place; readonly value: Place; readonly high: Place }[],
  colours: ChartColours,
): Plugin {
  return {
    id: 'crosses',
    beforeDatasetsDraw(chart) {
      const { x, y } = chart.scales
      if (!x || !y) return
      const { ctx, chartArea } = chart
      ctx.save()
      // A wide range may end beyond the axes.
      ctx.beginPath()
      ctx.rect(
        chartArea.left,
        chartArea.top,
        chartArea.right - chartArea.left,
        chartArea.bottom - chartArea.top,
      )
      ctx.clip()
      ctx.strokeStyle = colours.ink
      ctx.lineWidth = 1
      for (const { low, value, high } of ranges) {
        const [across, up] = [y.getPixelForValue(value.y), x.getPixelForValue(value.x)]
        ctx.beginPath()
        ctx.moveTo(x.getPixelForValue(low.x), across)
        ctx.lineTo(x.getPixelForValue(high.x), across)
        ctx.moveTo(up, y.getPixelForValue(low.y))
        ctx.lineTo(up, y.getPixelForValue(high.y))
        ctx.stroke()
      }
      ctx.restore()
    },
  }
}
