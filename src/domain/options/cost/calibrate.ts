import { medianOf } from '../../statistics/quantiles'
import { tQuantile } from '../../statistics/tQuantile'
import type { CalibrationRow } from '../optionsDocument'

/** One build's forecast without calibration, and the actual figures; null where one is not known. */
export interface BuiltTimes {
  readonly family: string
  readonly variant: string
  /** The same text for all builds of one source. */
  readonly source: string
  readonly forecast: { readonly buildSeconds: number; readonly cpuSeconds: number | null }
  readonly actual: { readonly buildSeconds: number; readonly cpuSeconds: number | null }
  /** Mean number of cores that anything else kept busy meanwhile. */
  readonly otherCores: number | null
}

/** So many builds without error are assumed in addition: three builds correct half of a forecast's error. */
const PRIOR_BUILDS = 3
/** Two sources agree by chance, and a factor from two made the third worse (tests/bench/accuracy/calibration.ts). */
const LEAST_SOURCES = 3
/** A forecast that is off by more is not calibrated but wrong. */
const MOST_LOG = Math.log(8)
/** Shorter times are those of starting a program, counted in hundredths of a second. */
const LEAST_SECONDS = 0.5
/** A machine with more than this share of a core in other hands is not idle: two threads then take up to an eighth longer. */
const IDLE_CORES = 0.25
/** Calibration has to lower the mean error of sources that it has not seen by at least a tenth. */
const WORTHWHILE = 0.9
/** And it may raise that of one source in so many. */
const ONE_WORSE_IN = 5

/** How far one build was off: the logarithm of actual over forecast. */
interface Miss {
  readonly source: string
  readonly variant: string
  readonly log: number
}

/**
 * What times of a family's later forecasts are multiplied by, from earlier builds, and of a variant with builds enough of its own.
 * CPU time is compared where it was recorded; the duration only where it was not and the machine was idle. The factor is the median
 * over sources on the scale of logarithms, shrunk towards 1. A row is left out unless it lowers the errors of
 * sources that are forecast from the others alone.
 */
export function calibrationOf(builds: readonly BuiltTimes[]): CalibrationRow[] {
  const families = [...new Set(builds.map(({ family }) => family))].toSorted()
  return families.flatMap((family) => {
    const own = builds.filter((build) => build.family === family)
    const byCpu = own.flatMap((build) => missOf(build, 'cpuSeconds'))
    if (byCpu.length > 0) return rowsOf(family, 'cpuSeconds', byCpu)
    const byClock = own.filter(wasAlone).flatMap((build) => missOf(build, 'buildSeconds'))
    return rowsOf(family, 'buildSeconds', byClock)
  })
}

/** Whether a build had the machine for itself, so that its duration says something about the next one's. */
export function wasAlone({ otherCores }: Pick<BuiltTimes, 'otherCores'>): boolean {
  return otherCores !== null && otherCores <= IDLE_CORES
}

function missOf({ forecast, actual, source, variant }: BuiltTimes, figure: CalibrationRow['figure']): Miss[] {
  const [expected, found] = [forecast[figure], actual[figure]]
  if (expected === null || found === null || expected < LEAST_SECONDS || found < LEAST_SECONDS) return []
  const log = Math.log(found / expected)
  return Math.abs(log) > MOST_LOG ? [] : [{ source, variant, log }]
}

function rowsOf(family: string, figure: CalibrationRow['figure'], misses: readonly Miss[]): CalibrationRow[] {
  const common = lowersError(misses) ? shrunk(misses) : 0
  const whole = common === 0 ? [] : [rowOf({ family, variant: null, figure }, common, misses)]
  const variants = [...new Set(misses.map(({ variant }) => variant))].toSorted()
  // The only variant there is has no factor besides the family's.
  if (variants.length < 2) return whole
  const single = variants.flatMap((variant) => {
    const own = misses.filter((miss) => miss.variant === variant)
    const left = own.map(({ source, log }) => ({ source, variant, log: log - common }))
    if (!lowersError(left)) return []
    return [rowOf({ family, variant, figure }, common + shrunk(left), own)]
  })
  return [...whole, ...single]
}

function rowOf(
  of: Pick<CalibrationRow, 'family' | 'variant' | 'figure'>,
  log: number,
  misses: readonly Miss[],
): CalibrationRow {
  return { ...of, factor: Math.exp(log), builds: misses.length, spread: spreadOf(misses, log) }
}

/** Leaves out one source after the other and forecasts it from the rest: whether that is better than no factor at all. */
function lowersError(misses: readonly Miss[]): boolean {
  const sources = [...new Set(misses.map(({ source }) => source))]
  if (sources.length < LEAST_SOURCES) return false
  const left = sources.map((source) => {
    const learnt = shrunk(misses.filter((miss) => miss.source !== source))
    const own = misses.filter((miss) => miss.source === source).map(({ log }) => log)
    return { after: meanSize(own.map((log) => log - learnt)), before: meanSize(own) }
  })
  const after = left.reduce((sum, each) => sum + each.after, 0)
  const before = left.reduce((sum, each) => sum + each.before, 0)
  const worse = left.filter((each) => each.after > each.before).length
  return after < WORTHWHILE * before && worse * ONE_WORSE_IN <= sources.length
}

/** The median over sources of each one's own, drawn towards 0 while there are few builds. */
function shrunk(misses: readonly Miss[]): number {
  const sources = [...new Set(misses.map(({ source }) => source))]
  const each = sources.map((source) =>
    medianOf(misses.filter((miss) => miss.source === source).map(({ log }) => log)),
  )
  return (medianOf(each) * misses.length) / (misses.length + PRIOR_BUILDS)
}

function meanSize(logs: readonly number[]): number {
  return logs.reduce((sum, log) => sum + Math.abs(log), 0) / logs.length
}

/** Half-width of the 95 % range that single builds leave about a factor, as a share (Student's t). */
function spreadOf(misses: readonly Miss[], center: number): number {
  const squares = misses.reduce((sum, { log }) => sum + (log - center) ** 2, 0)
  const deviation = Math.sqrt(squares / (misses.length - 1))
  return Math.expm1(deviation * tQuantile(misses.length - 1))
}
