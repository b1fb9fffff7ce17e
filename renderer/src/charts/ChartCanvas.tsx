import {
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  type ChartConfiguration,
  Filler,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  Tooltip,
} from 'chart.js'
import { type KeyboardEvent, type MouseEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { takeTurn } from '../components/turns'
import { t } from '../copy'
import { type ChartColours, chartColours, useColourScheme } from './colours'

Chart.register(
  BarController,
  BarElement,
  CategoryScale,
  Filler,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  Tooltip,
)

interface ChartCanvasProps {
  /** What the picture shows, for those who do not see it. */
  readonly label: string
  /** The picture for these colours. Called again when data or colours change. */
  readonly configure: (colours: ChartColours) => ChartConfiguration
  /** Changes with the data. */
  readonly version: unknown
  /** What each point says when the arrow keys reach it. */
  readonly points: readonly string[]
  /** The data set whose points the arrow keys walk, or each point's own place. */
  readonly walk: number | readonly { readonly dataset: number; readonly index: number }[]
  /** Takes the point at hand by Enter, Space or a click. */
  readonly onPick?: (point: number) => void
  readonly height: number
}

/**
 * A Chart.js picture: made once, its data exchanged in place, destroyed with the component. It takes the keyboard:
 * the arrow keys, Home and End walk its points and read them out.
 */
export function ChartCanvas({ label, configure, version, points, walk, height, onPick }: ChartCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const chart = useRef<Chart | null>(null)
  const scheme = useColourScheme()
  const [at, setAt] = useState(-1)

  const fill = useEffectEvent((made: Chart, _changed: unknown) =>
    exchange(made, calm(configure(chartColours()))),
  )

  useEffect(() => {
    let made: Chart | null = null
    let takeBack = takeTurn(() => {
      if (!canvas.current) return
      const empty = emptyChart(canvas.current)
      made = empty.chart
      takeBack = takeTurn(() => {
        fill(empty.chart, scheme)
        chart.current = empty.chart
        takeBack = takeTurn(empty.draw)
      })
    })
    return () => {
      takeBack()
      made?.destroy()
      chart.current = null
    }
  }, [scheme])

  useEffect(() => {
    // One that is not filled yet is filled with the latest data.
    if (!chart.current) return undefined
    return takeTurn(() => {
      if (chart.current) fill(chart.current, version)
    })
  }, [version])

  const show = (index: number) => {
    if (points.length === 0) return
    const bounded = Math.max(0, Math.min(points.length - 1, index))
    setAt(bounded)
    const made = chart.current
    if (!made) return
    const place = typeof walk === 'number' ? { dataset: walk, index: bounded } : walk[bounded]
    const element = place && made.getDatasetMeta(place.dataset).data[place.index]
    const active = element && place ? [{ datasetIndex: place.dataset, index: place.index }] : []
    made.setActiveElements(active)
    made.tooltip?.setActiveElements(active, { x: element?.x ?? 0, y: element?.y ?? 0 })
    made.update('none')
  }
  const hide = () => {
    setAt(-1)
    chart.current?.setActiveElements([])
    chart.current?.tooltip?.setActiveElements([], { x: 0, y: 0 })
    chart.current?.update('none')
  }
  const press = (event: KeyboardEvent) => {
    if (onPick && at >= 0 && (event.key === 'Enter' || event.key === ' ')) {
      event.preventDefault()
      onPick(at)
      return
    }
    const target = { ArrowRight: at + 1, ArrowLeft: Math.max(0, at - 1), Home: 0, End: points.length - 1 }[
      event.key
    ]
    if (target === undefined) return
    event.preventDefault()
    show(target)
  }
  /** A click takes the point that the tooltip speaks of. */
  const click = (event: MouseEvent) => {
    const found = chart.current?.getElementsAtEventForMode(
      event.nativeEvent,
      typeof walk === 'number' ? 'index' : 'nearest',
      { intersect: false, axis: typeof walk === 'number' ? 'x' : 'xy' },
      false,
    )
    const taken =
      typeof walk === 'number'
        ? found?.[0]?.index
        : found
            ?.map(({ datasetIndex, index }) =>
              walk.findIndex((place) => place.dataset === datasetIndex && place.index === index),
            )
            .find((point) => point >= 0)
    if (taken !== undefined) onPick?.(taken)
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the arrow keys walk the points
    <div
      className="chart"
      style={{ height }}
      role="group"
      aria-roledescription={t('chart.role')}
      aria-label={`${label} ${t('chart.keys')}`}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- see above
      tabIndex={0}
      onKeyDown={press}
      onBlur={hide}
      onClick={onPick ? click : undefined}
    >
      <canvas ref={canvas} aria-hidden="true" />
      <div className="hidden-text" aria-live="polite">
        {points[at] ?? ''}
      </div>
    </div>
  )
}

/**
 * A chart without a picture, and what draws it once it has one. The first chart takes a browser that has not drawn any
 * some 70 ms; a canvas of the right size, the layout and the drawing can each have a task of their own.
 */
function emptyChart(canvas: HTMLCanvasElement): { chart: Chart; draw: () => void } {
  let mayDraw = false
  const chart = new Chart(canvas, {
    ...calm({ type: 'line', data: { datasets: [] } }),
    plugins: [{ id: 'wait', beforeRender: () => mayDraw }],
  })
  const draw = () => {
    mayDraw = true
    chart.render()
  }
  return { chart, draw }
}

/** Gives a chart of `emptyChart` another picture in place. */
function exchange(chart: Chart, next: ChartConfiguration): void {
  const { config } = chart
  if ('type' in config && 'type' in next) config.type = next.type
  chart.data = next.data
  if (next.options) chart.options = next.options
  const plugins = config.plugins
  // The one that waits for the turn to draw stays.
  plugins?.splice(1, plugins.length, ...(next.plugins ?? []))
  chart.update('none')
}

/** What all pictures share: no motion, their box's size. */
function calm(configuration: ChartConfiguration): ChartConfiguration {
  return {
    ...configuration,
    options: { animation: false, responsive: true, maintainAspectRatio: false, ...configuration.options },
  }
}

/** A tooltip that looks like the window's other ones. */
export function tooltipStyle(colours: ChartColours) {
  return {
    backgroundColor: colours.ink,
    titleColor: colours.paper,
    bodyColor: colours.paper,
    titleFont: { family: colours.face, size: 12, weight: 600 },
    bodyFont: { family: colours.face, size: 12 },
    padding: 8,
    cornerRadius: 4,
    displayColors: false,
    caretSize: 0,
    caretPadding: 8,
  } as const
}
