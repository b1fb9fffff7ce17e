import { useStateOf } from '../../state/sessionContext'
import { useIsOfHand } from '../survey/useIsOfHand'
import { OptionsSession } from './optionsSession'

/** True when the options shown are of other settings, or of another source than the one in hand. */
export function useIsOutdated(): boolean {
  const isOutdated = useStateOf(OptionsSession, (options) => options.isOutdated)
  const surveyId = useStateOf(OptionsSession, ({ document }) => document?.surveyId ?? null)
  return !useIsOfHand(surveyId) || isOutdated
}
