import { inWords } from '../../format/inWords'
import { useStateOf } from '../../state/sessionContext'
import { OptionsSession } from './optionsSession'
import type { OptionsState } from './optionsState'

/** The state of the options, in the window's language. */
export function useOptions(): OptionsState {
  const options = useStateOf(OptionsSession)
  return { ...options, document: inWords(options.document), candidates: inWords(options.candidates) }
}
