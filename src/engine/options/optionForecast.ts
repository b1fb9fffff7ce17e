import { DISK_MEDIUM, type OptionEncryption, optionsRequestSchema } from '../../contract/dto/options'
import type { SurveyDocument } from '../../contract/dto/survey'
import { type OptionRow, rowOf } from '../../domain/options/choice/option'
import { type ComposedOption, composeOption } from '../../domain/options/cost/compose'
import type { OptionFacts } from '../../domain/options/facts'
import { variantNamed } from '../../domain/options/families/typesAsIs'
import { packedLayout, parseRecipe, partsOf } from '../../domain/options/recipes/recipe'
import { AppError } from '../../primitives/appError'
import { said } from '../../primitives/said'
import { type FolderCatalog, folderFacts } from './folderFacts'
import { machineFacts } from './machineFacts'
import { type FactsCatalog, optionFacts, requestedMedia, surveyFacts } from './optionFacts'

/** The parts of the catalog that one option is forecast from. */
export type ForecastCatalog = FactsCatalog & FolderCatalog

interface ForecastPlace {
  readonly mediumId: string
  readonly encryption: OptionEncryption
  readonly pace: number | null
}

/**
 * Forecasts a variant on a medium; null when the survey has no forecast of it.
 * @throws AppError `usage` for a medium that there is none of
 */
export function forecastOn(
  catalog: ForecastCatalog,
  survey: SurveyDocument,
  variantName: string,
  place: ForecastPlace,
): OptionRow | null {
  const found = composedOn(catalog, survey, variantName, place)
  return found && rowOf(found.composed)
}

/** The same with what it was made of. @throws as `forecastOn` */
export function composedOn(
  catalog: ForecastCatalog,
  survey: SurveyDocument,
  variantName: string,
  { mediumId, encryption, pace }: ForecastPlace,
): { readonly facts: OptionFacts; readonly composed: ComposedOption } | null {
  const request = optionsRequestSchema.parse({ surveyId: survey.id, mediumIds: [mediumId], encryption })
  const folders = folderFacts(catalog, survey, variantName)
  const { facts } = optionFacts(catalog, surveyFacts(survey), request, machineFacts(pace), folders)
  const [medium] = requestedMedia(request.mediumIds)
  const variant = variantNamed(facts, variantName)
  return variant && medium ? { facts, composed: composeOption(facts, variant, medium, request) } : null
}

/**
 * Forecasts a variant on a disk.
 * @throws AppError `not-found` when the survey has no forecast of it; `refused` for split ROM sets
 *   by DATs that do not split them
 */
export function optionForecast(
  catalog: ForecastCatalog,
  survey: SurveyDocument,
  variantName: string,
  encryption: OptionEncryption,
  pace: number | null,
): OptionRow {
  const request = optionsRequestSchema.parse({ surveyId: survey.id, mediumIds: [DISK_MEDIUM], encryption })
  const folders = folderFacts(catalog, survey, variantName)
  const { facts } = optionFacts(catalog, surveyFacts(survey), request, machineFacts(pace), folders)
  const [disk] = requestedMedia(request.mediumIds)
  const variant = variantNamed(facts, variantName)
  if (!variant || !disk) {
    requireLayout(survey, variantName)
    throw new AppError(
      'not-found',
      said`survey ${survey.id} has no forecast of ${variantName}: "stowage options --survey ${survey.id}" lists what there is`,
    )
  }
  return rowOf(composeOption(facts, variant, disk, request))
}

/** The option for ROM sets of each layout. */
const OPTION_FOR = { split: '7z-dat-split', merged: '7z-dat', 'non-merged': '7z-dat-nonmerged' } as const

/** @throws AppError `refused` for ROM sets in a layout by DATs that lay them out otherwise */
function requireLayout({ id, dat }: SurveyDocument, name: string): void {
  const recipe = parseRecipe(name)
  for (const part of recipe ? partsOf(recipe) : []) {
    const wanted = packedLayout(part)
    const other = wanted && dat?.dats.find(({ layout }) => layout !== wanted)
    if (!other) continue
    const { layout } = other
    throw new AppError(
      'refused',
      layout === undefined
        ? said`survey ${id} does not tell how its DATs lay out ROM sets: survey again by the same DATs`
        : wanted === 'split'
          ? said`${name} is of split ROM sets, and DAT "${other.name}" has others: choose ${OPTION_FOR[layout]} or 7z-t7z-files, or survey as split`
          : said`${name} is of non-merged ROM sets, and DAT "${other.name}" has others: choose ${OPTION_FOR[layout]} or 7z-t7z-files, or survey as non-merged`,
    )
  }
}
