import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type MessageFormatElement, TYPE } from '@formatjs/icu-messageformat-parser'
import { describe, expect, it } from 'vitest'
import { messagesOf, parseMessage } from '../../../src/language/messages'
import { pseudo } from '../../../src/language/pseudo'
import { LANGUAGES, languageFor } from '../../../src/primitives/languages'

const COPY = join(import.meta.dirname, '../../../assets/copy')
const RENDERER = join(import.meta.dirname, '../../../renderer/src')

type Table = Record<string, string>
const tableOf = (language: string, file: string) =>
  JSON.parse(readFileSync(join(COPY, language, file), 'utf8')) as Table
const filesOf = (language: string) => readdirSync(join(COPY, language)).toSorted()

/** The names of all values of a message, each once. */
function valuesOf(message: readonly MessageFormatElement[]): string[] {
  const names = message.flatMap((part) => {
    if (part.type === TYPE.plural || part.type === TYPE.select)
      return [part.value, ...Object.values(part.options).flatMap(({ value }) => valuesOf(value))]
    return part.type === TYPE.literal || part.type === TYPE.pound ? [] : [part.value]
  })
  return [...new Set(names)].toSorted()
}

/** Second verbs for an act, with the one that German has for it. */
const SECOND_VERBS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:ge)?baut?(?:en|es|e)?\b(?! das Bundle)|\bBauen\b/, 'erstellen'],
  [/kontrollier|Kontrolle (?:bis|fällig|liest|fand)|verifizier|überprüf/i, 'prüfen'],
]

describe('the messages of a language', () => {
  it('has one verb for an act in German', () => {
    const tables = [...filesOf('de').map((file) => `de/${file}`), 'said/de.json']
    const found = tables.flatMap((file) => {
      const table = JSON.parse(readFileSync(join(COPY, file), 'utf8')) as Table
      return Object.entries(table).flatMap(([key, text]) =>
        SECOND_VERBS.flatMap(([second, first]) => (second.test(text) ? [`${file} ${key}: ${first}`] : [])),
      )
    })
    expect(found).toEqual([])
  })

  it.each(LANGUAGES.filter((language) => language !== 'en'))('%s has the files of English', (language) => {
    expect(filesOf(language)).toEqual(filesOf('en'))
  })

  it.each(
    LANGUAGES.filter((language) => language !== 'en').flatMap((language) =>
      filesOf('en').map((file) => [language, file] as const),
    ),
  )('%s has a message for every key of %s, with the same values', (language, file) => {
    const [english, other] = [tableOf('en', file), tableOf(language, file)]
    expect(Object.keys(other).toSorted()).toEqual(Object.keys(english).toSorted())
    const faults = Object.entries(english).flatMap(([key, text]) => {
      const [wanted, found] = [text, other[key] as string].map((each) => valuesOf(parseMessage(each)))
      return JSON.stringify(wanted) === JSON.stringify(found) ? [] : [`${key}: ${found?.join(', ')}`]
    })
    expect(faults).toEqual([])
  })

  it.each(LANGUAGES.flatMap((language) => filesOf(language).map((file) => [language, file] as const)))(
    '%s writes every message of %s with its values',
    (language, file) => {
      const table = tableOf(language, file)
      const { say } = messagesOf(language, table)
      const faults = Object.entries(table).flatMap(([key, text]) => {
        const names = valuesOf(parseMessage(text))
        return [0, 1, 12_345].flatMap((count) => {
          const said = say(key, Object.fromEntries(names.map((name) => [name, count])))
          const isWhole =
            names.every((name) => !said.includes(`{${name}`)) && !/\bplural\b|\bother\b \{/.test(said)
          return isWhole ? [] : [`${key}: ${said}`]
        })
      })
      expect(faults).toEqual([])
    },
  )

  it('takes the plural form of its language, and writes other numbers with thousands', () => {
    const { say } = messagesOf('en', {
      left: '{count, plural, one {# file} other {# files}} of {all} in {folder}',
    })
    expect(say('left', { count: 1, all: 1204, folder: 'Exports' })).toBe('1 file of 1,204 in Exports')
    expect(say('left', { count: 12_345, all: 78_579, folder: '{x}' })).toBe('12,345 files of 78,579 in {x}')
  })

  it('accents every word in the pseudo-language, and no value', () => {
    const { say } = messagesOf(
      'en',
      { found: '{count, plural, one {# file} other {# files}} on {disc}' },
      pseudo,
    )
    expect(say('found', { count: 2, disc: 'PHOTOS_01' })).toBe('2 fíléš·· óñ PHOTOS_01')
  })
})

it.each([
  [['de-AT', 'en'], 'de'],
  [['fr', 'de'], 'de'],
  [['fr-FR'], 'en'],
  [[], 'en'],
] as const)('%j is answered in %s', (preferred, language) => {
  expect(languageFor(preferred)).toBe(language)
})

it('reads no message while a module of the window loads: the language is not known by then', () => {
  const early = readdirSync(RENDERER, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .flatMap((name) => {
      let head = ''
      return readFileSync(join(RENDERER, name), 'utf8')
        .split('\n')
        .flatMap((line, at) => {
          if (/^\S/.test(line)) head = line
          const isConstant = /^(export )?const \w+/.test(head) && !head.includes('=>')
          return isConstant && /\bt(Maybe)?\(/.test(line) && !line.includes('=>') ? [`${name}:${at + 1}`] : []
        })
    })
  expect(early).toEqual([])
})
