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
import type { MeasureWarning } from '../../../contract/dto/measure'
import { becauseOf } from '../../../domain/devices/bands/because'
import { recommendBands } from '../../../domain/devices/bands/recommend'
import type { SweepSample } from '../../../domain/devices/bands/sweepDocument'
import {
  candidatesOf,
  pointFigures,
  sweepSamples,
  wholeRounds,
} from '../../../domain/devices/bands/sweepFigures'
import { LEAST_REPEATS, type SweepPlan } from '../../../domain/devices/bands/sweepPlan'
import type { Sample } from '../../../domain/devices/sampleCollector'
import { cacheProof, howItEnded, liveFigures, movedBytes, runWarnings } from '../measurementDocument'
import type { SegmentsEnd } from '../runSegments'

/** A pass shorter than this is mostly the flush at its end. */
const SHORT_PASS_NS = 50e6

/** A sweep's document, from its measurement in many containers. */
export function sweepDocument(
  about: {
    readonly id: string
    readonly createdWallMs: number
    readonly elapsedMs: number
    readonly request: BandSweepRequest
    readonly preview: BandSweepPreview
    readonly plan: SweepPlan
  },
  timed: readonly Sample[],
  end: SegmentsEnd,
): BandSweepDocument {
  const { plan, preview } = about
  const samples = sweepSamples(timed)
  const { directory, ...request } = about.request
  const [reference, ...points] = pointFigures(plan, samples, request.fullBytes)
  const moved = movedBytes(timed)
  const { device } = preview
  const figures = liveFigures(timed, device.linkBytesPerSecond)
  const proof = cacheProof({ device, requested: 'uncached' }, figures, end, moved)
  const { checkedBytes: droppedBytes, residentBytes, deviceReadBytes } = end.cache
  const readBytes = movedBytes(timed.filter(({ op }) => op === 'read')).readBytes
  const cache = { droppedBytes, residentBytes, readBytes, deviceReadBytes, plausible: proof.plausible }
  const recommended = recommendationOf(request, plan, samples, preview, points)
  const repeats = wholeRounds(plan, samples)
  return {
    schema: BAND_SWEEP_SCHEMA,
    id: about.id,
    createdWallMs: about.createdWallMs,
    directory,
    device,
    request,
    cache,
    flush: 'end',
    passBytes: plan.passBytes,
    repeats,
    points,
    reference: reference as BandSweepPoint,
    recommended,
    warnings: [
      ...runWarnings(proof, end).map((warning) => sweepWarning(warning, cache, repeats)),
      ...passWarnings(about, samples, end.error === null ? repeats : null),
    ],
    samples,
    ...moved,
    elapsedMs: about.elapsedMs,
    ...howItEnded(end),
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

/** A warning of every measurement, with what is known of it in a sweep. */
function sweepWarning(
  { code, figures }: MeasureWarning,
  { residentBytes: resident, readBytes: asked, deviceReadBytes: counted }: SweepCache,
  repeats: number,
): SweepWarning {
  if (code === 'cancelled' || code === 'shortOfSpace') return { code, figures: { repeats } }
  if (code !== 'cacheSuspected') return { code, figures } as SweepWarning
  if (resident === null && counted === null) return { code: 'cacheUnknown', figures: {} }
  return { code, figures: { resident: resident ?? 0, asked, counted: counted ?? 0 } }
}

/** Warnings that only passes over bands have; `repeats` is null for a sweep that ended early. */
function passWarnings(
  { preview, plan }: { preview: BandSweepPreview; plan: SweepPlan },
  samples: readonly SweepSample[],
  repeats: number | null,
): SweepWarning[] {
  const pass = plan.passBytes
  const { tooLarge } = preview
  const shortest = samples.reduce((least, { ns }) => Math.min(least, ns), Number.POSITIVE_INFINITY)
  const warnings: SweepWarning[] = []
  if (repeats !== null && repeats < 2 * LEAST_REPEATS)
    warnings.push({ code: 'fewRepeats', figures: { repeats } })
  if (tooLarge.length > 0)
    warnings.push({
      code: 'partOfBand',
      figures: { count: tooLarge.length, from: Math.min(...tooLarge), pass },
    })
  if (shortest < SHORT_PASS_NS) warnings.push({ code: 'shortPass', figures: { pass, ms: shortest / 1e6 } })
  return warnings
}
