import type { Plugin } from 'chart.js'
import type { ChartColours } from './colours'

/** A labelled dashed line across the picture at one value of `y`: what everything is compared with. */
export function referenceLine(value: number, label: string, colours: ChartColours): Plugin {
  return {
    id: 'referenceLine',
    afterDatasetsDraw(chart) {
      const y = chart.scales['y']?.getPixelForValue(value)
      if (y === undefined) return
      const { ctx, chartArea } = chart
      ctx.save()
      ctx.strokeStyle = colours.strong
      ctx.setLineDash([4, 4])
      ctx.lineWidth = 1
      ctx.beginPath()
      ctx.moveTo(chartArea.left, y)
      ctx.lineTo(chartArea.right, y)
      ctx.stroke()
      ctx.setLineDash([])
      ctx.fillStyle = colours.muted
      ctx.font = `12px ${colours.face}`
      ctx.textAlign = 'right'
      ctx.textBaseline = 'bottom'
      ctx.fillText(label, chartArea.right, y - 3)
      ctx.restore()
    },
  }
}

/** A word beside one point, in place of a legend. */
export function pointLabel(
  point: { readonly dataset: number; readonly index: number; readonly text: string } | null,
  colours: ChartColours,
): Plugin {
  return {
    id: 'pointLabel',
    afterDatasetsDraw(chart) {
      if (!point) return
      const element = chart.getDatasetMeta(point.dataset).data[point.index]
      if (!element) return
      const { ctx, chartArea } = chart
      const { x, y } = element.getProps(['x', 'y'], true)
      ctx.save()
      ctx.font = `600 12px ${colours.face}`
      const width = ctx.measureText(point.text).width
      const left = Math.min(Math.max(x - width / 2, chartArea.left + 4), chartArea.right - width)
      const below = y + 26 < chartArea.bottom
      ctx.fillStyle = colours.ink
      ctx.textBaseline = below ? 'top' : 'bottom'
      ctx.fillText(point.text, left, below ? y + 10 : y - 10)
      ctx.restore()
    },
  }
}
