import archiveHealth from '../../assets/copy/en/archiveHealth.json'
import bands from '../../assets/copy/en/bands.json'
import bandsStep from '../../assets/copy/en/bandsStep.json'
import burn from '../../assets/copy/en/burn.json'
import checks from '../../assets/copy/en/checks.json'
import chooseStep from '../../assets/copy/en/chooseStep.json'
import copies from '../../assets/copy/en/copies.json'
import cost from '../../assets/copy/en/cost.json'
import desktop from '../../assets/copy/en/desktop.json'
import drill from '../../assets/copy/en/drill.json'
import glossary from '../../assets/copy/en/glossary.json'
import growing from '../../assets/copy/en/growing.json'
import guided from '../../assets/copy/en/guided.json'
import home from '../../assets/copy/en/home.json'
import images from '../../assets/copy/en/imagesStep.json'
import measure from '../../assets/copy/en/measure.json'
import measureStep from '../../assets/copy/en/measureStep.json'
import oneButton from '../../assets/copy/en/oneButton.json'
import packing from '../../assets/copy/en/packing.json'
import parity from '../../assets/copy/en/parity.json'
import planDesk from '../../assets/copy/en/planDesk.json'
import planStep from '../../assets/copy/en/planStep.json'
import projects from '../../assets/copy/en/projects.json'
import recovery from '../../assets/copy/en/recovery.json'
import restore from '../../assets/copy/en/restore.json'
import restoreQueue from '../../assets/copy/en/restoreQueue.json'
import restoreTree from '../../assets/copy/en/restoreTree.json'
import roms from '../../assets/copy/en/roms.json'
import rules from '../../assets/copy/en/rules.json'
import settings from '../../assets/copy/en/settings.json'
import stopped from '../../assets/copy/en/stopped.json'
import everywhere from '../../assets/copy/en/window.json'
import write from '../../assets/copy/en/write.json'
import WINDOW_SAYINGS from '../../assets/copy/said/en.json'
import { type Messages, messagesOf, sayingsOf, type Values } from '../../src/language/messages'
import { pseudo } from '../../src/language/pseudo'
import { recallOf } from '../../src/language/recall'
import { speakFigures } from '../../src/primitives/figureLanguage'
import type { Language } from '../../src/primitives/languages'
import { saidOf } from '../../src/primitives/said'

type KeyOf<Part> = Part extends unknown ? keyof Part & string : never

/**
 * The words of several files in one table. Throws where two of them have the same key: one would
 * hide the other.
 */
export function joinCopy<const Parts extends readonly Readonly<Record<string, string>>[]>(
  ...parts: Parts
): Readonly<Record<KeyOf<Parts[number]>, string>> {
  const joined: Record<string, string> = {}
  for (const part of parts)
    for (const [key, text] of Object.entries(part)) {
      if (Object.hasOwn(joined, key)) throw new Error(`two copy files have the key "${key}"`)
      joined[key] = text
    }
  return joined as Record<KeyOf<Parts[number]>, string>
}

const ENGLISH = joinCopy(
  everywhere,
  measure,
  measureStep,
  archiveHealth,
  bands,
  bandsStep,
  burn,
  images,
  chooseStep,
  cost,
  drill,
  growing,
  guided,
  home,
  oneButton,
  packing,
  parity,
  planDesk,
  planStep,
  projects,
  recovery,
  restore,
  restoreQueue,
  restoreTree,
  roms,
  rules,
  stopped,
  write,
  checks,
  copies,
  settings,
  desktop,
  glossary,
)
export type CopyKey = keyof typeof ENGLISH
export const copyKeys = Object.keys(ENGLISH) as CopyKey[]

/** A language of the window, or English with accents, in which text without a key can be seen. */
export type Spoken = Language | 'pseudo'

/** The words of menus, discs and reports are not the window's. */
const GERMAN = import.meta.glob<Record<string, string>>(
  ['../../assets/copy/de/*.json', '!../../assets/copy/de/{menu,discTexts,labels,report}.json'],
  { import: 'default' },
)

let messages: Messages<CopyKey> = messagesOf('en', ENGLISH)
let sayings = sayingsOf('en', WINDOW_SAYINGS)
let recalled = recallOf(Object.keys(WINDOW_SAYINGS))

/** Changes the language of `t`, of all figures and of the page. What is on the screen stays. */
export async function speak(language: Spoken): Promise<void> {
  if (language === 'de') {
    const tables = await Promise.all(Object.values(GERMAN).map((load) => load()))
    messages = messagesOf('de', { ...ENGLISH, ...joinCopy(...tables) })
    const { default: german } = await import('../../assets/copy/said/de.json')
    sayings = sayingsOf('de', german)
    recalled = recallOf(Object.keys(german))
  } else {
    const shape = language === 'pseudo' ? pseudo : undefined
    messages = messagesOf('en', ENGLISH, shape)
    sayings = sayingsOf('en', WINDOW_SAYINGS, shape)
    recalled = recallOf(Object.keys(WINDOW_SAYINGS))
  }
  speakFigures(language === 'pseudo' ? 'en' : language)
  document.documentElement.lang = language === 'de' ? 'de' : 'en'
}

/** Makes something of words once for each language that is spoken. */
export function perLanguage<T>(make: () => T): () => T {
  let made: { readonly of: Messages<CopyKey>; readonly value: T } | null = null
  return () => {
    if (made?.of !== messages) made = { of: messages, value: make() }
    return made.value
  }
}

/** The words for a key, with its values; numbers are written as the language does. */
export function t(key: CopyKey, values: Values = {}): string {
  return messages.say(key, values)
}

/**
 * A text of the engine or of main in the window's language and in its words: with the names of
 * controls where the command line has options. A text that is no known sentence stays as it is.
 */
export function spoken(text: string): string {
  const sentence = saidOf(text) ?? recalled(text)
  return sentence ? sayings.say(text, sentence) : text
}

/**
 * Like `t`, for keys that come from outside (error codes, phases): the fallback when there are no
 * words for it.
 */
export function tMaybe(key: string, fallback: string, values: Values = {}): string {
  return messages.has(key) ? messages.say(key, values) : fallback
}
