import { withoutZeros } from '../../../src/primitives/figureLanguage'
import { sizeQuantity, type Units } from '../../../src/primitives/quantity'
import { axisText } from './axes'
import type { ChartColours } from './colours'

/**
 * Round places on a logarithmic axis, at most `most` of them, `low` and `high` included or just
 * beyond.
 */
export function logTicks(low: number, high: number, units: Units, most: number): number[] {
  for (const steps of units === 'decimal' ? DECIMAL_STEPS : BINARY_STEPS) {
    const places = roundPlaces(low, high, units === 'decimal' ? 10 : 1024, steps)
    if (places.length <= most) return places
  }
  return [low, high]
}

/** From the finest to the coarsest choice of places within one power of the base. */
const DECIMAL_STEPS = [[1, 1.5, 2, 3, 5, 7], [1, 2, 5], [1, 3], [1], [0.01, 1]]
const BINARY_STEPS = [
  [1, 2, 4, 8, 16, 32, 64, 128, 256, 512],
  [1, 4, 16, 64, 256],
  [1, 16, 128],
  [1, 32],
  [1],
]

function roundPlaces(low: number, high: number, base: number, steps: readonly number[]): number[] {
  // Of a step below 1 only every second power of the base is round.
  const stride = (steps[0] as number) < 1 ? 2 : 1
  const first = Math.floor(Math.log(low) / Math.log(base) / stride) * stride
  const last = Math.ceil(Math.log(high) / Math.log(base))
  const all: number[] = []
  for (let power = first; power <= last; power += stride)
    for (const step of stride === 1 ? steps : [1]) all.push(step * base ** power)
  const from = all.filter((place) => place <= low * 1.0001).length - 1
  const to = all.findIndex((place) => place >= high * 0.9999)
  return all.slice(Math.max(0, from), to < 0 ? all.length : to + 1)
}

/** Pixels of the longest label, `1.5 MB`, with the space after it. */
const LABEL_WIDTH = 54

/** The part of Chart.js's axis that is known before it writes its labels. */
export interface Axis {
  ticks: { value: number }[]
  readonly maxWidth: number
  isHorizontal(): boolean
}

/**
 * Those places that are at least so many powers of ten from the one before: round steps crowd at
 * the end of a logarithmic axis.
 */
export function apart(places: readonly number[], powers: number): number[] {
  const kept: number[] = []
  for (const place of places) {
    const last = kept[kept.length - 1]
    if (last === undefined || Math.log10(place / last) >= powers) kept.push(place)
  }
  return kept
}

/** An axis of sizes or rates by their logarithm: values are given as log10. */
export function logAxis(
  title: string,
  ticks: readonly number[],
  units: Units,
  colours: ChartColours,
  options: {
    readonly suffix: string
    readonly grid: boolean
    /** How a place is written, where it is not a size. */
    readonly write?: (value: number) => string
    /** Where the axis begins and ends; at its outer ticks unless given. */
    readonly range?: { readonly from: number; readonly to: number }
  },
) {
  const { from, to } = options.range ?? { from: ticks[0] ?? 1, to: ticks[ticks.length - 1] ?? 10 }
  return {
    type: 'linear',
    min: Math.log10(from),
    max: Math.log10(to),
    border: options.grid ? { display: false } : { color: colours.hairline },
    grid: options.grid ? { color: colours.grid } : { display: false },
    afterBuildTicks: (axis: Axis) => {
      const shown = ticks.filter((place) => place >= from * 0.999 && place <= to * 1.001)
      const least = axis.isHorizontal() ? (Math.log10(to / from) * LABEL_WIDTH) / axis.maxWidth : 0
      axis.ticks = apart(shown, least).map((place) => ({ value: Math.log10(place) }))
    },
    ticks: {
      autoSkip: true,
      maxRotation: 0,
      ...axisText(colours),
      callback: (value: number | string) => {
        const place = 10 ** Number(value)
        return `${options.write?.(place) ?? shortSize(place, units)}${options.suffix}`
      },
    },
    title: { display: true, text: title, ...axisText(colours) },
  } as const
}

/** `1 MB`, `1.5 GB`: a round size without the zeros that its precision would ask for. */
export function shortSize(bytes: number, units: Units): string {
  const { number, unit } = sizeQuantity(Math.round(bytes), units)
  return `${withoutZeros(number)} ${unit}`
}
