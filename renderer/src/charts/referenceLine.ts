import type { Plugin } from 'chart.js'
import type { ChartColours } from './colours'

/** The same upright, at one value of `x`, its words at its head on the side that has room. */
export function uprightLine(value: number, label: string, colours: ChartColours): Plugin {
  return {
    id: 'uprightLine',
    beforeDatasetsDraw(chart) {
      const x = chart.scales['x']?.getPixelForValue(value)
      if (x === undefined) return
      const { ctx, chartArea } = chart
      ctx.save()
      ctx.strokeStyle = colours.strong
      ctx.setLineDash([4, 4])
      ctx.beginPath()
      ctx.moveTo(x, chartArea.top)
      ctx.lineTo(x, chartArea.bottom)
      ctx.stroke()
      ctx.fillStyle = colours.muted
      ctx.font = `12px ${colours.face}`
      const isRight = x + ctx.measureText(label).width + 6 > chart.width
      ctx.textAlign = isRight ? 'right' : 'left'
      ctx.textBaseline = 'bottom'
      ctx.fillText(label, isRight ? x - 5 : x + 5, chartArea.top + 2)
      ctx.restore()
    },
  }
}

/**
 * A labelled dashed line across the picture at one value of `y`: what everything is compared with.
 */
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
