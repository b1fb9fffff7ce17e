import { useStateOf } from '../../state/sessionContext'
import { KeptSession } from '../../state/source/keptSession'
import { LookSession } from '../../state/source/lookSession'
import { SourceSession } from '../../state/source/sourceSession'
import { SurveySession } from './surveySession'
import { isOfOtherSource, isOfShown } from './surveyState'

/**
 * True when a result of a survey or of a look is of the archive in hand; null for the survey itself
 * that is shown. Nothing is made from any other.
 */
export function useIsOfHand(surveyId: string | null): boolean {
  const survey = useStateOf(SurveySession)
  const sources = useStateOf(SourceSession)
  const rules = useStateOf(KeptSession, (kept) => kept.rules)
  const lookId = useStateOf(LookSession, ({ document }) => document?.id ?? null)
  const shown = surveyId ?? survey.document?.id ?? ''
  return shown === lookId || isOfShown({ surveyId: shown }, survey, isOfOtherSource(survey, sources, rules))
}
