/**
 * The room `charts` draws every chart.
 * How: `ChartCanvas` draws a configuration of Chart.js on a canvas, with its words for screen
 * readers and keys; treemaps are laid out and drawn here too.
 * Not here: what the points are (`steps`), tables of the same data (`components`).
 */

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
import { schedule } from '../components/schedule'
import { whenNear } from '../components/whenNear'
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

/** A point of a picture that has words. */
export interface ChartPoint {
  readonly dataset: number
  readonly index: number
  readonly words: string
}

/** The points of a data set that has words for all of them. */
export function pointsOf(dataset: number, words: readonly string[]): ChartPoint[] {
  return words.map((text, index) => ({ dataset, index, words: text }))
}

interface ChartCanvasProps {
  /** A description of the picture, for those who do not see it. */
  readonly label: string
  /** The picture for these colours. Called again when data or colours change. */
  readonly configure: (colours: ChartColours) => ChartConfiguration
  /** Changes with the data. */
  readonly version: unknown
  /** The points that the arrow keys walk, and their words, which are read out then. */
  readonly points: readonly ChartPoint[]
  /** Takes the point at hand by Enter, Space or a click. */
  readonly onPick?: (point: number) => void
  /** A click takes the point of the column that it is in, not the nearest one. */
  readonly hasColumns?: boolean
  readonly height: number
}

/**
 * A Chart.js picture: made once it comes near view, its data exchanged in place, destroyed with the
 * component. It takes the keyboard: the arrow keys, Home and End walk its points and read them out.
 */
export function ChartCanvas(props: ChartCanvasProps) {
  const { label, configure, version, points, height, onPick, hasColumns = false } = props
  const canvas = useRef<HTMLCanvasElement>(null)
  const chart = useRef<Chart | null>(null)
  const scheme = useColourScheme()
  const [at, setAt] = useState(-1)

  const picture = useEffectEvent((_changed: unknown) => calm(configure(chartColours())))

  useEffect(() => {
    const place = canvas.current
    if (!place) return undefined
    let takeBack = whenNear(place, () => {
      takeBack = schedule(() => {
        chart.current = new Chart(place, picture(scheme))
      })
    })
    return () => {
      takeBack()
      chart.current?.destroy()
      chart.current = null
    }
  }, [scheme])

  useEffect(() => {
    // One that is not made yet is made of the latest data.
    if (!chart.current) return undefined
    return schedule(() => {
      const made = chart.current
      if (!made) return
      const next = picture(version)
      made.data = next.data
      if (next.options) made.options = next.options
      const plugins = made.config.plugins
      plugins?.splice(0, plugins.length, ...(next.plugins ?? []))
      made.update('none')
    })
  }, [version])

  const show = (index: number) => {
    if (points.length === 0) return
    const bounded = Math.max(0, Math.min(points.length - 1, index))
    setAt(bounded)
    const made = chart.current
    if (!made) return
    const place = points[bounded]
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
      hasColumns ? 'index' : 'nearest',
      { intersect: false, axis: hasColumns ? 'x' : 'xy' },
      false,
    )
    const taken = found
      ?.map(({ datasetIndex, index }) =>
        points.findIndex((point) => point.dataset === datasetIndex && point.index === index),
      )
      .find((point) => point >= 0)
    if (taken !== undefined) onPick?.(taken)
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the arrow keys walk the points
    <div
      className="chart"
      style={{ height }}
      // A screen reader hands the arrow keys on only to an application.
      role="application"
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
        {points[at]?.words}
      </div>
    </div>
  )
}

/**
 * Options that all pictures share: no motion, their box's size, and the point that is nearest to
 * the pointer.
 */
function calm(configuration: ChartConfiguration): ChartConfiguration {
  return {
    ...configuration,
    options: {
      animation: false,
      responsive: true,
      maintainAspectRatio: false,
      interaction: { mode: 'nearest', axis: 'xy', intersect: false },
      ...configuration.options,
    },
  }
}

/** The place of a point, of Chart.js's items. */
interface Pointed {
  readonly datasetIndex: number
  readonly dataIndex: number
}

/** The words of a point: a head, and lines below it. */
interface PointText {
  readonly head: string
  readonly lines: string[]
}

/** `Head: first line; second line`. */
function cutWords(words: string): PointText {
  const [head = '', ...rest] = words.split(': ')
  return { head, lines: rest.join(': ').split('; ') }
}

/**
 * A tooltip with the words of a point that looks like the window's other ones; other points have
 * none.
 * @param one of several points only the first
 */
export function wordsTooltip(
  colours: ChartColours,
  points: readonly ChartPoint[],
  { one = false, cut = cutWords }: { one?: boolean; cut?: (words: string) => PointText } = {},
) {
  const wordsAt = (item: Pointed) =>
    points.find(({ dataset, index }) => dataset === item.datasetIndex && index === item.dataIndex)?.words
  return {
    backgroundColor: colours.ink,
    titleColor: colours.paper,
    bodyColor: colours.paper,
    titleFont: { family: colours.face, size: 12, weight: 600 as const },
    bodyFont: { family: colours.face, size: 12 },
    padding: 8,
    cornerRadius: 4,
    displayColors: false,
    caretSize: 0,
    caretPadding: 8,
    filter: (item: Pointed, place: number) => wordsAt(item) !== undefined && !(one && place > 0),
    callbacks: {
      title: ([item]: Pointed[]) => (item ? cut(wordsAt(item) ?? '').head : ''),
      label: (item: Pointed) => cut(wordsAt(item) ?? '').lines,
    },
  }
}
