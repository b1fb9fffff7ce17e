import type { Estimate } from '../../primitives/estimate'
import type { OperationFigures } from './measurement'

/**
 * The ratio b / a of two figures with its range: the two ranges are taken as independent and added
 * on the scale of logarithms, where they are nearly symmetric. Null where one is not known or not
 * positive.
 */
export function ratioOf(a: Estimate | null, b: Estimate | null): Estimate | null {
  if (a === null || b === null || !(a.value > 0) || !(b.value > 0)) return null
  const value = b.value / a.value
  const reach = (up: boolean): number => {
    const [far, near] = up ? [b.high / b.value, a.value / a.low] : [b.value / b.low, a.high / a.value]
    return Math.exp(Math.hypot(Math.log(far), Math.log(near)))
  }
  return {
    value,
    low: value / reach(false),
    high: value * reach(true),
    confidence: 0.95,
    provenance: 'measured',
    basis: 'ratio of two measurements',
  }
}

interface OperationRatios {
  readonly rateRatio: Estimate | null
  readonly latencyRatio: Estimate | null
  /** True when the range of the ratio does not hold 1. */
  readonly rateDiffers: boolean
  readonly latencyDiffers: boolean
}

/** How much faster b is than a, and whether that is significant. */
export function compareFigures(a: OperationFigures, b: OperationFigures): OperationRatios {
  const rateRatio = ratioOf(a.bytesPerSecond, b.bytesPerSecond)
  const latencyRatio = ratioOf(a.latencyNs, b.latencyNs)
  return { rateRatio, latencyRatio, rateDiffers: differs(rateRatio), latencyDiffers: differs(latencyRatio) }
}

function differs(ratio: Estimate | null): boolean {
  return ratio !== null && (ratio.low > 1 || ratio.high < 1)
}
