import { useEffect } from 'react'
import type { KeptDocument } from '../../../../../src/contract/dto/survey'
import { useSession, useStateOf } from '../../../state/sessionContext'
import { SurveySession } from '../surveySession'

/** How much of a survey's source is on verified volumes; null until that is known. */
export function useStored(surveyId: string | null): KeptDocument | null {
  const session = useSession(SurveySession)
  const stored = useStateOf(SurveySession, (state) => state.stored)
  const isKnown = stored !== null && stored.surveyId === surveyId
  useEffect(() => {
    if (surveyId !== null && !isKnown) void session.loadStored(surveyId)
  }, [session, surveyId, isKnown])
  return isKnown ? stored : null
}
