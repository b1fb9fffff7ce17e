import { type Estimate, type Span } from '../../../primitives/estimate'
import { formatCounted } from '../../../primitives/quantity'
import { said } from '../../../primitives/said'
import { type DriveOfMedium, discCurve, discSeconds } from '../../media/driveRates'
import { scaledCurve, secondsAlong, steadyRate } from '../../media/speedCurve'
import { waitTime } from '../../options/cost/rates'
import { medianOf } from '../../statistics/quantiles'
import { type SourceModel, steadySource, type WriterModel } from './forecastWrite'
import type { ReadProfile } from './readProfile'

/**
 * Where a drive was not measured its label says what it does: blanks and drives lie between two
 * others.
 */
function discModel(needed: DriveOfMedium, direction: 'write' | 'read', capacityBytes: number): WriterModel {
  const { speed, lowSpeed, highSpeed } = needed.drive[direction]
  return {
    curve: discCurve(needed, direction, capacityBytes),
    pace: { low: lowSpeed / speed, high: highSpeed / speed },
    discSeconds: discSeconds(needed),
    provenance: 'assumed',
    basis: said`a usual drive: ${needed.drive.source}`,
  }
}

/** The time of writing a disc, with lead-in and closing, without the drive's waits for its data. */
export interface Burn {
  readonly bytes: number
  readonly seconds: number
}

/** On discs with less on them, lead-in and closing take about as long as the bytes. */
const LEAST_FILLED = 0.1
/**
 * How far the rate of one burn is from that of the next, with the same drive and speed; assumed.
 */
const BURNS_DIFFER = 0.15

/**
 * A disc of a medium: in the drive that wrote others of it, at the median of their rates; in a
 * usual one where there are none.
 * @param burns of this medium, as the last one was written
 */
export function writerModel(
  needed: DriveOfMedium,
  capacityBytes: number,
  burns: readonly Burn[] = [],
): WriterModel {
  const usual = discModel(needed, 'write', capacityBytes)
  const paces = burns.flatMap(({ bytes, seconds }) => {
    const along = seconds - usual.discSeconds.value
    return bytes < LEAST_FILLED * capacityBytes || along <= 0
      ? []
      : [secondsAlong(usual.curve, bytes) / along]
  })
  if (paces.length === 0) return usual
  const pace = medianOf(paces)
  return {
    ...usual,
    curve: scaledCurve(usual.curve, pace),
    pace: {
      low: Math.min(1 - BURNS_DIFFER, ...paces.map((one) => one / pace)),
      high: Math.max(1 + BURNS_DIFFER, ...paces.map((one) => one / pace)),
    },
    provenance: 'modelled',
    basis: said`the rate of ${formatCounted(paces.length, 'earlier burn')} of this medium here; lead-in and closing as in a usual drive`,
  }
}

/** Reading the first bytes of a disc back, from its insertion on. */
export function readBackSeconds(needed: DriveOfMedium, capacityBytes: number, bytes: number): Estimate {
  const { curve, pace, discSeconds: each, provenance, basis } = discModel(needed, 'read', capacityBytes)
  const seconds = secondsAlong(curve, bytes)
  const at = (end: keyof Span, share: number): number => seconds / share + each[end]
  return {
    value: at('value', 1),
    low: at('low', pace.high),
    high: at('high', pace.low),
    confidence: 0.95,
    provenance,
    basis: said`reading it back: ${basis}`,
  }
}

/** A disk that is written at one rate. */
export function steadyWriter({ value, low, high, provenance, basis }: Estimate): WriterModel {
  return {
    curve: steadyRate(value),
    pace: { low: low / value, high: high / value },
    discSeconds: { value: 0, low: 0, high: 0 },
    provenance,
    basis,
  }
}

/**
 * A source whose cost was sampled. Where some of the sample came from the system's cache, the range
 * goes up to what the files cost without it: nobody knows what is still there when the run begins.
 * @param probed what was read: the profile at present and without the cache (null where nothing
 *   was in it), and how many files
 */
export function sampledSource(
  entries: number,
  probed: { readonly profile: ReadProfile; readonly uncached: ReadProfile | null; readonly files: number },
): SourceModel {
  const { profile, uncached, files } = probed
  const upTo = (now: Span, later: Span | undefined): Span => ({
    ...now,
    high: Math.max(now.high, later?.high ?? 0),
  })
  return {
    startSeconds: waitTime('file.look', { file: entries }),
    fileSeconds: upTo(profile.fileSeconds, uncached?.fileSeconds),
    secondsPerByte: upTo(profile.secondsPerByte, uncached?.secondsPerByte),
    provenance: 'measured',
    basis: uncached
      ? said`timed on ${files} of its files; the upper end is without the system’s cache`
      : said`timed on ${files} of its files`,
  }
}

/**
 * A source that could not be read when the plan was made: taken to be like the disk that is written
 * to.
 */
export function unreadSource(entries: number, latency: Estimate, bytesPerSecond: Estimate): SourceModel {
  return {
    startSeconds: waitTime('file.look', { file: entries }),
    fileSeconds: latency,
    secondsPerByte: steadySource(bytesPerSecond).secondsPerByte,
    provenance: 'assumed',
    basis: said`assumed to be as fast as the target, because it could not be read`,
  }
}
