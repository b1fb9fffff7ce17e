import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser'
import { IntlMessageFormat } from 'intl-messageformat'
import { formatCount } from '../primitives/quantity'

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
  const forms = new Map<Key, Form>()
  const formOf = (key: Key): Form => {
    const kept = forms.get(key)
    if (kept) return kept
    const message = shape(parseMessage(table[key]))
    const format = new IntlMessageFormat([...message], language)
    const form = { format, numbers: new Set(numbersIn(message)) }
    forms.set(key, form)
    return form
  }
  return {
    has: (key): key is Key => Object.hasOwn(table, key),
    say(key, values = {}) {
      const { format, numbers } = formOf(key)
      const written = Object.entries(values).map(
        ([name, value]) =>
          [name, typeof value === 'number' && !numbers.has(name) ? formatCount(value) : value] as const,
      )
      try {
        return String(format.format(Object.fromEntries(written)))
      } catch {
        return table[key]
      }
    },
  }
}

/** @throws SyntaxError for what is not ICU MessageFormat */
export function parseMessage(text: string): Parsed {
  return parse(text, { ignoreTag: true })
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
