import type { CheckDocument, VolumeCheck, VolumeDue } from './checkDocument'
import { BUILT_COPY } from './copies/copy'
import type { RunDocument } from './runDocument'

/**
 * After how many months a volume should be checked again. The interval is a choice: no source gives
 * one for all media. ISO/IEC 29121 derives it from measured error rates, which drives do not
 * report; the NDSA ("What is Fixity, and When Should I be Checking It?", 2014) names no number, and
 * of its members that check at fixed intervals 29 % do so once a year, most others more often.
 */
export const RECHECK_MONTHS = 12

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

/** The key that two checks of the same volume share. */
export function volumeKey({
  setId,
  planId,
  volume,
}: Pick<VolumeCheck, 'setId' | 'planId' | 'volume'>): string {
  return `${planId ?? setId} ${volume}`
}

/**
 * The same of one copy. The image or folder in the plan's folder and the first copy share a key:
 * it is built to be written.
 */
function copyKey(of: Pick<VolumeCheck, 'setId' | 'planId' | 'volume' | 'copy'>): string {
  return of.copy > 1 ? `${volumeKey(of)} ${of.copy}` : volumeKey(of)
}

/**
 * The last check of every volume, by `volumeKey`. A plan that was packed anew has another set:
 * checks of its earlier one do not count beside those of the newest.
 * @param checks newest first
 */
export function lastChecks(
  checks: readonly VolumeCheck[],
  keyOf: (check: VolumeCheck) => string = volumeKey,
): Map<string, VolumeCheck> {
  const sets = new Map<string, string>()
  const last = new Map<string, VolumeCheck>()
  for (const check of checks) {
    if (check.planId !== null && check.setId !== null) {
      const newest = sets.get(check.planId) ?? check.setId
      sets.set(check.planId, newest)
      if (newest !== check.setId) continue
    }
    const key = keyOf(check)
    if (!last.has(key)) last.set(key, check)
  }
  return last
}

/**
 * Every copy of a volume that was made or checked, those first that should be checked first.
 * @param checks newest first
 * @param made copies that are known to exist
 * @param months in place of what each was checked with
 */
export function volumesToCheck(
  checks: readonly VolumeCheck[],
  made: readonly Pick<VolumeDue, 'planId' | 'volume' | 'copy' | 'label' | 'madeWallMs'>[],
  months?: number,
): VolumeDue[] {
  const due = new Map<string, VolumeDue>()
  for (const [key, last] of lastChecks(checks, copyKey)) {
    const { setId, planId, volume, label } = last
    const copy = Math.max(1, last.copy)
    const checkByWallMs = checkAgainBy(last, months)
    due.set(key, { setId, planId, volume, copy, label, madeWallMs: null, last, checkByWallMs })
  }
  for (const volume of made) {
    const key = copyKey({ ...volume, setId: null })
    const known = due.get(key)
    const madeWallMs = volume.madeWallMs ?? 0
    if (known) known.madeWallMs = volume.madeWallMs
    // A volume that was made anew was never checked.
    if (known?.last && known.last.checkedWallMs >= madeWallMs) continue
    due.set(key, { ...volume, setId: known?.setId ?? null, last: null, checkByWallMs: madeWallMs })
  }
  return [...due.values()].toSorted(
    (a, b) =>
      a.checkByWallMs - b.checkByWallMs ||
      a.label.localeCompare(b.label) ||
      a.volume - b.volume ||
      a.copy - b.copy,
  )
}

/**
 * The checks of volumes in a verification against the plan's folder, or in a write that was read
 * back. A missing volume was not checked.
 */
export function checksOfRun(
  run: RunDocument,
  everyMonths: (volume: Pick<VolumeCheck, 'setId' | 'planId' | 'volume'>) => number,
): VolumeCheck[] {
  return run.volumes.flatMap(({ index, label, state, errors, files, written }): VolumeCheck[] => {
    const isGood = state === 'done' && (run.kind === 'verify' || (run.kind === 'write' && written?.verified))
    const isDamaged =
      run.kind === 'verify' && state === 'failed' && errors.some(({ code }) => code === 'verification-failed')
    if (!isGood && !isDamaged) return []
    const about = { setId: run.setId ?? null, planId: run.planId, volume: index }
    return [
      {
        id: run.id,
        ...about,
        copy: run.kind === 'verify' ? BUILT_COPY : (run.target?.copy ?? 1),
        label,
        checkedWallMs: run.startedWallMs + run.elapsedMs,
        result: isDamaged ? 'damaged' : 'good',
        by: 'plan',
        reading: null,
        files,
        damaged: isDamaged ? errors.length : 0,
        everyMonths: everyMonths(about),
      },
    ]
  })
}

/** The result of a check of volumes alone for each that could be identified. */
export function checksOfDocument(
  document: Pick<CheckDocument, 'id' | 'startedWallMs' | 'elapsedMs' | 'volumes'>,
  everyMonths: (volume: Pick<VolumeCheck, 'setId' | 'planId' | 'volume'>) => number,
): VolumeCheck[] {
  return document.volumes.flatMap((volume): VolumeCheck[] => {
    const { setId, planId, index, copy = 1, label, state, reading, files, damaged } = volume
    if (setId === null || index === null || (state !== 'good' && state !== 'damaged')) return []
    const about = { setId, planId, volume: index }
    return [
      {
        id: document.id,
        ...about,
        copy,
        label,
        checkedWallMs: document.startedWallMs + document.elapsedMs,
        result: state,
        by: 'volume',
        reading: reading?.way ?? null,
        files,
        damaged: damaged.length,
        everyMonths: everyMonths(about),
      },
    ]
  })
}
