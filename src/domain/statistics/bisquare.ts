import { MAD_TO_DEVIATION, medianOf } from './quantiles'
import type { Line, TimedSize } from './theilSen'

/** Tukey's constant for 95 % efficiency on normal noise. */
const TUNING = 4.685
const ROUNDS = 60
/** Relative steps below this end the iteration. */
const SETTLED = 1e-9

/**
 * Fits time = latency + bytes × nsPerByte by iteratively reweighted least squares on relative
 * residuals, with Tukey's bisquare weights (Holland and Welsch 1977), from a start by medians. A
 * second opinion to Theil and Sen's: it weighs small and large files alike and shares nothing with
 * it. Null where it does not converge to a rising line.
 */
export function bisquareLine(samples: readonly TimedSize[]): Line | null {
  let line = startLine(samples)
  for (let round = 0; round < ROUNDS; round++) {
    const residuals = samples.map(({ bytes, ns }) => ns / expectedNs(line, bytes) - 1)
    const scale = MAD_TO_DEVIATION * medianOf(residuals.map(Math.abs))
    // A perfect fit leaves nothing to weigh.
    if (!(scale > 1e-12)) return line
    const next = weightedLine(samples, (index, { bytes }) => {
      const u = (residuals[index] as number) / (TUNING * scale)
      const weight = Math.abs(u) >= 1 ? 0 : (1 - u * u) ** 2
      return weight / expectedNs(line, bytes) ** 2
    })
    if (next === null || !(next.nsPerByte > 0)) return null
    const step = Math.max(
      Math.abs(next.nsPerByte / line.nsPerByte - 1),
      Math.abs(next.latencyNs - line.latencyNs) / expectedNs(next, 0),
    )
    line = next
    if (step < SETTLED) break
  }
  return line
}

/**
 * The time that the line expects, never below a nanosecond: a latency lost in noise may be
 * negative.
 */
function expectedNs({ latencyNs, nsPerByte }: Line, bytes: number): number {
  return Math.max(1, latencyNs + nsPerByte * bytes)
}

/** The slope from the larger half by its median rate, the latency from the smaller half. */
function startLine(samples: readonly TimedSize[]): Line {
  const sorted = samples.toSorted((a, b) => a.bytes - b.bytes)
  const half = Math.floor(sorted.length / 2)
  const nsPerByte = medianOf(sorted.slice(half).map(({ bytes, ns }) => ns / bytes))
  const latencyNs = medianOf(sorted.slice(0, half).map(({ bytes, ns }) => ns - nsPerByte * bytes))
  return { nsPerByte, latencyNs: Math.max(0, latencyNs) }
}

function weightedLine(
  samples: readonly TimedSize[],
  weightOf: (index: number, sample: TimedSize) => number,
): Line | null {
  let [sum, x, y, xx, xy] = [0, 0, 0, 0, 0]
  samples.forEach((sample, index) => {
    const weight = weightOf(index, sample)
    sum += weight
    x += weight * sample.bytes
    y += weight * sample.ns
  })
  if (!(sum > 0)) return null
  const [meanX, meanY] = [x / sum, y / sum]
  samples.forEach((sample, index) => {
    const weight = weightOf(index, sample)
    xx += weight * (sample.bytes - meanX) ** 2
    xy += weight * (sample.bytes - meanX) * (sample.ns - meanY)
  })
  if (!(xx > 0)) return null
  const nsPerByte = xy / xx
  return { nsPerByte, latencyNs: meanY - nsPerByte * meanX }
}
