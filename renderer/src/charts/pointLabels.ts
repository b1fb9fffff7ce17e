import type { Plugin } from 'chart.js'
import { pale } from './axes'
import type { ChartColours } from './colours'
import { placeLabels } from './placeLabels'

export interface PointWords {
  readonly dataset: number
  readonly index: number
  readonly text: string
  readonly strong?: boolean
  /** Both ends of its whisker, in values of the axis, that no words may cover. */
  readonly range?: { readonly low: number; readonly high: number }
}

/** Pixels between the places of a line that words must not cover. */
const STEP_PX = 14

/**
 * Labels next to points, in place of a legend: none covers another, a point, or one of the lines.
 * Words that had to move away from their point are led there by a thin line. Of the data sets in
 * `kept` every point is kept free, small or large; so are `strokes`, lines in values of the axes.
 */
export function pointLabels(
  words: readonly PointWords[],
  lines: readonly number[],
  colours: ChartColours,
  kept: readonly number[] = [],
  strokes: readonly (readonly Spot[])[] = [],
): Plugin {
  return {
    id: 'pointLabels',
    afterDatasetsDraw(chart) {
      const { ctx, chartArea } = chart
      const placeOf = (dataset: number, index: number) =>
        chart.getDatasetMeta(dataset).data[index]?.getProps(['x', 'y'], true)
      const fontOf = ({ strong }: PointWords) => `${strong ? '600 ' : ''}12px ${colours.face}`
      const found = words.flatMap((word) => {
        const place = placeOf(word.dataset, word.index)
        if (!place) return []
        ctx.font = fontOf(word)
        return [
          { word, x: place['x'] as number, y: place['y'] as number, width: ctx.measureText(word.text).width },
        ]
      })
      const obstacles = lines.flatMap((dataset) =>
        along(
          chart
            .getDatasetMeta(dataset)
            .data.map((element) => element.getProps(['x', 'y'], true) as { x: number; y: number }),
        ),
      )
      for (const dataset of kept)
        for (const element of chart.getDatasetMeta(dataset).data)
          obstacles.push(
            ...within(element.getProps(['x', 'y'], true) as Spot, Number(element.options['radius'])),
          )
      const { x: wide, y: scale } = chart.scales
      if (wide && scale)
        for (const stroke of strokes)
          obstacles.push(
            ...along(
              stroke.map((end) => ({
                x: Math.min(chartArea.right, Math.max(chartArea.left, wide.getPixelForValue(end.x))),
                y: Math.min(chartArea.bottom, Math.max(chartArea.top, scale.getPixelForValue(end.y))),
              })),
            ),
          )
      for (const { word, x } of found)
        if (word.range && scale)
          for (const end of [word.range.low, word.range.high])
            obstacles.push({ x, y: scale.getPixelForValue(end) })
      const frame = {
        x: chartArea.left + 2,
        y: chartArea.top,
        width: chart.width - chartArea.left - 2,
        height: chartArea.bottom - chartArea.top,
      }
      const labels = placeLabels(found, frame, obstacles)
      ctx.save()
      ctx.textBaseline = 'top'
      found.forEach(({ word, x, y, width }, index) => {
        const label = labels[index]
        if (!label) return
        if (label.led) {
          ctx.strokeStyle = colours.strong
          ctx.lineWidth = 0.75
          ctx.beginPath()
          ctx.moveTo(x, y)
          ctx.lineTo(
            Math.max(label.x, Math.min(x, label.x + width)),
            label.y > y ? label.y + 1 : label.y + 14,
          )
          ctx.stroke()
        }
        ctx.font = fontOf(word)
        // Labels may cover points that have none of their own.
        ctx.strokeStyle = colours.paper
        ctx.lineWidth = 3
        ctx.lineJoin = 'round'
        ctx.strokeText(word.text, label.x, label.y + 2)
        ctx.fillStyle = word.strong ? colours.ink : colours.muted
        ctx.fillText(word.text, label.x, label.y + 2)
      })
      ctx.restore()
    },
  }
}

interface Spot {
  readonly x: number
  readonly y: number
}

/** A dot's middle, and places towards its edge where it is large. */
function within({ x, y }: Spot, radius: number): Spot[] {
  const off = 0.6 * radius
  if (!(off > 3)) return [{ x, y }]
  return [
    { x, y },
    { x: x - off, y },
    { x: x + off, y },
    { x, y: y - off },
    { x, y: y + off },
  ]
}

/** Places along a polyline, ends included. */
function along(corners: readonly { readonly x: number; readonly y: number }[]): { x: number; y: number }[] {
  return corners.flatMap((corner, index) => {
    const next = corners[index + 1]
    if (!next) return [corner]
    const steps = Math.max(1, Math.ceil(Math.hypot(next.x - corner.x, next.y - corner.y) / STEP_PX))
    return Array.from({ length: steps }, (_, step) => ({
      x: corner.x + ((next.x - corner.x) * step) / steps,
      y: corner.y + ((next.y - corner.y) * step) / steps,
    }))
  })
}

const CAP_PX = 1.5

/** Thin upright lines with small caps from the low to the high end of each point's range. */
export function whiskers(
  dataset: number,
  ranges: readonly { readonly low: number; readonly high: number }[],
  colours: ChartColours,
): Plugin {
  return {
    id: 'whiskers',
    beforeDatasetsDraw(chart) {
      const scale = chart.scales['y']
      if (!scale) return
      const { ctx } = chart
      ctx.save()
      ctx.strokeStyle = pale(colours.strong, 'a6') ?? colours.strong
      ctx.lineWidth = 1
      chart.getDatasetMeta(dataset).data.forEach((element, index) => {
        const range = ranges[index]
        if (!range) return
        const { x } = element.getProps(['x'], true)
        const high = scale.getPixelForValue(range.high)
        const low = scale.getPixelForValue(range.low)
        ctx.beginPath()
        ctx.moveTo(x, high)
        ctx.lineTo(x, low)
        for (const y of [high, low]) {
          ctx.moveTo(x - CAP_PX, y)
          ctx.lineTo(x + CAP_PX, y)
        }
        ctx.stroke()
      })
      ctx.restore()
    },
  }
}
