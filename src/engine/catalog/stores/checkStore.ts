import type { Database } from 'better-sqlite3'
import type { CheckDocument } from '../../../contract/dto/check'
import type { VolumeCheck } from '../../../domain/sets/checkDocument'
import type { StoredDocuments } from './storedDocuments'

/** The catalog's record of verified volumes, those that belong to none of its plans too. */
export interface CheckStore {
  /** @param checks a row for each volume that can be identified */
  saveCheck(document: CheckDocument, checks: readonly VolumeCheck[]): void
  /** @throws AppError `not-found`; `catalog-broken` for a check whose document is damaged */
  check(checkId: string): CheckDocument
  /** Newest first; of one plan's volumes where its id is given. */
  checks(planId?: string | null): VolumeCheck[]
}

interface Row {
  check_id: string
  set_id: string | null
  plan_id: string | null
  volume: number
  copy: number
  label: string
  checked_wall_ms: number
  result: number
  by_plan: number
  reading: VolumeCheck['reading']
  files: number
  damaged: number
  every_months: number
}

/**
 * Writes the checks of one run or document, in the transaction that saves it, in place of earlier
 * ones.
 */
export function insertChecks(writer: Database, id: string, checks: readonly VolumeCheck[]): void {
  writer.prepare('DELETE FROM volume_checks WHERE check_id = ?').run(id)
  const insert = writer.prepare(
    `INSERT INTO volume_checks (check_id, set_id, plan_id, volume, copy, label, checked_wall_ms, result, by_plan, reading, files,
       damaged, every_months) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  for (const check of checks)
    insert.run(
      id,
      check.setId,
      check.planId,
      check.volume,
      check.copy,
      check.label,
      check.checkedWallMs,
      check.result === 'good' ? 0 : 1,
      check.by === 'plan' ? 1 : 0,
      check.reading,
      check.files,
      check.damaged,
      check.everyMonths,
    )
}

export function checkStore(writer: Database, stored: StoredDocuments<CheckDocument>): CheckStore {
  return {
    saveCheck: writer.transaction((document: CheckDocument, checks: readonly VolumeCheck[]) => {
      writer
        .prepare('INSERT INTO checks VALUES (?, ?, ?)')
        .run(document.id, document.startedWallMs, JSON.stringify(document))
      insertChecks(writer, document.id, checks)
    }),
    check: stored.of,
    checks: (planId = null) =>
      writer
        .prepare<{ planId: string | null }, Row>(
          `SELECT * FROM volume_checks ${planId === null ? '' : 'WHERE plan_id = @planId'}
           ORDER BY checked_wall_ms DESC, number DESC`,
        )
        .all({ planId })
        .map(checkFrom),
  }
}

function checkFrom(row: Row): VolumeCheck {
  return {
    id: row.check_id,
    setId: row.set_id,
    planId: row.plan_id,
    volume: row.volume,
    copy: row.copy,
    label: row.label,
    checkedWallMs: row.checked_wall_ms,
    result: row.result === 0 ? 'good' : 'damaged',
    by: row.by_plan === 1 ? 'plan' : 'volume',
    reading: row.reading,
    files: row.files,
    damaged: row.damaged,
    everyMonths: row.every_months,
  }
}
