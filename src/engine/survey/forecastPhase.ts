import type { Compression, SurveyDocument } from '../../contract/dto/survey'
import {
  type Change,
  forecastOfKept,
  forecastOfWhole,
  joinedForecast,
} from '../../domain/survey/carriedFigures'
import type { JobContext } from '../jobs/jobContext'
import type { NativeSurvey } from '../native/addon'
import { codecPhase } from './codecPhase'
import type { SampleLevel } from './codecSamplesTargets'
import type { SurveyFigures } from './surveyFigures'
import type { TrustedSamples } from './trustedSamples'

/** What forecasts are made from. */
export interface ForecastSources {
  readonly pass: NativeSurvey
  readonly figures: SurveyFigures
  readonly roots: readonly string[]
  readonly level: SampleLevel
}

type OnPartial = (compression: Compression[]) => void

/** Forecasts codecs for everything, from samples of what was read and, if some files were trusted, of those too. */
export async function forecastAnew(
  { pass, figures, roots, level }: ForecastSources,
  trusted: TrustedSamples | null,
  context: JobContext,
  onPartial: OnPartial,
): Promise<Compression[]> {
  const read = pass.takeSamples()
  const more = (await trusted?.read(roots, context.signal)) ?? []
  const set = { tau: read.tau, samples: [...read.samples, ...more] }
  return codecPhase(set, figures.strata('all'), roots, level, context, onPartial)
}

/** A row for which too little was read to say anything: the earlier share, and a range from nothing to a little more than the bytes. */
const STORED = 1.02

/**
 * Forecasts codecs from the earlier survey's forecasts for the files that stayed, and from samples of those read now. Codecs
 * treat every file by itself, so the parts add up.
 */
export async function forecastJoined(
  { pass, figures, roots, level }: ForecastSources,
  earlier: SurveyDocument,
  change: Change,
  context: JobContext,
  onPartial: OnPartial,
): Promise<Compression[]> {
  const join = (read: readonly Compression[]): Compression[] =>
    earlier.compression.map((row) => {
      const same = read.find((one) => rowKey(one) === rowKey(row))
      const share = change.earlierBytes > 0 ? row.predictedBytes / change.earlierBytes : 1
      return joinedForecast(
        forecastOfKept(row, change),
        same ?? {
          predictedBytes: Math.round(share * change.readBytes),
          low: 0,
          high: Math.round(STORED * change.readBytes),
        },
      )
    })
  if (change.readBytes === 0) return join([])
  const strata = figures.strata('read')
  return join(
    await codecPhase(pass.takeSamples(), strata, roots, level, context, (partial) =>
      onPartial(join(partial)),
    ),
  )
}

/** Forecasts of one archive of everything, as far as the earlier ones still say something. */
export function carriedSolid(earlier: SurveyDocument, change: Change): SurveyDocument['solid'] {
  return earlier.solid.flatMap((row) => forecastOfWhole(row, change) ?? [])
}

function rowKey({ codec, scope, recordSize }: Compression): string {
  return `${codec} ${scope} ${recordSize ?? ''}`
}
