import { z } from 'zod'
import { AppError } from '../../primitives/appError'
import { said } from '../../primitives/said'
import { isoDay } from '../../primitives/spokenTime'
import { mediumIdSchema } from '../scalars'

/** Three decimals at most, as the smallest units of currencies have. */
const AMOUNT = String.raw`\d{1,9}(?:\.\d{1,3})?`
const CURRENCY = '[A-Z]{3}'
const DAY = String.raw`\d{4}-\d{2}-\d{2}`

/** A price that a person has noted for one volume of a medium. */
export const priceSchema = z.object({
  mediumId: mediumIdSchema,
  amount: z.number().nonnegative().max(999_999_999.999),
  /** ISO 4217, such as EUR. */
  currency: z.string().regex(new RegExp(`^${CURRENCY}$`)),
  /** The day on which it was noted: `2026-11-27`. */
  notedOn: z.string().regex(new RegExp(`^${DAY}$`)),
})
export type Price = z.infer<typeof priceSchema>

export const PRICES_TAKE = 'a price for each medium, such as "bd-r-25=0.85 EUR 2026-11-27"'

const LINE = new RegExp(`^(?<id>[^=\\s]+)=(?<amount>${AMOUNT}) (?<currency>${CURRENCY}) (?<day>${DAY})$`)

/** A price as a setting keeps it: `bd-r-25=0.85 EUR 2026-11-27`; null for any other text. */
export function priceOfLine(line: string): Price | null {
  const { id = '', amount, currency = '', day = '' } = LINE.exec(line)?.groups ?? {}
  if (amount === undefined || !isDay(day)) return null
  return { mediumId: id, amount: Number(amount), currency, notedOn: day }
}

export function lineOfPrice({ mediumId, amount, currency, notedOn }: Price): string {
  return `${mediumId}=${amount} ${currency} ${notedOn}`
}

function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

/** The prices of a setting. A line that is none is left out; of one medium the last counts. */
export function pricesOf(lines: readonly string[]): Price[] {
  const prices = lines.flatMap((line) => priceOfLine(line) ?? [])
  return [...new Map(prices.map((price) => [price.mediumId, price])).values()]
}

/**
 * The lines of the setting with one price changed.
 * @param given `bd-r-25=0.85EUR`, or `bd-r-25=none` to remove the price
 * @param wallMs when it is noted
 * @throws AppError `usage` with what it takes
 */
export function changedPrice(lines: readonly string[], given: string, wallMs: number): string[] {
  const parsed = new RegExp(
    `^(?<id>[^=\\s]+)=(?:none|(?<amount>${AMOUNT})\\s*(?<currency>${CURRENCY}))$`,
  ).exec(given)?.groups
  if (!parsed)
    throw new AppError('usage', said`a price is written bd-r-25=0.85EUR, or bd-r-25=none, not "${given}"`)
  const { id = '', amount, currency = '' } = parsed
  const others = lines.filter((line) => priceOfLine(line)?.mediumId !== id)
  if (amount === undefined) return others
  return [...others, lineOfPrice({ mediumId: id, amount: Number(amount), currency, notedOn: isoDay(wallMs) })]
}

/** The price of a medium, or of the blank that a variant is written to; null without one. */
export function priceOfMedium(prices: readonly Price[], mediumId: string): Price | null {
  const [blank] = mediumId.split(':')
  return (
    prices.find((price) => price.mediumId === mediumId) ??
    prices.find((price) => price.mediumId === blank) ??
    null
  )
}

/** Exact for prices with three decimals. */
export function times({ amount }: Price, count: number): number {
  return (Math.round(amount * 1000) * count) / 1000
}
