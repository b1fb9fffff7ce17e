import type { OptionsDocument } from '../../../src/contract/dto/options'
import { optionsRequestSchema } from '../../../src/contract/dto/options'
import type { SurveyDocument } from '../../../src/contract/dto/survey'
import type { Catalog } from '../../../src/engine/catalog/catalog'
import { optionsDocument } from '../../../src/engine/options/optionsDocument'
import { systemClock } from '../../../src/primitives/clock'

export { setFolder } from './sets'

/** The options of a survey on this machine as if it alone were in the catalog. */
export function optionsOf(survey: SurveyDocument, mediumIds: readonly string[]): Promise<OptionsDocument> {
  const catalog = { survey: () => survey, measurements: () => [], optionBuilds: () => [] }
  const request = optionsRequestSchema.parse({ surveyId: survey.id, mediumIds, goal: 'balanced' })
  return optionsDocument(catalog as unknown as Catalog, systemClock, request)
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
