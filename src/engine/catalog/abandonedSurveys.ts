import type { Database } from 'better-sqlite3'
import { type SurveyDocument, surveyDocumentSchema } from '../../contract/dto/survey'
import { entryKey, entryRange } from './entryKey'
import { linkNames } from './linkNames'
import { isOwnerAlive } from './rowOwner'
import { documentIn } from './stores/storedDocuments'
import { removeSurvey } from './stores/surveyWriter'

interface OpenRow {
  number: number
  owner: string
  document: string
  sketch_entries: number
}

/**
 * Surveys whose process ended without finishing them become what their last checkpoint says, marked
 * as interrupted; those without one that can be read are removed.
 */
export function recoverAbandoned(writer: Database): void {
  const open = writer
    .prepare<[], OpenRow>("SELECT number, owner, document, sketch_entries FROM surveys WHERE state = 'open'")
    .all()
  for (const row of open) {
    if (isOwnerAlive(row.owner)) continue
    const known = row.sketch_entries === 0 ? null : documentIn(surveyDocumentSchema, row.document)
    if (known) interrupt(writer, row, known)
    else removeSurvey(writer, row.number)
  }
}

/** Drops the entries after the checkpoint: neither the figures nor the sketch contain them. */
function interrupt(writer: Database, { number, sketch_entries }: OpenRow, document: SurveyDocument): void {
  const last = entryRange(number)[1]
  const { totals } = document
  writer.transaction(() => {
    writer
      .prepare('DELETE FROM survey_entries WHERE key BETWEEN ? AND ?')
      .run(entryKey(number, sketch_entries), last)
    writer
      .prepare('DELETE FROM survey_skips WHERE key BETWEEN ? AND ?')
      .run(entryKey(number, totals.skipped), last)
    if (totals.hardLinks > 0) {
      totals.hardLinkedBytes = linkNames(writer, number)
      totals.hardLinks -= removeLostLinks(writer, number)
    }
    writer
      .prepare("UPDATE surveys SET state = 'done', document = ? WHERE number = ?")
      .run(JSON.stringify({ ...document, partial: true, interrupted: true }), number)
  })()
}

/**
 * Further names whose file came after the checkpoint: another thread of the pass had read it.
 * @returns how many there were
 */
function removeLostLinks(writer: Database, number: number): number {
  return writer
    .prepare('DELETE FROM survey_entries WHERE key BETWEEN ? AND ? AND kind = 3 AND link_of IS NULL')
    .run(...entryRange(number)).changes
}
