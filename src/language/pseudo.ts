import { type MessageFormatElement, TYPE } from '@formatjs/icu-messageformat-parser'
import type { Parsed } from './messages'

const PLAIN = 'aceinosuyzACEINOSUYZ'
const ACCENTED = 'áçéíñóšúýžÁÇÉÍÑÓŠÚÝŽ'

/**
 * A message in the pseudo-language: readable English with accents, a third longer, so that text
 * without a key and text that does not fit can both be seen.
 */
export function pseudo(message: Parsed): MessageFormatElement[] {
  return message.map((part) => {
    if (part.type === TYPE.literal) return { ...part, value: longer(accented(part.value)) }
    if (part.type !== TYPE.plural && part.type !== TYPE.select) return part
    const options = Object.entries(part.options).map(
      ([name, option]) => [name, { ...option, value: pseudo(option.value) }] as const,
    )
    return { ...part, options: Object.fromEntries(options) }
  })
}

/** The text with accents on the letters that have them. */
function accented(text: string): string {
  return text.replaceAll(/[a-z]/gi, (letter) => ACCENTED[PLAIN.indexOf(letter)] ?? letter)
}

function longer(text: string): string {
  return text.replaceAll(/\p{Letter}{4,}/gu, (word) => `${word}${'·'.repeat(Math.round(word.length / 3))}`)
}
