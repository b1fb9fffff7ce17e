import { formatCount, shortNumber, type Units } from '../../../src/primitives/quantity'
import type { ChartColours } from './colours'
import { logAxis, logTicks } from './logAxis'

export type FigureKind = 'size' | 'time' | 'count'

const MINUTE = 60
const HOUR = 3600
const DAY = 86_400

/** Round times in seconds, from few to many. */
const TIMES: readonly (readonly number[])[] = [
  [0.001, 0.01, 0.1, 1, 10, MINUTE, 10 * MINUTE, HOUR, 10 * HOUR, DAY, 10 * DAY, 100 * DAY],
  timesOf(
    [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30],
    [1, 3, 10, 30],
    [1, 3, 10],
    [1, 3, 10, 30, 100, 300],
  ),
  timesOf(
    [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 20, 30, 45],
    [1, 1.5, 2, 3, 5, 7, 10, 15, 20, 30, 45],
    [1, 1.5, 2, 3, 5, 7, 10, 15],
    [1, 1.5, 2, 3, 5, 7, 10, 20, 50, 100],
  ),
]

function timesOf(
  seconds: readonly number[],
  minutes: readonly number[],
  hours: readonly number[],
  days: readonly number[],
): number[] {
  const within = (each: readonly number[], unit: number): number[] => each.map((value) => value * unit)
  return [...seconds, ...within(minutes, MINUTE), ...within(hours, HOUR), ...within(days, DAY)]
}

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

/**
 * Below this factor between the ends round powers leave too few places: steps of equal size have
 * more.
 */
const NARROW = 5
const STEPS = [1, 2, 2.5, 5, 10]

/** The step between round sizes, at most `most` of them from one end to the other. */
export function sizeStep(
  { from, to }: { readonly from: number; readonly to: number },
  units: Units,
  most: number,
): number {
  const base = units === 'decimal' ? 1000 : 1024
  const unit = base ** Math.floor(Math.log(to) / Math.log(base))
  const least = (to - from) / unit / most
  const power = 10 ** Math.floor(Math.log10(least))
  return unit * power * (STEPS.find((each) => each * power >= least) ?? 10)
}

/** Round sizes within a range. */
export function sizeTicks(
  { from, to }: { readonly from: number; readonly to: number },
  units: Units,
  most: number,
): number[] {
  if (to / from > NARROW) return logTicks(from, to, units, most)
  const step = sizeStep({ from, to }, units, most)
  const first = Math.ceil(from / step)
  return Array.from({ length: Math.floor(to / step) - first + 1 }, (_, index) => (first + index) * step)
}

function isWhole(value: number): boolean {
  return Math.abs(value - Math.round(value)) < 1e-9
}

/** Round times within a range: as many as have room, at most `most`. */
export function timeTicks(
  { from, to }: { readonly from: number; readonly to: number },
  most: number,
): number[] {
  const choices = TIMES.map((places) => places.filter((seconds) => seconds >= from && seconds <= to))
  const fitting = choices.filter((places) => places.length <= most)
  return fitting[fitting.length - 1] ?? choices[0] ?? []
}

function timeWord(seconds: number): string {
  const [size, unit] =
    seconds < 0.9999
      ? [0.001, 'ms']
      : seconds < MINUTE - 0.01
        ? [1, 's']
        : seconds < HOUR - 1
          ? [MINUTE, 'min']
          : seconds < DAY - 1
            ? [HOUR, 'h']
            : [DAY, 'd']
  return `${shortNumber(seconds / size, 1)} ${unit}`
}
