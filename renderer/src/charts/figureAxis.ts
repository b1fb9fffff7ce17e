import { formatCount, type Units } from '../../../src/primitives/quantity'
import type { ChartColours } from './colours'
import { logAxis, logTicks } from './logAxis'

export type FigureKind = 'size' | 'time' | 'count'

/** Round places of a logarithmic axis of times, in seconds. */
const TIMES: readonly (readonly [number, string])[] = [
  [0.001, '1 ms'],
  [0.01, '10 ms'],
  [0.1, '100 ms'],
  [1, '1 s'],
  [3, '3 s'],
  [10, '10 s'],
  [30, '30 s'],
  [60, '1 min'],
  [180, '3 min'],
  [600, '10 min'],
  [1800, '30 min'],
  [3600, '1 h'],
  [10_800, '3 h'],
  [36_000, '10 h'],
  [86_400, '1 d'],
  [259_200, '3 d'],
  [864_000, '10 d'],
  [2_592_000, '30 d'],
  [8_640_000, '100 d'],
]

/** An axis of sizes, times or counts by their logarithm; values are given as log10. */
export function figureAxis(
  title: string,
  kind: FigureKind,
  range: { readonly from: number; readonly to: number },
  most: number,
  grid: boolean,
  units: Units,
  colours: ChartColours,
) {
  const shape = { suffix: '', grid, range }
  switch (kind) {
    case 'size':
      return logAxis(title, sizeTicks(range, units, most), units, colours, shape)
    case 'count': {
      const ticks = logTicks(range.from, range.to, 'decimal', most)
      return logAxis(title, ticks.filter(isWhole), units, colours, { ...shape, write: formatCount })
    }
    case 'time':
      return logAxis(title, timeTicks(range, most), units, colours, { ...shape, write: timeWord })
  }
}

/** Below this factor between the ends round powers leave too few places: steps of equal size have more. */
const NARROW = 5
const STEPS = [1, 2, 2.5, 5, 10]

/** Round sizes within a range. */
export function sizeTicks(
  { from, to }: { readonly from: number; readonly to: number },
  units: Units,
  most: number,
): number[] {
  if (to / from > NARROW) return logTicks(from, to, units, most)
  const base = units === 'decimal' ? 1000 : 1024
  const unit = base ** Math.floor(Math.log(to) / Math.log(base))
  const least = (to - from) / unit / most
  const power = 10 ** Math.floor(Math.log10(least))
  const step = unit * power * (STEPS.find((each) => each * power >= least) ?? 10)
  const first = Math.ceil(from / step)
  return Array.from({ length: Math.floor(to / step) - first + 1 }, (_, index) => (first + index) * step)
}

function isWhole(value: number): boolean {
  return Math.abs(value - Math.round(value)) < 1e-9
}

/** Round times within a range, at most `most` of them. */
export function timeTicks(
  { from, to }: { readonly from: number; readonly to: number },
  most: number,
): number[] {
  const within = TIMES.map(([seconds]) => seconds).filter((seconds) => seconds >= from && seconds <= to)
  const stride = Math.max(1, Math.ceil(within.length / most))
  return within.filter((_, index) => index % stride === 0)
}

function timeWord(seconds: number): string {
  return TIMES.find(([known]) => Math.abs(known - seconds) < known * 1e-6)?.[1] ?? `${seconds} s`
}
