/**
 * The room `format` writes documents, names and tables in the window's language.
 * How: sentences of the engine are looked up by their message, permanent names by their key.
 * Not here: numbers, sizes and times (`src/primitives`), the words themselves (`assets/copy`).
 */

import { perLanguage, spoken } from '../copy'

const made = perLanguage(() => new WeakMap<object, unknown>())

/**
 * A document of the engine with its sentences in the window's language. The same document gives the
 * same object while the language is the same.
 */
export function inWords<T>(document: T): T {
  if (typeof document !== 'object' || document === null) return document
  const known = made().get(document)
  if (known !== undefined) return known as T
  const words = mapped(document) as T
  made().set(document, words)
  return words
}

/** Sentences and names have a space or begin with a capital; identifiers have neither. */
const SENTENCE = /^[A-Z]|\s/

function mapped(value: unknown): unknown {
  if (typeof value === 'string') return SENTENCE.test(value) ? spoken(value) : value
  if (Array.isArray(value)) return value.map(mapped)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, mapped(part)]))
}
