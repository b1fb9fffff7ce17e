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
