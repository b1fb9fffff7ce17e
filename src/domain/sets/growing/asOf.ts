import { AppError } from '../../../primitives/appError'
import { said } from '../../../primitives/said'
import { isoDay } from '../../../primitives/spokenTime'

/** A state of a source that an archive holds. */
interface KnownState {
  readonly generation: number
  readonly createdWallMs: number
}

/**
 * The generation that a person asks for: by its number, or the last one that was planned by a day
 * (`2026-05-31`) or a minute (`2026-05-31T14:30`). These count to their ends, in local time.
 * @param known in their order
 * @throws AppError `usage` for any other text, `refused` for a generation that is not known
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
  if (until === null)
    throw new AppError(
      'usage',
      said`--as-of takes a day such as 2026-05-31, a minute such as 2026-05-31T14:30, or the number of a generation, not "${asOf}"`,
    )
  const state = known.findLast(({ createdWallMs }) => createdWallMs < until)
  if (state) return state.generation
  const first = isoDay(known[0]?.createdWallMs ?? 0)
  throw new AppError(
    'refused',
    said`cannot restore the state of ${asOf}: the first plan of the archive is of ${first}`,
  )
}

const MOMENT = /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)(?:T(?<hour>[01]\d|2[0-3]):(?<minute>[0-5]\d))?$/

/** The end of a day or a minute, in milliseconds; null for any other text. */
function endOf(text: string): number | null {
  const { year, month, day, hour, minute } = MOMENT.exec(text)?.groups ?? {}
  const [y, m, d] = [Number(year), Number(month) - 1, Number(day)]
  if (isoDay(new Date(y, m, d).getTime()) !== text.slice(0, 10)) return null
  // A day may have 23 or 25 hours.
  const end = hour === undefined ? new Date(y, m, d + 1) : new Date(y, m, d, Number(hour), Number(minute) + 1)
  return end.getTime()
}
