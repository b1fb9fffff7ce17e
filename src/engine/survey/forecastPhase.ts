import type { Combined, Compression, SurveyDocument } from '../../contract/dto/survey'
import {
  type Change,
  forecastOfKept,
  joinedForecast,
  MOST_STORED,
  tableOfWhole,
} from '../../domain/survey/carriedFigures'
import { joinedTypes, type TypeForecasts } from '../../domain/survey/typeCompression'
import { codecPhase } from '../forecast/codecs/codecPhase'
import type { CodecForecast } from '../forecast/codecs/codecSamples'
import type { SampleLevel } from '../forecast/codecs/codecSamplesTargets'
import type { DedupTotals } from '../forecast/codecs/codecSamplesTogether'
import type { Alone } from '../forecast/exclusiveCpu'
import type { ForecastWork } from '../forecast/forecastWork'
import type { SharedCores } from '../forecast/sharedCores'
import type { JobContext } from '../jobs/jobContext'
import type { NativeSurvey } from '../native/addon'
import type { SurveyFigures } from './surveyFigures'
import type { TrustedSamples } from './trustedSamples'

/** The sources of forecasts. */
interface ForecastSources {
  readonly pass: NativeSurvey
  readonly figures: SurveyFigures
  readonly roots: readonly string[]
  readonly level: SampleLevel
  /** The repeats in the whole source; null where some files were not read. */
  readonly dedup: DedupTotals | null
  /** How many phases the survey has. */
  readonly phases: number
  readonly work: ForecastWork
  /** The cores that it shares with solid archives that are forecast at the same time. */
  readonly cores?: SharedCores
  readonly alone?: Alone
}

export type CodecForecasts = Omit<CodecForecast, 'compressedAlready'>

type OnPartial = (compression: Compression[]) => void

/**
 * Forecasts codecs for everything, from samples of what was read and, if some files were unchanged,
 * of those too.
 */
export async function forecastAnew(
  { pass, figures, roots, level, dedup, phases, work, cores, alone }: ForecastSources,
  trusted: TrustedSamples | null,
  context: JobContext,
  onPartial: OnPartial,
): Promise<CodecForecasts> {
  const read = await pass.takeSamples()
  const more = (await trusted?.read(roots, context.signal)) ?? []
  const set = { tau: read.tau, samples: [...read.samples, ...more] }
  const types = figures.types('all')
  const setting = { level, dedup, types, phases, work, ...(cores && { cores }), ...(alone && { alone }) }
  return codecPhase(set, figures.strata('all'), roots, setting, context, onPartial)
}

/**
 * Forecasts codecs from the earlier survey's forecasts for the files that stayed, and from samples
 * of those read now. Codecs treat every file by itself, so the parts add up. What repeats does not:
 * `combined` is empty.
 */
export async function forecastJoined(
  { pass, figures, roots, level, phases, work }: ForecastSources,
  earlier: SurveyDocument,
  change: Change,
  context: JobContext,
  onPartial: OnPartial,
): Promise<CodecForecasts> {
  // A row for which too little was read to say anything: the earlier share, and a range from nothing to all.
  const join = (read: readonly Compression[]): Compression[] =>
    earlier.compression.map((row) => {
      const same = read.find((one) => rowKey(one) === rowKey(row))
      const share = change.earlierBytes > 0 ? row.predictedBytes / change.earlierBytes : 1
      return joinedForecast(
        forecastOfKept(row, change),
        same ?? {
          predictedBytes: Math.round(share * change.readBytes),
          low: 0,
          high: Math.round(MOST_STORED * change.readBytes),
        },
      )
    })
  const joined = (read: TypeForecasts): TypeForecasts =>
    joinedTypes(earlier.types, figures.types('all'), figures.keptTypes(), read)
  if (change.readBytes === 0) return { compression: join([]), combined: [], types: joined(new Map()) }
  const setting = { level, dedup: null, types: figures.types('read'), phases, work }
  const { compression, types } = await codecPhase(
    await pass.takeSamples(),
    figures.strata('read'),
    roots,
    setting,
    context,
    (partial) => onPartial(join(partial)),
  )
  return { compression: join(compression), combined: [], types: joined(types) }
}

/**
 * Forecasts of everything deduplicated and compressed, as far as the earlier ones still say
 * something.
 */
export function carriedCombined(earlier: SurveyDocument, change: Change): Combined[] {
  return earlier.combined.flatMap((row) => tableOfWhole(row, change) ?? [])
}

function rowKey({ codec, scope, recordSize }: Compression): string {
  return `${codec} ${scope} ${recordSize ?? ''}`
}
