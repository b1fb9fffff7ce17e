import german from '../../assets/copy/de/menu.json' with { type: 'json' }
import english from '../../assets/copy/en/menu.json' with { type: 'json' }
import { messagesPerLanguage, type Values } from '../language/messages'
import { withFigures } from '../primitives/figureLanguage'
import type { Language } from '../primitives/languages'
import { formatDuration } from '../primitives/spokenTime'

export const APP_NAME = 'Stowage'

export type WordKey = keyof typeof english

const MESSAGES = messagesPerLanguage<WordKey>({ en: english, de: german })

let spoken: Language = 'en'
const listeners = new Set<() => void>()

/** Changes the language of the menus, dialogs and notices; whoever shows some hears of it. */
export function speak(language: Language): void {
  if (language === spoken) return
  spoken = language
  for (const listener of listeners) listener()
}

export function onSpoken(listener: () => void): void {
  listeners.add(listener)
}

/**
 * The words of main itself, in its menu, dialogs and notices; everything in the window has its
 * words in the window.
 */
export function say(key: WordKey, values?: Values): string {
  return withFigures(spoken, () => MESSAGES[spoken].say(key, values))
}

/** A time that has passed, as the language writes it. */
export function sayDuration(ms: number): string {
  return withFigures(spoken, () => formatDuration(ms))
}
