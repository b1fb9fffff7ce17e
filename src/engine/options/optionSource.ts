import type { LookDocument } from '../../domain/look/lookDocument'
import { lookFacts } from '../../domain/look/lookFacts'
import type { SurveyFacts } from '../../domain/options/facts'
import type { SurveyDocument } from '../../domain/survey/surveyDocument'
import type { Catalog } from '../catalog/catalog'
import type { KeptResults } from '../jobs/keptResults'
import { surveyFacts } from './optionFacts'

/** A source with figures that options are forecast from: of a survey, or of a look. */
export interface OptionSource extends Pick<SurveyDocument, 'id' | 'roots' | 'totals' | 'partial' | 'unread'> {
  readonly facts: SurveyFacts
  /** The look, where the figures are preliminary. */
  readonly look: LookDocument | null
}

/** The source of a survey's document. */
function surveySource(survey: SurveyDocument): OptionSource {
  const { id, roots, totals, partial, unread } = survey
  return { id, roots, totals, partial, ...(unread && { unread }), facts: surveyFacts(survey), look: null }
}

/** Looks by their IDs. */
export type Looks = Pick<KeptResults<LookDocument>, 'find'>

/** @throws AppError `not-found` for the ID of neither a look nor a survey */
export function optionSource(
  catalog: Pick<Catalog, 'survey'>,
  looks: Looks | undefined,
  id: string,
): OptionSource {
  const look = looks?.find(id)
  if (!look) return surveySource(catalog.survey(id))
  const { roots, totals } = look
  return { id, roots, totals, partial: false, facts: lookFacts(look), look }
}
