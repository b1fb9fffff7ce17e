import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

const COPY = join(import.meta.dirname, '../../../assets/copy')

type Table = Readonly<Record<string, string>>

function tablesOf(language: 'en' | 'de'): Table {
  const folder = join(COPY, language)
  const tables = readdirSync(folder).map(
    (file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Table,
  )
  return Object.assign({}, ...tables)
}

/** Values within a sentence; those that choose between forms are left out with the whole sentence. */
const VALUE = /\{\w+\}/g

/** Fewer letters outside of values fit texts that are none of the copy. */
const LEAST_LETTERS = 8

/** English sentences of the window that German says otherwise: whole ones, and patterns of those with values. */
function englishAlone(): { readonly exact: string[]; readonly patterns: string[] } {
  const english = tablesOf('en')
  const german = tablesOf('de')
  const spokenInGerman = new Set(Object.values(german))
  const exact: string[] = []
  const patterns: string[] = []
  for (const [key, text] of Object.entries(english)) {
    // An example is something a person may have named so.
    if (german[key] === text || spokenInGerman.has(text) || key.endsWith('.example')) continue
    const parts = text.split(VALUE)
    if (parts.some((part) => /[{}]/.test(part))) continue
    if (parts.length === 1) exact.push(text)
    else if (parts.join('').replaceAll(/[^A-Za-z]/g, '').length >= LEAST_LETTERS)
      patterns.push(`^${parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.+')}$`)
  }
  return { exact, patterns }
}

const ENGLISH = englishAlone()

/**
 * Texts and names of a window that should speak German which are those of the English copy, where German has others.
 */
export function englishLeft(page: Page): Promise<string[]> {
  return page.evaluate(({ exact, patterns }) => {
    const isEnglish = new Set(exact)
    const forms = patterns.map((pattern) => new RegExp(pattern))
    const shown = new Set<string>()
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const { parentElement: parent, nodeValue } = walker.currentNode
      if (parent !== null && !['SCRIPT', 'STYLE'].includes(parent.tagName))
        shown.add((nodeValue ?? '').trim())
    }
    // A placeholder may be a value as it is typed, such as `none`.
    for (const named of document.querySelectorAll('[aria-label], [title]'))
      for (const name of ['aria-label', 'title']) shown.add((named.getAttribute(name) ?? '').trim())
    return [...shown].filter((text) => isEnglish.has(text) || forms.some((form) => form.test(text)))
  }, ENGLISH)
}
