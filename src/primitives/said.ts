/**
 * A sentence as the message that it was made from, in ICU MessageFormat with the values `{0}`,
 * `{1}`…, so that a window can say it in another language. English is the message itself.
 */
export interface Said {
  readonly message: string
  readonly values: readonly SaidValue[]
}

/** A value of a sentence: text that no language changes, a count, or a sentence again. */
export type SaidValue = string | number | Said

/** The oldest is forgotten first: a window asks for a sentence soon after it was said. */
const MOST_KEPT = 20_000
const kept = new Map<string, Said>()

/**
 * The English text of a sentence, which this process remembers as message and values (`saidOf`).
 * Values that are sentences themselves stay such. Numbers are written as JavaScript does.
 */
export function said(
  parts: TemplateStringsArray,
  ...values: readonly (string | number | bigint | null | undefined)[]
): string {
  const texts = values.map(String)
  let text = parts[0] ?? ''
  for (const [at, value] of texts.entries()) text += `${value}${parts[at + 1] ?? ''}`
  return remember(text, { message: messageOf(parts), values: texts.map(rememberedOr) })
}

const messages = new WeakMap<TemplateStringsArray, string>()

/** The message of a place in the sources, made once. */
function messageOf(parts: TemplateStringsArray): string {
  const known = messages.get(parts)
  if (known !== undefined) return known
  const message = parts.map((part, at) => `${at > 0 ? `{${at - 1}}` : ''}${literally(part)}`).join('')
  messages.set(parts, message)
  return message
}

function rememberedOr(value: string): SaidValue {
  return kept.get(value) ?? value
}

/** The same of a message that is put together: `cannot read {0}: {1}`. */
export function saidAs(message: string, ...values: readonly string[]): string {
  const text = message.replaceAll(/\{(\d+)\}|'([{}'])'?/g, (_, at?: string, sign?: string) =>
    at === undefined ? (sign ?? '') : (values[Number(at)] ?? ''),
  )
  return remember(text, { message, values: values.map(rememberedOr) })
}

/** A count with its noun, remembered as a sentence: the text is what English makes of it. */
export function saidCount(text: string, count: number, one: string, other: string): string {
  return remember(text, { message: `{0, plural, one {# ${one}} other {# ${other}}}`, values: [count] })
}

/** `a, b and c`; one part is itself. */
export function saidAll(parts: readonly string[]): string {
  const last = parts.at(-1) ?? ''
  return parts.length < 2 ? last : said`${saidRow(parts.slice(0, -1))} and ${last}`
}

/** `a, b, c`. */
export function saidRow(parts: readonly string[]): string {
  return parts.length === 0 ? '' : parts.reduce((row, part) => said`${row}, ${part}`)
}

/** The sentence of a text that this process said or received; undefined for any other text. */
export function saidOf(text: string): Said | undefined {
  const sentence = kept.get(text)
  if (sentence) remember(text, sentence)
  return sentence
}

/** Keeps the sentence of a text, which another process said. */
export function remember(text: string, sentence: Said): string {
  kept.delete(text)
  kept.set(text, sentence)
  const oldest = kept.size > MOST_KEPT ? kept.keys().next() : null
  if (oldest?.done === false) kept.delete(oldest.value)
  return text
}

/** The sentences among all texts of a value, at any depth; undefined where there is none. */
export function saidIn(value: unknown): Readonly<Record<string, Said>> | undefined {
  const found: Record<string, Said> = {}
  collect(value, found)
  return Object.keys(found).length === 0 ? undefined : found
}

function collect(value: unknown, found: Record<string, Said>): void {
  if (typeof value === 'string') {
    const sentence = saidOf(value)
    if (sentence) found[value] = sentence
  } else if (Array.isArray(value)) for (const item of value) collect(item, found)
  else if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value))
    for (const item of Object.values(value)) collect(item, found)
}

/** Text as ICU MessageFormat takes it literally. */
export function literally(part: string): string {
  return part.replaceAll("'", "''").replaceAll(/[{}]/g, "'$&'")
}
