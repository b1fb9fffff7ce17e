import type { VolumeDue } from '../checkDocument'
import type { VolumeCopy } from './copy'
import type { DuePlace } from './duePlace'

/**
 * When copies fall due for verification, by month and place: what is due now comes first, and in
 * each month the copies without a place come last. Months are those of the local calendar.
 * @param volumes copies with the time by which each is to be verified
 * @param copies where they are
 */
export function healthCalendar(
  volumes: readonly VolumeDue[],
  copies: readonly VolumeCopy[],
  nowWallMs: number,
): DuePlace[] {
  const places = new Map(copies.map((copy) => [copyKey(copy), copy.place]))
  const rows = new Map<string, DuePlace>()
  const inOrder = [...volumes]
  inOrder.sort((one, other) => monthOf(one) - monthOf(other) || one.label.localeCompare(other.label))
  for (const volume of inOrder) {
    const place = places.get(copyKey(volume)) ?? null
    const key = `${monthOf(volume)} ${place === null ? '' : `at ${place}`}`
    const row = rows.get(key)
    const dueWallMs = monthOf(volume) === DUE_NOW ? null : volume.checkByWallMs
    if (!row) rows.set(key, { dueWallMs, place, copies: 1, labels: [volume.label] })
    else {
      row.copies += 1
      if (row.labels.at(-1) !== volume.label) row.labels.push(volume.label)
      if (dueWallMs !== null) row.dueWallMs = Math.min(row.dueWallMs ?? dueWallMs, dueWallMs)
    }
  }
  const calendar = [...rows.values()]
  calendar.sort(
    (one, other) =>
      monthNumber(one.dueWallMs) - monthNumber(other.dueWallMs) ||
      Number(one.place === null) - Number(other.place === null) ||
      (one.place ?? '').localeCompare(other.place ?? ''),
  )
  return calendar

  function monthOf({ checkByWallMs }: VolumeDue): number {
    return monthNumber(checkByWallMs <= nowWallMs ? null : checkByWallMs)
  }
}

const DUE_NOW = 0

/** Months since year 0; `DUE_NOW` for null. */
function monthNumber(wallMs: number | null): number {
  if (wallMs === null) return DUE_NOW
  const date = new Date(wallMs)
  return date.getFullYear() * 12 + date.getMonth()
}

/** The image or folder in the plan's folder and the first copy are verified as one. */
export function copyKey({
  planId,
  setId,
  volume,
  copy,
}: Pick<VolumeCopy, 'planId' | 'setId' | 'volume' | 'copy'>): string {
  return `${planId ?? setId} ${volume} ${Math.max(1, copy)}`
}
