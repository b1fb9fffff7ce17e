/**
 * The room `completion` has the scripts that complete command lines in a shell.
 * How: `commandTree` reads the declarations; a writer for each shell puts the tree into its words,
 * so that Tab starts no program.
 * Not here: what can be typed (`declarations`), where a person puts a script (docs/guide).
 */

import type { CommandDeclaration, Form, OptionDeclaration, Words } from '../declarations/declaration'
import { DECLARATIONS } from '../declarations/every'
import { COMMON_ENTRIES } from '../help'

/** A word that can be typed, and what it does; empty where the word says it. */
export type Offer = readonly [word: string, does: string]

export interface Value {
  readonly words: readonly string[]
  readonly paths: 'files' | 'folders' | 'none'
}

/** The words that can follow a command, or a command with its action. */
export interface Context {
  /** `survey`, `survey merge`; empty for `stowage` alone. */
  readonly name: string
  readonly words: readonly Offer[]
  readonly flags: readonly Offer[]
  readonly paths: Value['paths']
  /** The value that can follow one word: an option that takes a value, or a key. */
  readonly after: ReadonlyMap<string, Value>
}

/** The lists that declarations name. */
export interface Lists {
  readonly media: readonly string[]
  readonly documents: readonly string[]
}

/** Every context of the command line: first `stowage` alone. */
export function commandTree(lists: Lists): Context[] {
  const commands: readonly (readonly [string, CommandDeclaration])[] = Object.entries(DECLARATIONS)
  const offers = commands.map(([name, { does }]): Offer => [name, does])
  const noValues: ReadonlyMap<string, Value> = new Map()
  const help: Offer = ['help', 'shows all options of a command']
  const version: Offer = ['--version', 'show the version']
  const top = { flags: [...COMMON_ENTRIES.slice(1), version], paths: 'none', after: noValues } as const
  return [
    { ...top, name: '', words: [...offers, help] },
    { ...top, name: 'help', words: offers, flags: [] },
    ...commands.flatMap(([name, { forms }]) => contextsOf(name, forms, lists)),
  ]
}

function contextsOf(command: string, forms: readonly Form[], lists: Lists): Context[] {
  const listed = (words: Words): readonly string[] => (words === 'media' ? lists.media : words)
  const verbs = forms.filter(({ verb }) => verb !== '')
  const alone: Form = forms.find(({ verb }) => verb === '') ?? { verb: '', usage: '', options: {} }
  return [alone, ...verbs].map((form) => {
    const { verb, usage, options, operands = {} } = form
    const [names, values] =
      operands === 'documents' ? [lists.documents, {}] : [Object.keys(operands), operands]
    const shown = Object.entries(options).filter(([, { hidden }]) => hidden === undefined)
    const valued = shown.filter(([, { type }]) => type === 'string')
    return {
      name: verb === '' ? command : `${command} ${verb}`,
      words: [
        ...(verb === '' ? verbs.map((each): Offer => [each.verb, '']) : []),
        ...names.map((word): Offer => [word, '']),
      ],
      flags: [...shown.map(([option, { text }]): Offer => [`--${option}`, text]), ...COMMON_ENTRIES],
      paths: pathsIn(usage.replaceAll(/--[a-z-]+(?: [A-Z=%|]+)?/g, '')),
      after: new Map([
        ...valued.map(([option, declared]) => [`--${option}`, valueOf(declared, listed)] as const),
        ...Object.entries(values)
          .filter(([, words]) => words.length > 0)
          .map(([word, words]) => [word, { words: listed(words), paths: 'none' }] as const),
      ]),
    }
  })
}

/** By what is declared: words, or a placeholder such as `DIR`, `FILE|ID` or `size|name`. */
function valueOf(
  { value = '', words }: OptionDeclaration,
  listed: (words: Words) => readonly string[],
): Value {
  if (words) return { words: listed(words), paths: 'none' }
  const alternatives = value.split('|').filter((word) => /^[a-z\d]+$/.test(word))
  return { words: alternatives, paths: pathsIn(value) }
}

/** The paths that the placeholders of a text stand for. */
function pathsIn(usage: string): Value['paths'] {
  const [places, noNames] = [usage.match(/<[^<>]+>|\S+/g) ?? [], /pattern|option/]
  const named = places.filter((place) => !noNames.test(place) && !place.includes('='))
  const has = (words: RegExp): boolean => named.some((place) => words.test(place))
  if (has(/<.*\b(?:path|file|image|disc|bundle|device)\b|^\W*(?:FILE|PATH|IMAGE|DISC|DEVICE|PLAN)\b/))
    return 'files'
  return has(/<.*\bfolder\b|^\W*(?:DIR|FOLDER)\b/) ? 'folders' : 'none'
}
