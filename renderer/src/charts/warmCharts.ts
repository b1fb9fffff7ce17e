import { Chart } from 'chart.js'
import { schedule } from '../components/schedule'

/**
 * Draws a small chart that nobody sees, its canvas, layout and drawing each in a task of its own.
 * The first chart of a window takes twice the time of every later one; done at once, in the Survey
 * step, it would keep the window from answering.
 */
export function warmCharts(): void {
  let mayDraw = false
  schedule(() => {
    const chart = new Chart(document.createElement('canvas'), {
      type: 'line',
      data: { datasets: [] },
      options: { animation: false, responsive: false, scales: { x: { type: 'linear' } } },
      plugins: [{ id: 'wait', beforeRender: () => mayDraw }],
    })
    schedule(() => {
      const points = [0, 1, 2].map((x) => ({ x, y: x }))
      chart.data = { datasets: [{ data: points, fill: 'origin' }] }
      chart.update('none')
      schedule(() => {
        mayDraw = true
        chart.render()
        chart.destroy()
      })
    })
  })
}
