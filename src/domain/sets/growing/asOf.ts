import { AppError } from '../../../primitives/appError'
import { said } from '../../../primitives/said'

/** A state of a source that an archive holds. */
interface KnownState {
  readonly generation: number
  readonly createdWallMs: number
}

const DAY = /^\d{4}-\d{2}-\d{2}$/
const DAY_MS = 86_400_000

/**
 * The generation that a person asks for: by its number, or the last one that was planned by a date.
 * A day counts to its end, here where it is asked.
 * @param known in their order
 * @throws AppError `usage` for neither, `refused` for a generation that is not known
 */
export function generationAsOf(asOf: string, known: readonly KnownState[]): number {
  const last = known.at(-1)?.generation ?? 1
  if (/^\d{1,9}$/.test(asOf)) {
    const wanted = Number(asOf)
    if (wanted >= 1 && wanted <= last) return wanted
    const message =
      last === 1
        ? said`cannot restore generation ${wanted}: the given volumes list generation 1 only`
        : said`cannot restore generation ${wanted}: the given volumes list generations 1 to ${last}`
    throw new AppError('refused', message)
  }
  const until = endOf(asOf)
  if (Number.isNaN(until))
    throw new AppError('usage', said`--as-of takes a date such as 2026-05-31 or the number of a generation`)
  const state = known.findLast(({ createdWallMs }) => createdWallMs < until)
  if (state) return state.generation
  const first = new Date(known[0]?.createdWallMs ?? 0).toISOString().slice(0, 10)
  throw new AppError(
    'refused',
    said`cannot restore the state of ${asOf}: the first plan of the archive is of ${first}`,
  )
}

function endOf(text: string): number {
  if (!DAY.test(text)) return Date.parse(text)
  return Date.parse(`${text}T00:00:00`) + DAY_MS
}
