import type { Database } from 'better-sqlite3'
import { type FoundFile, planDocumentSchema } from '../../contract/dto/plan'
import { pathFromBytes } from '../../primitives/pathText'
import { entryRange } from './entryKey'
import { namePattern } from './namePattern'
import type { StoredSurveys } from './storedSurveys'

/**
 * Files whose path matches, those on volumes first (newest plan first), then those of surveys without a plan, at most
 * `limit`. The path of a file on a volume is the one it has there; that of a surveyed file is absolute. A split file is
 * found by the names of its parts and by its own.
 */
export function findFiles(
  reader: Database,
  stored: StoredSurveys,
  pattern: string,
  limit: number,
): FoundFile[] {
  const { like, matches } = namePattern(pattern)
  const found: FoundFile[] = []
  for (const file of onVolumes()) {
    if (found.length >= limit) return found
    found.push(file)
  }
  for (const file of notPlanned()) {
    if (found.length >= limit) return found
    found.push(file)
  }
  return found

  function* onVolumes(): Generator<FoundFile> {
    const plans = reader
      .prepare<[], { number: number; document: string }>(
        `SELECT number, document FROM plans WHERE withdrawn_by IS NULL
         ORDER BY created_wall_ms DESC, number DESC`,
      )
      .all()
    const search = reader.prepare<
      [bigint, bigint, string, string],
      { path: Uint8Array; whole: Uint8Array | null; bytes: number; volume: number }
    >(
      `SELECT path, whole_path AS whole, bytes, volume FROM plan_entries
       WHERE key BETWEEN ? AND ? AND kind <> 1
         AND (CAST(path AS TEXT) LIKE ? ESCAPE '\\' OR CAST(whole_path AS TEXT) LIKE ? ESCAPE '\\')
       ORDER BY key`,
    )
    const labelled = reader.prepare<[number], { volume: number; label: string }>(
      'SELECT volume, label FROM volumes WHERE plan = ?',
    )
    for (const { number, document } of plans) {
      const plan = planDocumentSchema.parse(JSON.parse(document))
      const labels = new Map(labelled.all(number).map(({ volume, label }) => [volume, label]))
      for (const row of search.iterate(...entryRange(number), like, like)) {
        const path = pathFromBytes(row.path)
        const whole = row.whole === null ? path : pathFromBytes(row.whole)
        if (!matches(path) && !matches(whole)) continue
        const volume = { planId: plan.id, index: row.volume, label: labels.get(row.volume) ?? '' }
        yield { path: whole, bytes: row.bytes, volume, surveyId: plan.surveyId }
      }
    }
  }

  function* notPlanned(): Generator<FoundFile> {
    const surveys = reader
      .prepare<[], { number: number; id: string; document: string }>(
        `SELECT number, id, document FROM surveys
         WHERE state = 'done' AND id NOT IN (SELECT survey_id FROM plans WHERE withdrawn_by IS NULL)
         ORDER BY created_wall_ms DESC`,
      )
      .all()
    const search = reader.prepare<
      [bigint, bigint, string, string],
      { root: number; path: Uint8Array; bytes: number }
    >(
      `SELECT root, path, bytes FROM survey_entries
       WHERE key BETWEEN ? AND ? AND kind <> 1
         AND json_extract(?, '$[' || root || ']') || '/' || CAST(path AS TEXT) LIKE ? ESCAPE '\\'
       ORDER BY root, path`,
    )
    for (const { number, id, document } of surveys) {
      const roots = stored.readable(id, document)?.roots
      if (!roots) continue
      for (const row of search.iterate(...entryRange(number), JSON.stringify(roots), like)) {
        const below = pathFromBytes(row.path)
        const root = roots[row.root] ?? ''
        const path = below === '' ? root : `${root}/${below}`
        if (matches(path)) yield { path, bytes: row.bytes, volume: null, surveyId: id }
      }
    }
  }
}
