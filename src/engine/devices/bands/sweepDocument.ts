import {
  BAND_SWEEP_SCHEMA,
  type BandRecommendation,
  type BandSweepDocument,
  type BandSweepPoint,
  type BandSweepPreview,
  type BandSweepRequest,
  type SweepCache,
  type SweepWarning,
} from '../../../contract/dto/bands'
import { becauseOf } from '../../../domain/devices/bands/because'
import { recommendBands } from '../../../domain/devices/bands/recommend'
import type { SweepSample } from '../../../domain/devices/bands/sweepDocument'
import { candidatesOf } from '../../../domain/devices/bands/sweepFigures'
import { LEAST_REPEATS, type SweepPlan } from '../../../domain/devices/bands/sweepPlan'
import { pointFigures, wholeRounds } from './pointFigures'
import type { SweepEnd } from './runSweep'

/** Read-ahead and shared pages leave a few resident; more than this share was not forgotten. */
const RESIDENT_LIMIT = 0.01
/**
 * The device must have counted this share of what was read: compression below the file system
 * lowers it too.
 */
const COUNTED_LIMIT = 0.9
/** A pass shorter than this is mostly the flush at its end. */
const SHORT_PASS_NS = 50e6

/** The result of a sweep, as it is stored. */
export function sweepDocument(
  about: {
    readonly id: string
    readonly createdWallMs: number
    readonly elapsedMs: number
    readonly request: BandSweepRequest
    readonly preview: BandSweepPreview
    readonly plan: SweepPlan
  },
  samples: readonly SweepSample[],
  end: SweepEnd,
): BandSweepDocument {
  const { plan, preview } = about
  const { directory, ...request } = about.request
  const [reference, ...points] = pointFigures(plan, samples, request.fullBytes)
  const cache = cacheOf(preview, end)
  const recommended = recommendationOf(request, plan, samples, preview, points)
  const repeats = wholeRounds(plan, samples)
  return {
    schema: BAND_SWEEP_SCHEMA,
    id: about.id,
    createdWallMs: about.createdWallMs,
    directory,
    device: preview.device,
    request,
    cache,
    flush: 'end',
    passBytes: plan.passBytes,
    repeats,
    points,
    reference: reference as BandSweepPoint,
    recommended,
    warnings: warningsOf(about, samples, { cache, repeats, end }),
    samples: [...samples],
    writtenBytes: end.writtenBytes,
    readBytes: 2 * end.readBytes,
    elapsedMs: about.elapsedMs,
    partial: end.error !== null,
    error: end.error === null || end.error.code === 'cancelled' ? null : end.error.toWire(),
  }
}

function recommendationOf(
  { encryptions, fullBytes }: Pick<BandSweepRequest, 'encryptions' | 'fullBytes'>,
  plan: SweepPlan,
  samples: readonly SweepSample[],
  { device }: BandSweepPreview,
  points: readonly BandSweepPoint[],
): BandRecommendation {
  const encryption = encryptions[0] ?? null
  const found = recommendBands(
    candidatesOf(plan.points, samples, encryption, { fullBytes, passBytes: plan.passBytes }),
    { isNetwork: device.kind === 'network', fileSystem: device.fileSystem },
  )
  const { limit, from, to, place } = found.rule
  const chosen = points.find(
    (point) => point.kind === 'UDSB' && point.encryption === encryption && point.bandSize === found.bandBytes,
  )
  return {
    bandSize: found.bandBytes,
    bands: found.bands,
    because: becauseOf(found, fullBytes),
    encryption,
    isNoise: found.isNoise,
    asFast: [...found.asFast],
    fastest: found.fastest,
    slower: found.slower.map(({ bandBytes, ratio: { value, low, high } }) => ({
      bandSize: bandBytes,
      ratio: { value, low, high },
    })),
    rule: { limit, from, to, place },
    expected:
      found.by !== 'unranked' && chosen?.write && chosen.read && chosen.stream
        ? { write: chosen.write, read: chosen.read, stream: chosen.stream }
        : null,
  }
}

function cacheOf({ device }: BandSweepPreview, end: SweepEnd): SweepCache {
  const { droppedBytes, residentBytes, readBytes, deviceReadBytes } = end
  const isForgotten = residentBytes !== null && residentBytes <= RESIDENT_LIMIT * droppedBytes
  const isCounted = deviceReadBytes !== null && deviceReadBytes >= COUNTED_LIMIT * readBytes
  return {
    droppedBytes,
    residentBytes,
    readBytes,
    deviceReadBytes,
    plausible:
      device.kind !== 'memory' &&
      (isForgotten || isCounted) &&
      (residentBytes === null || isForgotten) &&
      (deviceReadBytes === null || isCounted),
  }
}

function warningsOf(
  { preview, plan }: { preview: BandSweepPreview; plan: SweepPlan },
  samples: readonly SweepSample[],
  { cache, repeats, end }: { cache: SweepCache; repeats: number; end: SweepEnd },
): SweepWarning[] {
  const warnings: SweepWarning[] = []
  const warn = (code: SweepWarning['code'], figures: Record<string, number> = {}): void => {
    warnings.push({ code, figures })
  }
  if (preview.device.kind === 'memory') warn('memoryFileSystem')
  else if (cache.residentBytes === null && cache.deviceReadBytes === null) warn('cacheUnknown')
  else if (!cache.plausible)
    warn('cacheSuspected', {
      resident: cache.residentBytes ?? 0,
      asked: cache.readBytes,
      counted: cache.deviceReadBytes ?? 0,
    })
  if (end.error?.code === 'cancelled') warn('cancelled', { repeats })
  if (end.error?.code === 'no-space') warn('shortOfSpace', { repeats })
  if (end.error === null && repeats < 2 * LEAST_REPEATS) warn('fewRepeats', { repeats })
  if (preview.tooLarge.length > 0)
    warn('partOfBand', {
      count: preview.tooLarge.length,
      from: Math.min(...preview.tooLarge),
      pass: plan.passBytes,
    })
  const shortest = samples.reduce((least, { ns }) => Math.min(least, ns), Number.POSITIVE_INFINITY)
  if (shortest < SHORT_PASS_NS) warn('shortPass', { pass: plan.passBytes, ms: shortest / 1e6 })
  return warnings
}
