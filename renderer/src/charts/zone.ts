import type { Plugin } from 'chart.js'
import type { ChartColours } from './colours'

/** A shaded stretch of the axis of `x`, with words at its foot: where values are good. */
export function zone(
  range: { readonly from: number; readonly to: number },
  label: string,
  colours: ChartColours,
): Plugin {
  return {
    id: 'zone',
    beforeDatasetsDraw(chart) {
      const scale = chart.scales['x']
      if (!scale) return
      const { ctx, chartArea } = chart
      const within = (value: number): number =>
        Math.max(chartArea.left, Math.min(chartArea.right, scale.getPixelForValue(value)))
      const [left, right] = [within(range.from), within(range.to)]
      if (right - left < 1) return
      ctx.save()
      ctx.fillStyle = colours.band
      ctx.fillRect(left, chartArea.top, right - left, chartArea.bottom - chartArea.top)
      ctx.strokeStyle = colours.edge
      ctx.strokeRect(left, chartArea.top, right - left, chartArea.bottom - chartArea.top)
      ctx.fillStyle = colours.muted
      ctx.font = `12px ${colours.face}`
      const width = ctx.measureText(label).width
      const middle = (left + right) / 2 - width / 2
      const at = Math.max(chartArea.left + 4, Math.min(chartArea.right - width - 4, middle))
      ctx.textAlign = 'left'
      ctx.textBaseline = 'bottom'
      ctx.fillText(label, at, chartArea.bottom - 4)
      ctx.restore()
    },
  }
}
