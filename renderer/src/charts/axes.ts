import { formatBlockSize } from '../../../src/primitives/quantity'
import type { ChartColours } from './colours'

/** How the words of all axes are written. */
export function axisText(colours: ChartColours) {
  return { color: colours.muted, font: { family: colours.face, size: 12 } }
}

function titled(text: string, colours: ChartColours) {
  return { display: text !== '', text, ...axisText(colours) }
}

/** An axis of sizes by their logarithm, a tick for each power of two that has room. */
export function sizeAxis(title: string, least: number, most: number, colours: ChartColours) {
  return {
    type: 'linear',
    min: Math.log2(least),
    max: Math.log2(most),
    border: { color: colours.hairline },
    grid: { display: false },
    ticks: {
      stepSize: 1,
      maxRotation: 0,
      callback: (value: number | string) => formatBlockSize(2 ** Number(value)),
      ...axisText(colours),
    },
    title: titled(title, colours),
  } as const
}

/**
 * An upright axis of amounts, with a grid; `most` ticks at most, or one each `step`. Without a
 * title none is shown.
 */
export function amountAxis(
  title: string,
  most: number,
  colours: ChartColours,
  write: (value: number) => string,
  step: number | null = null,
) {
  return {
    border: { display: false },
    grid: { color: colours.grid },
    ticks: {
      ...(step === null ? { maxTicksLimit: most } : { stepSize: step }),
      callback: (value: number | string) => write(Number(value)),
      ...axisText(colours),
    },
    title: titled(title, colours),
  }
}

/** An axis of shares in per cent. */
export function shareAxis(title: string, least: number, most: number, colours: ChartColours) {
  return { min: least, max: most, ...amountAxis(title, 6, colours, (value) => `${value} %`) }
}

/** An axis of classes with names, below their bars. */
export function classAxis(title: string, colours: ChartColours) {
  return {
    border: { color: colours.hairline },
    grid: { display: false },
    ticks: { maxRotation: 0, autoSkipPadding: 10, ...axisText(colours) },
    title: titled(title, colours),
  }
}

/**
 * A colour with a share of itself, in hexadecimal; null for the person's own colours, which have
 * none.
 */
export function pale(colour: string, share: string): string | null {
  return /^#[0-9a-f]{6}$/i.test(colour) ? `${colour}${share}` : null
}

interface Ranged {
  readonly at: number
  readonly value: number
  readonly low: number
  readonly high: number
}

/**
 * Three data sets: the band between low and high, and the line through the values, `at` by its
 * logarithm.
 */
export function bandAndLine(
  points: readonly Ranged[],
  band: string,
  edgeColour: string,
  line: Readonly<Record<string, unknown>>,
) {
  // A higher order is drawn first: the lines are drawn over the bands.
  const edge = {
    order: 1,
    borderWidth: 1,
    borderColor: edgeColour,
    borderDash: [1, 3],
    pointRadius: 0,
    pointHitRadius: 0,
  }
  const through = (of: 'value' | 'low' | 'high') =>
    points.map((point) => ({ x: Math.log2(point.at), y: point[of] }))
  return [
    { ...edge, data: through('high'), fill: '+1', backgroundColor: band },
    { ...edge, data: through('low'), fill: false },
    { data: through('value'), borderWidth: 2, clip: false as const, fill: false, ...line },
  ]
}
