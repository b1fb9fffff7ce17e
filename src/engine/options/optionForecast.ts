import { DISK_MEDIUM, type OptionEncryption, optionsRequestSchema } from '../../contract/dto/options'
import type { SurveyDocument } from '../../contract/dto/survey'
import { composeOption } from '../../domain/options/compose'
import type { OptionFacts } from '../../domain/options/facts'
import { type OptionRow, rowOf } from '../../domain/options/option'
import { allVariants } from '../../domain/options/registry'
import { AppError } from '../../primitives/appError'
import { type FactsCatalog, optionFacts, requestedMedia } from './optionFacts'

/**
 * What is forecast of a variant on a disk, with and without what earlier builds taught.
 * @throws AppError `not-found` when the survey has no forecast of it
 */
export function optionForecast(
  catalog: FactsCatalog,
  survey: SurveyDocument,
  variantName: string,
  encryption: OptionEncryption,
  pace: number | null,
): { calibrated: OptionRow; plain: OptionRow } {
  const request = optionsRequestSchema.parse({ surveyId: survey.id, mediumIds: [DISK_MEDIUM], encryption })
  const { facts } = optionFacts(catalog, survey, request, pace)
  const [disk] = requestedMedia(request.mediumIds)
  const variant = allVariants(facts).find(({ name }) => name === variantName)
  if (!variant || !disk) {
    throw new AppError('not-found', `survey ${survey.id} has no forecast of ${variantName}`)
  }
  const composed = (all: OptionFacts): OptionRow => rowOf(composeOption(all, variant, disk, request))
  return { calibrated: composed(facts), plain: composed({ ...facts, calibration: [] }) }
}
