import type { VolumeCheck, VolumeDue } from './checkDocument'
import { copyKey } from './copies/healthCalendar'
import { checkOf, type NewEvent } from './volumeEvent'

/** The same day so many months later, or the last day of that month where it is shorter. */
export function monthsLater(wallMs: number, months: number): number {
  const date = new Date(wallMs)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, lastDay))
  return date.getTime()
}

/** When a volume should be checked again: at once where it is damaged. */
export function checkAgainBy(
  { result, checkedWallMs, everyMonths }: Pick<VolumeCheck, 'result' | 'checkedWallMs' | 'everyMonths'>,
  months: number = everyMonths,
): number {
  return result === 'good' ? monthsLater(checkedWallMs, months) : checkedWallMs
}

/**
 * Every copy of a volume that was made or verified, those first that should be verified first. A
 * date that is later than now is that of a clock that was wrong: such a copy is due.
 * @param events in their order, without those of sets that a plan was packed into earlier
 * @param isThere whether the folder of a plan, with what was built in it, is there
 * @param months in place of what each was verified with
 */
export function volumesToCheck(
  events: readonly NewEvent[],
  {
    nowWallMs,
    isThere,
    months,
  }: {
    readonly nowWallMs: number
    readonly isThere: (planId: string) => boolean
    readonly months?: number | undefined
  },
): VolumeDue[] {
  const copies = new Map<string, Happened>()
  for (const event of events) {
    const { kind, wallMs } = event
    const key = copyKey(event)
    const before = copies.get(key) ?? {
      event,
      setId: null,
      builtWallMs: null,
      writtenWallMs: null,
      last: null,
      ever: null,
    }
    const setId = event.setId ?? before.setId
    const check = checkOf(event)
    if (check) copies.set(key, { ...before, event, setId, last: check, ever: check })
    else if (kind === 'built')
      copies.set(key, { ...before, event, setId, builtWallMs: wallMs, writtenWallMs: null, last: null })
    else if (kind === 'kept')
      copies.set(key, { ...before, event, setId, builtWallMs: before.builtWallMs ?? wallMs })
    else if (kind === 'written')
      copies.set(key, { ...before, event, setId, writtenWallMs: wallMs, last: null })
  }
  return [...copies.values()]
    .flatMap((happened): VolumeDue[] => {
      const { event, setId, builtWallMs, writtenWallMs, ever } = happened
      const { planId, volume, label } = event
      const isMade = writtenWallMs !== null || (builtWallMs !== null && planId !== null && isThere(planId))
      const last = isMade ? happened.last : ever
      if (!isMade && last === null) return []
      const madeWallMs = isMade ? (writtenWallMs ?? builtWallMs) : null
      const isDated = last === null || last.checkedWallMs <= nowWallMs
      const dueWallMs = last === null ? (madeWallMs ?? 0) : checkAgainBy(last, months)
      const checkByWallMs = isDated ? dueWallMs : 0
      return [
        { setId, planId, volume, copy: Math.max(1, event.copy), label, madeWallMs, last, checkByWallMs },
      ]
    })
    .toSorted(
      (a, b) =>
        a.checkByWallMs - b.checkByWallMs ||
        a.label.localeCompare(b.label) ||
        a.volume - b.volume ||
        a.copy - b.copy,
    )
}

/** The facts about one copy of a volume. */
interface Happened {
  /** The last one. */
  readonly event: NewEvent
  readonly setId: string | null
  readonly builtWallMs: number | null
  readonly writtenWallMs: number | null
  /** The last verification since it was made. */
  readonly last: VolumeCheck | null
  readonly ever: VolumeCheck | null
}
