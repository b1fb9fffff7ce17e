import { tQuantile } from '../statistics/tQuantile'
import type { CalibrationRow } from './optionsDocument'

export const CALIBRATED_FIGURES = ['bytes', 'buildSeconds', 'ramBytes'] as const
export type CalibratedFigure = (typeof CALIBRATED_FIGURES)[number]

/** One build's forecast without calibration, and the actual figure; null where that is not known. */
export interface BuiltFigures {
  readonly variant: string
  readonly forecast: Readonly<Record<CalibratedFigure, number>>
  readonly actual: Readonly<Record<CalibratedFigure, number | null>>
}

/**
 * So many builds of no error at all are taken to stand beside those there were: a single one is not believed wholly. Sizes are off by
 * what is in a source, times by the machine, which stays the same.
 */
const PRIOR_BUILDS: Readonly<Record<CalibratedFigure, number>> = { bytes: 2, buildSeconds: 0.5, ramBytes: 1 }
/** A forecast that is off by more is not calibrated but wrong. */
const MOST_FACTOR = 8

/**
 * What forecasts of each variant are multiplied by, from earlier builds: the median of actual over forecast on the scale of
 * logarithms, drawn towards 1 while there are few. `spread` is the half-width of the 95 % range that single builds leave about it,
 * as a share, from their standard deviation (Student's t); null for one.
 */
export function calibrationOf(builds: readonly BuiltFigures[]): CalibrationRow[] {
  const variants = [...new Set(builds.map(({ variant }) => variant))].toSorted()
  return variants.flatMap((variant) =>
    CALIBRATED_FIGURES.flatMap((figure): CalibrationRow[] => {
      const logs = builds
        .filter((build) => build.variant === variant)
        .flatMap((build) => logOf(build, figure))
      if (logs.length === 0) return []
      const median = medianOf(logs)
      const drawn = (median * logs.length) / (logs.length + PRIOR_BUILDS[figure])
      return [
        { variant, figure, factor: Math.exp(drawn), builds: logs.length, spread: spreadOf(logs, drawn) },
      ]
    }),
  )
}

function logOf({ forecast, actual }: BuiltFigures, figure: CalibratedFigure): number[] {
  const [expected, found] = [forecast[figure], actual[figure]]
  if (found === null || !(expected > 0) || !(found > 0)) return []
  const log = Math.log(found / expected)
  return Math.abs(log) > Math.log(MOST_FACTOR) ? [] : [log]
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length >> 1
  const upper = sorted[middle] as number
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] as number)) / 2
}

function spreadOf(logs: readonly number[], center: number): number | null {
  if (logs.length < 2) return null
  const squares = logs.reduce((sum, log) => sum + (log - center) ** 2, 0)
  const deviation = Math.sqrt(squares / (logs.length - 1))
  return Math.expm1(deviation * tQuantile(logs.length - 1))
}
