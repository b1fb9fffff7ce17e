import type { VisitingOrder } from '../../../domain/forecast/secondPhase'
import type { Progress, Setting } from './codecSamplesFigures'
import type { SampleMeter } from './codecSamplesMeter'
import { leastOf } from './codecSamplesSlices'
import type { CodecSample } from './codecSamplesUnits'

/** 7-Zip's speed before it has packed anything. */
const UNKNOWN_BYTES_PER_MS = 2_000

/**
 * Milliseconds of one lane for the visits that targets have whatever the budget says: by what their
 * visits took so far, and before the first one by the codec's speed and the bytes that are
 * compressed for it.
 */
export function lackingMs(
  targets: readonly Progress[],
  { prepared, visiting, speeds }: Pick<Setting, 'prepared' | 'visiting' | 'speeds'>,
  meter: Pick<SampleMeter, 'bytesFor'>,
): number {
  let sum = 0
  for (const one of targets) {
    const { target, measured, spentMs, bytesRead } = one
    const samples = nextContents(visiting, measured.length, leastOf(target)).map(
      (unit) => prepared.samples[unit] as CodecSample,
    )
    const packed = speeds.get(target.codec.id)?.packBytesPerSecond
    const assumed = packed ? packed / 1000 : UNKNOWN_BYTES_PER_MS
    const bytesPerMs = spentMs > 0 && bytesRead > 0 ? bytesRead / spentMs : assumed
    const streams = new Set<string>()
    let ms = 0
    for (const sample of samples) {
      const { bytes, stream } = meter.bytesFor(target, sample)
      if (stream !== null && streams.has(stream)) continue
      if (stream !== null) streams.add(stream)
      ms += bytes / bytesPerMs
    }
    const visits = visiting.contents(measured.length)
    // What others had found out costs nothing: bytes alone would make the rest look slow.
    sum += spentMs > 0 && visits > 0 ? Math.min(ms, (samples.length * spentMs) / visits) : ms
  }
  return sum
}

/** The first units of the contents that are visited next, until so many were in all. */
function nextContents(visiting: VisitingOrder, from: number, least: number): number[] {
  const units: number[] = []
  const visited = visiting.contents(from)
  for (let place = from; visited + units.length < least && place < visiting.order.length; place++)
    if (!visiting.isRepeat(place)) units.push(visiting.order[place] as number)
  return units
}
