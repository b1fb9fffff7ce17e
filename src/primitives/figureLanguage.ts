import type { Language } from './languages'
import { said } from './said'

/** How a language writes figures, times and dates. */
export interface FigureLanguage {
  readonly thousands: string
  readonly point: string
  /** The BCP 47 tag whose dates it uses. */
  readonly dates: string
  about(time: string): string
  under(time: string): string
  span(from: string, to: string): string
  bytes(count: number): string
}

const ENGLISH: FigureLanguage = {
  thousands: ',',
  point: '.',
  dates: 'en-GB',
  about: (time) => said`about ${time}`,
  under: (time) => said`under ${time}`,
  span: (from, to) => said`${from} to ${to}`,
  bytes: (count) => (count === 1 ? 'byte' : 'bytes'),
}

const GERMAN: FigureLanguage = {
  thousands: '.',
  point: ',',
  dates: 'de-DE',
  about: (time) => `etwa ${time}`,
  under: (time) => `unter ${time}`,
  span: (from, to) => `${from} bis ${to}`,
  bytes: (count) => (count === 1 ? 'Byte' : 'Bytes'),
}

const FIGURES: Readonly<Record<Language, FigureLanguage>> = { en: ENGLISH, de: GERMAN }

let spoken = ENGLISH

/**
 * The language that all figures of this process are written in: English until the window chooses
 * another. The command line never does.
 */
export function figures(): FigureLanguage {
  return spoken
}

export function speakFigures(language: Language): void {
  spoken = FIGURES[language]
}

/** Makes a text with the figures of a language; all else of the process keeps its own. */
export function withFigures<T>(language: Language, make: () => T): T {
  const before = spoken
  spoken = FIGURES[language]
  try {
    return make()
  } finally {
    spoken = before
  }
}

/**
 * A typed text with its numbers as JavaScript reads them: without the thousands of the spoken
 * language, with a point. In German `1.024` is 1024, and both `4,7 GB` and `4.7 GB` are 4.7 GB.
 */
export function typedNumbers(text: string): string {
  const { thousands, point } = spoken
  const grouped = new RegExp(`(?<=\\d)[${thousands}](?=\\d{3}(?!\\d))`, 'g')
  const whole = text.replaceAll(grouped, '')
  return point === '.' ? whole : whole.replaceAll(/(?<=\d),(?=\d)/g, '.')
}

/** A written number without zeros at the end of its decimals: `1.5` for `1.50`. */
export function withoutZeros(number: string): string {
  const { point } = spoken
  return number.includes(point) ? number.replace(new RegExp(`[${point}]?0+$`), '') : number
}

/** A number as JavaScript writes it, in the spoken language: `3.33` becomes `3,33` in German. */
export function spokenNumber(digits: string): string {
  return spoken.point === '.' ? digits : digits.replace('.', spoken.point)
}
