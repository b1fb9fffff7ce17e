import type { Database } from 'better-sqlite3'
import type { PlanDocument, PlanEntry, PlanVolume } from '../../../contract/dto/plan'
import { pathFromBytes } from '../../../primitives/pathText'
import { textBytes } from '../../files/fileSystem'
import { ownIdentity } from '../../files/processIdentity'
import type { Catalog } from '../catalog'
import { entryKey, entryRange } from '../entryKey'
import { isOwnerAlive } from '../rowOwner'
import { entryColumns } from './planEntryRows'
import { moveHistory, removeHistory, type StoredHistoryLine, saveHistory } from './planHistory'

/** Deletes a plan with its volumes and their entries. */
export function removePlan(writer: Database, number: number): void {
  writer.transaction(() => {
    writer.prepare('DELETE FROM plan_entries WHERE key BETWEEN ? AND ?').run(...entryRange(number))
    removeHistory(writer, number)
    writer.prepare('DELETE FROM plans WHERE number = ?').run(number)
  })()
}

/** The changes of the tables of plans and their volumes, each a transaction. */
export function planWriting(
  writer: Database,
): Pick<Catalog, 'savePlan' | 'planPacked' | 'planExported' | 'withdrawPlan'> & { removeWithdrawn(): void } {
  const insertEntry = writer.prepare(
    'INSERT INTO plan_entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  )
  const insertVolumes = (plan: number, volumes: readonly PlanVolume[]): void => {
    const insertVolume = writer.prepare('INSERT INTO volumes VALUES (?, ?, ?, ?, ?, ?)')
    for (const { index, label, sectors, files, bytes } of volumes)
      insertVolume.run(plan, index, label, sectors, files, bytes)
  }
  return {
    savePlan: writer.transaction(
      (
        document: PlanDocument,
        volumes: Iterable<{ index: number; entries: Iterable<PlanEntry> }>,
        withdrawn = false,
        history: Iterable<StoredHistoryLine> = [],
      ) => {
        const number = Number(
          writer
            .prepare(
              'INSERT INTO plans (id, survey_id, created_wall_ms, document, withdrawn_by) VALUES (?, ?, ?, ?, ?)',
            )
            .run(
              document.id,
              document.surveyId,
              document.createdWallMs,
              JSON.stringify(document),
              withdrawn ? ownIdentity() : null,
            ).lastInsertRowid,
        )
        insertVolumes(number, document.volumes)
        let n = 0
        for (const volume of volumes) {
          for (const entry of volume.entries)
            insertEntry.run(entryKey(number, n++), volume.index, ...entryColumns(entry))
        }
        saveHistory(writer, number, history)
      },
    ),

    planPacked: writer.transaction(
      (
        planId: string,
        volumes: readonly PlanVolume[],
        places: ReadonlyMap<string, number>,
        held: ReadonlyMap<string, number> = new Map(),
      ) => {
        const row = writer
          .prepare<[string], { number: number }>('SELECT number FROM plans WHERE id = ?')
          .get(planId)
        if (!row) return
        writer.prepare('DELETE FROM volumes WHERE plan = ?').run(row.number)
        insertVolumes(row.number, volumes)
        // What is in every volume's index, such as links, is on one that there is.
        const last = Math.max(...volumes.map(({ index }) => index))
        writer
          .prepare('UPDATE plan_entries SET volume = ? WHERE key BETWEEN ? AND ? AND volume > ?')
          .run(last, ...entryRange(row.number), last)
        const move = writer.prepare<[number, bigint]>('UPDATE plan_entries SET volume = ? WHERE key = ?')
        const entries = writer
          .prepare<[bigint, bigint], { key: bigint; path: Uint8Array; volume: bigint }>(
            'SELECT key, path, volume FROM plan_entries WHERE key BETWEEN ? AND ? AND kind <> 1',
          )
          .safeIntegers()
          .all(...entryRange(row.number))
        for (const { key, path, volume } of entries) {
          const place = places.get(pathFromBytes(path))
          if (place !== undefined && BigInt(place) !== volume) move.run(place, key)
        }
        moveHistory(writer, row.number, planId, held)
      },
    ),

    planExported(planId, directory) {
      writer
        .prepare('UPDATE plans SET directory = ?, withdrawn_by = NULL WHERE id = ?')
        .run(textBytes(directory), planId)
    },

    withdrawPlan(planId) {
      writer
        .prepare('UPDATE plans SET withdrawn_by = ? WHERE id = ? AND directory IS NULL')
        .run(ownIdentity(), planId)
    },

    removeWithdrawn() {
      const withdrawn = writer
        .prepare<[], { number: number; withdrawn_by: string }>(
          'SELECT number, withdrawn_by FROM plans WHERE withdrawn_by IS NOT NULL',
        )
        .all()
      for (const { number, withdrawn_by } of withdrawn) {
        if (isOwnerAlive(withdrawn_by)) continue
        removePlan(writer, number)
      }
    },
  }
}
