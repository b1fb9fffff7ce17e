import type { SpeedProfile } from './medium'

/** Radii of the data area of DVD and BD in millimetres; CD begins at 25. */
const INNER_RADIUS = 24
const OUTER_RADIUS = 58

/**
 * Zones of Z-CLV, from the inner edge: the part of the layer at which each ends and its share of
 * the labelled speed. Assumed: drives differ in where they change up; a whole layer then has 0.83
 * of the labelled speed on average, and with any zones between 0.71 (CAV) and 1 (CLV).
 */
const ZONES = [
  { end: 0.1, share: 0.5 },
  { end: 0.4, share: 0.75 },
  { end: 1, share: 1 },
] as const

/** A rate from a byte on, until the next one begins. `Pace` of the native pipe is the same. */
export interface Pace {
  readonly fromByte: number
  readonly bytesPerSecond: number
}

/** How fast a medium is written or read along its bytes: in rising order, the first from byte 0. */
export type SpeedCurve = readonly Pace[]

/**
 * Steps for each layer at constant angular velocity. A step has the mean rate of its part, so the
 * time up to the end of a step is exact; within one, the rate is off by at most 3.6 % (the
 * innermost: from 24 to 25.8 mm).
 */
const STEPS = 32

/** The parameters of a disc's speed curve. */
export interface DiscSpeed {
  readonly profile: SpeedProfile
  /** The labelled speed, in bytes per second; reached at the rim at constant angular velocity. */
  readonly labelled: number
  readonly capacityBytes: number
  /** Each further layer runs back towards where the one before began. */
  readonly layers: number
}

/**
 * The rate along a disc. Source of the geometry: ECMA-267 and the BD physical format, 24 to 58 mm.
 */
export function speedCurve({ profile, labelled, capacityBytes, layers }: DiscSpeed): SpeedCurve {
  const ends = stepEnds(profile)
  const layerBytes = capacityBytes / layers
  const curve: Pace[] = []
  for (let layer = 0; layer < layers; layer++) {
    const isOutwards = layer % 2 === 0
    for (let step = 0; step < ends.length; step++) {
      const from = step === 0 ? 0 : (ends[step - 1] as number)
      const at = isOutwards ? from : 1 - from
      const to = isOutwards ? (ends[step] as number) : 1 - (ends[step] as number)
      curve.push({
        fromByte: Math.round((layer + from) * layerBytes),
        bytesPerSecond: labelled * meanSpeedShare(profile, Math.max(at, to), Math.min(at, to)),
      })
    }
  }
  return curve.filter(({ bytesPerSecond }, at) => bytesPerSecond !== curve[at - 1]?.bytesPerSecond)
}

function stepEnds(profile: SpeedProfile): readonly number[] {
  if (profile === 'clv') return [1]
  if (profile === 'zclv') return [0.1, 0.4, 0.6, 0.9, 1]
  return Array.from({ length: STEPS }, (_, at) => (at + 1) / STEPS)
}

/**
 * The share of the labelled speed that a drive has on average between two parts of a layer: all of
 * it at constant linear velocity; at constant angular velocity as much as the radius has of the
 * rim's, 0.707 for a whole layer.
 */
export function meanSpeedShare(profile: SpeedProfile, to = 1, from = 0): number {
  if (profile === 'clv') return 1
  if (profile === 'cav') return (radiusAt(from) + radiusAt(to)) / (2 * OUTER_RADIUS)
  let [start, time] = [0, 0]
  for (const { end, share } of ZONES) {
    time += Math.max(0, Math.min(end, to) - Math.max(start, from)) / share
    start = end
  }
  return time > 0 ? (to - from) / time : (ZONES.find(({ end }) => to <= end)?.share ?? 1)
}

/** The area of the rings is proportional to the data in them. */
function radiusAt(part: number): number {
  const within = Math.min(1, Math.max(0, part))
  return Math.sqrt(INNER_RADIUS ** 2 + within * (OUTER_RADIUS ** 2 - INNER_RADIUS ** 2))
}

/** Seconds for the first `bytes` along a curve. */
export function secondsAlong(curve: SpeedCurve, bytes: number): number {
  let seconds = 0
  for (const [at, { fromByte, bytesPerSecond }] of curve.entries()) {
    if (fromByte >= bytes) break
    seconds += (Math.min(bytes, curve[at + 1]?.fromByte ?? bytes) - fromByte) / bytesPerSecond
  }
  return seconds
}

/** The curve of a rate that stays the same. */
export function steadyRate(bytesPerSecond: number): SpeedCurve {
  return [{ fromByte: 0, bytesPerSecond }]
}

/** Every rate of a curve times a factor. */
export function scaledCurve(curve: SpeedCurve, factor: number): SpeedCurve {
  return curve.map(({ fromByte, bytesPerSecond }) => ({ fromByte, bytesPerSecond: bytesPerSecond * factor }))
}
