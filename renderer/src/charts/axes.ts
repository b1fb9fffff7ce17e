import { formatBlockSize } from '../../../src/primitives/quantity'
import type { ChartColours } from './colours'

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
      color: colours.muted,
      font: { family: colours.face, size: 12 },
      maxRotation: 0,
      callback: (value: number | string) => formatBlockSize(2 ** Number(value)),
    },
    title: { display: true, text: title, color: colours.muted, font: { family: colours.face, size: 12 } },
  } as const
}

/** An axis of shares in per cent. */
export function shareAxis(title: string, least: number, most: number, colours: ChartColours) {
  return {
    min: least,
    max: most,
    border: { display: false },
    grid: { color: colours.grid },
    ticks: {
      maxTicksLimit: 6,
      color: colours.muted,
      font: { family: colours.face, size: 12 },
      callback: (value: number | string) => `${value} %`,
    },
    title: { display: true, text: title, color: colours.muted, font: { family: colours.face, size: 12 } },
  } as const
}

interface Ranged {
  readonly at: number
  readonly value: number
  readonly low: number
  readonly high: number
}

/** Three data sets: the band between low and high, and the line through the values, `at` by its logarithm. */
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
