import type { Said, SaidValue } from '../primitives/said'

/** Words that no message has: half a sentence in each language says less than one in English. */
const PHRASE = /(?:^|[ ,(])[a-z]{2,} [a-z]{2,}(?:[ ,.;:)]|$)/

/** Shorter messages fit texts by chance. */
const LEAST_LETTERS = 8

/**
 * Finds the sentence of a text that a document kept from an earlier run, which has the text alone:
 * the message with the longest words that fits it, its values found the same way.
 * @param messages of sentences
 */
export function recallOf(messages: readonly string[]): (text: string) => Said | undefined {
  const whole = new Set(messages)
  const counts = messages.flatMap((message) => countOf(message))
  const patterns = messages
    .filter((message) => !message.startsWith('{0, plural'))
    .map((message) => patternOf(message))
    .filter(({ letters }) => letters >= LEAST_LETTERS)
    .sort((one, other) => other.letters - one.letters)
  const found = new Map<string, Said | undefined>()
  const recall = (text: string): Said | undefined => {
    if (found.has(text)) return found.get(text)
    const sentence = whole.has(text)
      ? { message: text, values: [] }
      : (counted(text, counts) ?? matched(text, patterns, (value) => recall(value) ?? value))
    found.set(text, sentence)
    return sentence
  }
  return recall
}

interface Pattern {
  readonly message: string
  readonly pattern: RegExp
  /** The place of each captured value. */
  readonly places: readonly number[]
  readonly letters: number
}

function patternOf(message: string): Pattern {
  const places: number[] = []
  let letters = 0
  const source = message
    .split(/(\{\d+\})/)
    .map((part) => {
      const place = /^\{(\d+)\}$/.exec(part)
      if (place) {
        places.push(Number(place[1]))
        return '(.*?)'
      }
      const words = part.replaceAll(/'([{}'])'?/g, '$1')
      letters += words.length
      return words.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
    })
    .join('')
  return { message, pattern: new RegExp(`^${source}$`, 's'), places, letters }
}

function matched(
  text: string,
  patterns: readonly Pattern[],
  valueOf: (text: string) => SaidValue,
): Said | undefined {
  for (const { message, pattern, places } of patterns) {
    const values = pattern.exec(text)?.slice(1)
    if (!values) continue
    const inOrder: SaidValue[] = []
    for (const [at, place] of places.entries()) inOrder[place] = valueOf(values[at] ?? '')
    if (!inOrder.some((value) => typeof value === 'string' && PHRASE.test(value)))
      return { message, values: inOrder }
  }
  return undefined
}

interface Count {
  readonly message: string
  readonly one: string
  readonly other: string
}

function countOf(message: string): Count[] {
  const [, one, other] = /^\{0, plural, one \{# (.*?)\} other \{# (.*?)\}\}$/.exec(message) ?? []
  return one === undefined || other === undefined ? [] : [{ message, one, other }]
}

function counted(text: string, counts: readonly Count[]): Said | undefined {
  const [, number = '', noun] = /^(\d[\d,]*) (.+)$/s.exec(text) ?? []
  const count = counts.find(({ one, other }) => noun === one || noun === other)
  return count && { message: count.message, values: [Number(number.replaceAll(',', ''))] }
}
