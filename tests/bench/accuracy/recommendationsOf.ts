import type { OptionEncryption, OptionsDocument } from '../../../src/contract/dto/options'
import { optionsRequestSchema } from '../../../src/contract/dto/options'
import type { SurveyDocument } from '../../../src/contract/dto/survey'
import { type OptionsCatalog, optionsDocument } from '../../../src/engine/options/optionsDocument'
import { thisMachine } from '../../../src/engine/options/thisMachine'
import { systemClock } from '../../../src/primitives/clock'

export { setFolder } from './sets'

/** The options of a survey on this machine as if it alone were in the catalog. */
export function optionsOf(
  survey: SurveyDocument,
  mediumIds: readonly string[],
  encryption: OptionEncryption,
): Promise<OptionsDocument> {
  const none = (): never => {
    throw new Error('nothing was measured')
  }
  const catalog: OptionsCatalog = {
    survey: () => survey,
    measurements: () => [],
    measurement: none,
    sweeps: () => [],
    sweep: none,
    optionBuilds: () => [],
    surveyEntries: none,
    fileGroupIds: none,
    packedFiles: none,
  }
  const request = optionsRequestSchema.parse({ surveyId: survey.id, mediumIds, encryption })
  return optionsDocument(catalog, systemClock, request, thisMachine)
}

/** The survey of a source that is as many times as large, its parts having nothing in common. Sizes of blocks and files stay. */
export function timesLarger(survey: SurveyDocument, times: number): SurveyDocument {
  const kept = /Size|Rate|PerSecond|dictionaryBytes|sectorBytes|largest|^(from|to)Bytes$|level/
  const scaled = (value: unknown, key: string): unknown => {
    if (typeof value === 'number') return kept.test(key) ? value : Math.round(value * times)
    if (Array.isArray(value)) return value.map((each) => scaled(each, key))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, scaled(each, name)]))
  }
  const parts = [
    'totals',
    'fixedBlocks',
    'chunked',
    'compression',
    'combined',
    'solid',
    'grouped',
    'duplicateFiles',
    'sizeHistogram',
  ] as const
  const larger = Object.fromEntries(parts.map((part) => [part, scaled(survey[part], part)]))
  return { ...survey, ...larger, timing: { ...survey.timing, passMs: survey.timing.passMs * times } }
}

/** Shares that an answer may lie above the true extreme, apart from the floors of times, which hide no factor over `MOST_HIDDEN`. */
const SIZE_SHARE = 0.02
const TIME_SHARE = 0.1
const FLOOR_SECONDS = { fastestBuild: 60, fastestRestore: 10 } as const
const MOST_HIDDEN = 1.5
/** Shorter times are printed alike. */
const SHORTEST_SECONDS = 1

/**
 * The answers of a document that are not within their floor of the extreme, computed from the listed options alone: one line each.
 * `balanced` has no extreme; `live` must name an option that is
 * used without unpacking where there is one.
 */
export function missedExtremes({
  options,
  recommended,
  presets,
  request,
  machine,
}: OptionsDocument): string[] {
  const carried = options.filter(
    ({ breaks, here }) => breaks.length === 0 && (here.can === 'restore' || here.can === 'plan'),
  )
  const answers = [
    ...recommended.map((each) => ({ ...each, media: [each.medium] })),
    ...presets.map((each) => ({ ...each, media: request.mediumIds })),
  ]
  return answers.flatMap(({ goal, id, media }) => {
    const all = carried.filter(({ medium }) => media.includes(medium))
    const here = all.filter(({ here: { can } }) => can === 'restore')
    const pool = here.length > 0 ? here : all
    const own = pool.find((each) => each.id === id)
    if (own === undefined) return [`${goal} ${id} cannot be carried out`]
    const figure = (option: (typeof all)[number]): number => {
      const { bytes, buildSeconds, writeSeconds, restoreSeconds } = option.estimate
      if (goal === 'smallest') return bytes.value
      if (goal === 'fastestBuild') return Math.max(SHORTEST_SECONDS, buildSeconds.value + writeSeconds.value)
      if (goal === 'fastestRestore') return Math.max(SHORTEST_SECONDS, restoreSeconds.value)
      if (goal === 'anywhere') return 1 - option.portability
      if (goal === 'live') return unpacksOn(option, machine.system)
      return 0
    }
    const least = Math.min(...pool.map(figure))
    const found = figure(own)
    const isNear =
      goal === 'smallest'
        ? found <= least * (1 + SIZE_SHARE)
        : goal === 'fastestBuild' || goal === 'fastestRestore'
          ? found <= least * (1 + TIME_SHARE) ||
            (found - least <= FLOOR_SECONDS[goal] && found <= least * MOST_HIDDEN)
          : found <= least
    return isNear ? [] : [`${goal} ${id}: ${found}, the extreme is ${least}`]
  })
}

/** 0 where a system uses the files without unpacking, else 1. */
function unpacksOn({ ways }: OptionsDocument['options'][number], system: string): number {
  return ways.some((way) => way.system === system && way.task !== 'unpack') ? 0 : 1
}
