import type { Database } from 'better-sqlite3'
import type { CopyNote } from '../../../domain/sets/copies/copy'

/** The notes of persons on copies of volumes. */
export interface CopyStore {
  noteCopies(notes: readonly CopyNote[]): void
  /** The notes on one set, or on all, in the order in which it was said. */
  copyNotes(ofSet?: string): CopyNote[]
}

export function copyStore(writer: Database): CopyStore {
  return {
    noteCopies: writer.transaction((notes: readonly CopyNote[]) => {
      const insert = writer.prepare(
        `INSERT INTO copy_notes (of_set, volume, copy, label, noted_wall_ms, kind, place, medium)
         VALUES (@ofSet, @volume, @copy, @label, @notedWallMs, @kind, @place, @medium)`,
      )
      for (const note of notes) insert.run(note)
    }),
    copyNotes: (ofSet) =>
      writer
        .prepare<[string | null, string | null], CopyNote>(
          `SELECT of_set AS ofSet, volume, copy, label, noted_wall_ms AS notedWallMs, kind, place, medium
           FROM copy_notes WHERE ? IS NULL OR of_set = ? ORDER BY number`,
        )
        .all(ofSet ?? null, ofSet ?? null),
  }
}
