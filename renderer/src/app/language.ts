import { useEffect, useReducer } from 'react'
import type { Settings } from '../../../src/contract/dto/settings'
import { languageFor } from '../../../src/primitives/languages'
import { type Spoken, speak } from '../copy'
import { useFrame, useSession } from '../state/sessionContext'

/** The language in the address of the page, where main puts the setting; null for another text. */
function asked(): Spoken | null {
  const language = new URLSearchParams(location.search).get('language')
  return language === 'en' || language === 'de' || language === 'pseudo' ? language : null
}

/** The language until the settings have arrived. */
export function firstLanguage(): Spoken {
  return asked() ?? languageFor(navigator.languages)
}

function languageBy(setting: Settings['language']): Spoken {
  if (asked() === 'pseudo') return 'pseudo'
  return setting === 'system' ? languageFor(navigator.languages) : setting
}

/**
 * The language on the screen. Follows the settings and the system: the window is drawn anew in
 * another language, its steps keep what they hold.
 */
export function useLanguage(): Spoken {
  const session = useSession()
  const { settings, language, version } = useFrame()
  const [, lookAgain] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    addEventListener('languagechange', lookAgain)
    return () => removeEventListener('languagechange', lookAgain)
  }, [])
  const wanted = languageBy(settings.language)
  useEffect(() => {
    if (wanted === language || version === '') return
    void speak(wanted).then(() => session.frame.dispatch({ type: 'spoken', language: wanted }))
  }, [session, wanted, language, version])
  return language
}
