import { type CopyKey, copyKeys, perLanguage, t } from '../copy'

const PREFIX = 'means.'

/** A word that the window uses, and what it means. */
export interface Term {
  readonly word: string
  readonly meaning: string
}

/** Every word with a meaning, by the key of the word, in alphabetical order. */
export function glossary(): readonly Term[] {
  return copyKeys
    .filter((key) => key.startsWith(PREFIX))
    .map((key) => ({ word: t(key.slice(PREFIX.length) as CopyKey), meaning: t(key) }))
    .sort((one, other) => one.word.localeCompare(other.word))
}

const meanings = perLanguage(() => new Map(glossary().map(({ word, meaning }) => [word, meaning])))

/** The meaning of a word of the window; undefined for a plain one. */
export function meaningOf(word: string): string | undefined {
  return meanings().get(word)
}
