import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser'
import { IntlMessageFormat } from 'intl-messageformat'
import { figures } from '../primitives/figureLanguage'
import type { Language } from '../primitives/languages'
import { formatCount } from '../primitives/quantity'
import type { Said } from '../primitives/said'

/** The values of a message, by the names in it. */
export type Values = Readonly<Record<string, string | number>>

/** Messages of one language, in ICU MessageFormat, by their keys. */
export type Table<Key extends string = string> = Readonly<Record<Key, string>>

/** A message that was parsed. */
export type Parsed = readonly MessageFormatElement[]

export interface Messages<Key extends string> {
  has(key: string): key is Key
  /**
   * The message of a key with its values. Counts are written with thousands separated. A message
   * that lacks one of its values is returned as it is in the table.
   */
  say(key: Key, values?: Values): string
}

interface Form {
  readonly format: IntlMessageFormat
  /** The values that the message writes or decides by as numbers. */
  readonly numbers: ReadonlySet<string>
}

/** A message, or the text of one that takes no values. */
type Formed = Form | string

/**
 * The messages of a table. Each is parsed when it is first wanted, then kept.
 * @param language a BCP 47 tag, for the plural rules
 * @param shape changes parsed messages, if given
 */
export function messagesOf<Key extends string>(
  language: string,
  table: Table<Key>,
  shape: (message: Parsed) => Parsed = (message) => message,
): Messages<Key> {
  const written = writerOf(language, shape)
  return {
    has: (key): key is Key => Object.hasOwn(table, key),
    say: (key, values = {}) => written(table[key], values),
  }
}

/** A writer of messages in one language. Each is parsed when it is first wanted, then kept. */
function writerOf(
  language: string,
  shape: (message: Parsed) => Parsed,
): (text: string, values: Values) => string {
  const forms = new Map<string, Formed>()
  const formOf = (text: string): Formed => {
    const kept = forms.get(text)
    if (kept !== undefined) return kept
    const message = shape(parseMessage(text))
    const form = textOf(message) ?? {
      format: new IntlMessageFormat([...message], language),
      numbers: new Set(numbersIn(message)),
    }
    forms.set(text, form)
    return form
  }
  return (text, values) => {
    const form = formOf(text)
    if (typeof form === 'string') return form
    const { format, numbers } = form
    const written = Object.entries(values).map(
      ([name, value]) =>
        [name, typeof value === 'number' && !numbers.has(name) ? formatCount(value) : value] as const,
    )
    try {
      return String(format.format(Object.fromEntries(written)))
    } catch {
      return text
    }
  }
}

/** Says sentences in another language, or in other words. */
export interface Sayings {
  /** The text of a sentence; what has no translation stays in English, values included. */
  say(text: string, sentence: Said): string
}

/**
 * @param language a BCP 47 tag, for the plural rules
 * @param translations by the messages of sentences, with the same values
 * @param shape changes parsed messages, if given
 */
export function sayingsOf(
  language: string,
  translations: Readonly<Record<string, string>>,
  shape?: (message: Parsed) => Parsed,
): Sayings {
  const write = writerOf(language, shape ?? ((message) => message))
  const isKnown = ({ message, values }: Said): boolean =>
    Object.hasOwn(translations, message) ||
    values.some((value) => typeof value === 'object' && isKnown(value))
  const say = ({ message, values }: Said): string =>
    write(
      translations[message] ?? message,
      Object.fromEntries(
        values.map((value, at) => [
          at,
          typeof value === 'object' ? say(value) : (translations[wordsOf(value)] ?? inFigures(value)),
        ]),
      ),
    )
  return { say: (text, sentence) => (shape || isKnown(sentence) ? say(sentence) : text) }
}

/** The words of native code, which says no sentences: `permission denied`. A name has no space. */
function wordsOf(value: string | number): string {
  return typeof value === 'string' && /^[a-z].* /.test(value) ? value : ''
}

/** A figure as English writes it, in the spoken language: `2.40 MB`, `78,579`, `92.4 %`. */
function inFigures(value: string | number): string | number {
  if (typeof value === 'number' || !ENGLISH_FIGURE.test(value)) return value
  const { thousands, point } = figures()
  return value.replaceAll(/[.,]/g, (sign) => (sign === '.' ? point : thousands))
}

const ENGLISH_FIGURE = /^[<>]?(\d{1,3}(,\d{3})+|\d+\.\d+(?= [A-Za-zµ%/]+$))( [A-Za-zµ%/]+)?$/

/** The messages of a table that every language has. */
export function messagesPerLanguage<Key extends string>(
  tables: Readonly<Record<Language, Table<Key>>>,
): Readonly<Record<Language, Messages<Key>>> {
  return { en: messagesOf('en', tables.en), de: messagesOf('de', tables.de) }
}

/** @throws SyntaxError for what is not ICU MessageFormat */
export function parseMessage(text: string): Parsed {
  return parse(text, { ignoreTag: true })
}

/** The text of a message that takes no values; null for others. */
function textOf(message: Parsed): string | null {
  const texts = message.flatMap((part) => (part.type === TYPE.literal ? [part.value] : []))
  return texts.length === message.length ? texts.join('') : null
}

/** The names of the values that decide a plural, at any depth. */
function numbersIn(message: Parsed): string[] {
  return message.flatMap((part) =>
    part.type === TYPE.plural || part.type === TYPE.select
      ? [
          ...(part.type === TYPE.plural ? [part.value] : []),
          ...Object.values(part.options).flatMap(({ value }) => numbersIn(value)),
        ]
      : [],
  )
}
