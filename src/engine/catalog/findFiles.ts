import type { Database } from 'better-sqlite3'
import type { FoundFile } from '../../contract/dto/plan'
import { planDocumentSchema } from '../../contract/dto/plan'
import { surveyDocumentSchema } from '../../contract/dto/survey'
import { pathFromBytes } from '../../primitives/pathText'

/**
 * Files whose path matches, those on volumes first (newest plan first), then those of surveys without a plan.
 * `*` and `?` are wildcards for the whole path; a pattern without them is looked for anywhere in it. ASCII letters match without case.
 */
export function findFiles(reader: Database, pattern: string, limit: number): FoundFile[] {
  const like = likePattern(pattern)
  return [...onVolumes(reader, like, limit), ...notPlanned(reader, like, limit)].slice(0, limit)
}

function onVolumes(reader: Database, like: string, limit: number): FoundFile[] {
  const rows = reader
    .prepare<
      [string, number],
      { path: Uint8Array; bytes: number; volume: number; label: string; document: string }
    >(
      `SELECT coalesce(entry.whole_path, entry.path) AS path, entry.bytes, entry.volume, volumes.label, plans.document
       FROM plan_entries AS entry
       JOIN plans ON plans.number = entry.key >> 32
       JOIN volumes ON volumes.plan = plans.number AND volumes.volume = entry.volume
       WHERE entry.kind <> 1 AND CAST(entry.path AS TEXT) LIKE ? ESCAPE '\\'
       ORDER BY plans.created_wall_ms DESC, entry.key LIMIT ?`,
    )
    .all(like, limit)
  const plans = new Map<string, { id: string; surveyId: string }>()
  return rows.map((row) => {
    const plan = plans.get(row.document) ?? planDocumentSchema.parse(JSON.parse(row.document))
    plans.set(row.document, plan)
    return {
      path: pathFromBytes(row.path),
      bytes: row.bytes,
      volume: { planId: plan.id, index: row.volume, label: row.label },
      surveyId: plan.surveyId,
    }
  })
}

function notPlanned(reader: Database, like: string, limit: number): FoundFile[] {
  const surveys = reader
    .prepare<[], { number: number; document: string }>(
      `SELECT number, document FROM surveys
       WHERE state = 'done' AND id NOT IN (SELECT survey_id FROM plans) ORDER BY created_wall_ms DESC`,
    )
    .all()
  const found: FoundFile[] = []
  const search = reader.prepare<
    [number, number, string, number],
    { root: number; path: Uint8Array; bytes: number }
  >(
    `SELECT root, path, bytes FROM survey_entries
     WHERE key >= ? * 4294967296 AND key < (? + 1) * 4294967296 AND kind <> 1 AND CAST(path AS TEXT) LIKE ? ESCAPE '\\'
     ORDER BY root, path LIMIT ?`,
  )
  for (const survey of surveys) {
    if (found.length >= limit) break
    const { id, roots } = surveyDocumentSchema.parse(JSON.parse(survey.document))
    for (const row of search.all(survey.number, survey.number, like, limit - found.length)) {
      const below = pathFromBytes(row.path)
      const root = roots[row.root] ?? ''
      found.push({
        path: below === '' ? root : `${root}/${below}`,
        bytes: row.bytes,
        volume: null,
        surveyId: id,
      })
    }
  }
  return found
}

function likePattern(pattern: string): string {
  const escaped = pattern.replaceAll(/[\\%_]/g, (character) => `\\${character}`)
  return /[*?]/.test(pattern) ? escaped.replaceAll('*', '%').replaceAll('?', '_') : `%${escaped}%`
}
