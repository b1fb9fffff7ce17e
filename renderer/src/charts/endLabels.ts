import type { Plugin } from 'chart.js'
import type { ChartColours } from './colours'

/** Words at the right end of a line, in place of a legend. */
export interface EndLabel {
  readonly dataset: number
  readonly index: number
  readonly text: string
  readonly strong: boolean
}

const LINE_PX = 16
const AWAY_PX = 8

/**
 * Words to the right of the picture at the height of their line's end; lines that end close
 * together have them apart.
 */
export function endLabels(labels: readonly EndLabel[], colours: ChartColours): Plugin {
  return {
    id: 'endLabels',
    afterDatasetsDraw(chart) {
      const { ctx, chartArea } = chart
      const ends = labels.flatMap((label) => {
        const end = chart.getDatasetMeta(label.dataset).data[label.index]
        return end ? [{ label, y: end.getProps(['y'], true)['y'] as number }] : []
      })
      const heights = apart(
        ends.map(({ y }) => y),
        chartArea.bottom,
      )
      ctx.save()
      ctx.textBaseline = 'middle'
      ctx.textAlign = 'left'
      ends.forEach(({ label }, index) => {
        ctx.font = fontOf(label, colours)
        ctx.fillStyle = label.strong ? colours.ink : colours.muted
        ctx.fillText(label.text, chartArea.right + AWAY_PX, heights[index] as number)
      })
      ctx.restore()
    },
  }
}

function fontOf({ strong }: EndLabel, { face }: ChartColours): string {
  return `${strong ? '600 ' : ''}12px ${face}`
}

/** Pixels that the labels need to the right of the picture. */
export function roomForLabels(labels: readonly EndLabel[], colours: ChartColours): number {
  const ctx = document.createElement('canvas').getContext('2d')
  if (!ctx) return 0
  const widths = labels.map((label) => {
    ctx.font = fontOf(label, colours)
    return ctx.measureText(label.text).width
  })
  return AWAY_PX + Math.ceil(Math.max(0, ...widths))
}

/**
 * The same heights in the same order from above, none closer to another than a line, none below
 * `bottom`.
 */
export function apart(heights: readonly number[], bottom: number): number[] {
  const order = heights
    .map((_, index) => index)
    .sort((a, b) => (heights[a] as number) - (heights[b] as number))
  const placed = [...heights]
  order.forEach((index, place) => {
    const above = order[place - 1]
    const free = above === undefined ? Number.NEGATIVE_INFINITY : (placed[above] as number) + LINE_PX
    placed[index] = Math.max(placed[index] as number, free)
  })
  order.forEach((index, place) => {
    const below = order.length - 1 - place
    placed[index] = Math.min(placed[index] as number, bottom - below * LINE_PX)
  })
  return placed
}
