/** A part of a text that is read in one direction. */
export interface DirectedText {
  readonly text: string
  readonly isRightToLeft: boolean
}

const RIGHT_TO_LEFT = `[\\p{Script=Arabic}\\p{Script=Hebrew}\\p{Script=Syriac}\\p{Script=Thaana}\\p{Script=Nko}]`
const LETTER = `[${RIGHT_TO_LEFT}&&\\p{L}]`
const OTHER_LETTER = `[\\p{L}--${RIGHT_TO_LEFT}]`
const BETWEEN = `[^${OTHER_LETTER}]*`
/** A bracket that closes one within a stretch. */
const CLOSING = `(?<=${LETTER}${BETWEEN}[\\(\\[\\{<«][^\\)\\]\\}>»]*)[\\)\\]\\}>»]`
/** From a letter or Arabic digit to the last one or digit before a letter of another direction. */
const STRETCH = new RegExp(
  `[${LETTER}\\u0660-\\u0669](?:${BETWEEN}[${LETTER}\\p{Nd}\\p{M}](?:${CLOSING})?)?`,
  'gv',
)
const NUMBER = /\p{Nd}(?:[.,:/+-]?\p{Nd})*/gu
const HAS_LETTER = new RegExp(LETTER, 'v')
const BRACKETS: Readonly<Record<string, string>> = {
  '(': ')',
  ')': '(',
  '[': ']',
  ']': '[',
  '{': '}',
  '}': '{',
  '<': '>',
  '>': '<',
  '«': '»',
  '»': '«',
}

/**
 * The parts of a text in the order in which they are written from left to right: letters of Arabic
 * and Hebrew with what is between them from the right, numbers in them from the left. These are the
 * rules of the Unicode bidirectional algorithm (UAX #9) for one line from the left without
 * embeddings, as an SVG is drawn.
 */
export function visualOrder(text: string): DirectedText[] {
  return partsBy(STRETCH, text).flatMap(({ part, fits }) =>
    fits
      ? partsBy(NUMBER, part)
          .toReversed()
          .map(({ part: inner, fits: isNumber }) =>
            isNumber
              ? { text: inner, isRightToLeft: false }
              : { text: turned(inner), isRightToLeft: HAS_LETTER.test(inner) },
          )
      : [{ text: part, isRightToLeft: false }],
  )
}

/** The parts of a text that fit a pattern and those between them; empty ones are left out. */
function partsBy(pattern: RegExp, text: string): { part: string; fits: boolean }[] {
  const parts: { part: string; fits: boolean }[] = []
  let end = 0
  for (const { 0: part, index } of text.matchAll(pattern)) {
    parts.push({ part: text.slice(end, index), fits: false }, { part, fits: true })
    end = index + part.length
  }
  parts.push({ part: text.slice(end), fits: false })
  return parts.filter(({ part }) => part !== '')
}

/** Signs as they look from the right; without a letter, which a font turns, in that order too. */
function turned(text: string): string {
  const mirrored = Array.from(text, (sign) => BRACKETS[sign] ?? sign)
  return (HAS_LETTER.test(text) ? mirrored : mirrored.toReversed()).join('')
}
