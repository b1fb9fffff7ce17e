import type { Database } from 'better-sqlite3'
import type { FoundFile, PlanDocument } from '../../contract/dto/plan'
import type { SurveyDocument } from '../../contract/dto/survey'
import { pathFromBytes } from '../../primitives/pathText'
import { entryRange } from './entryKey'
import { namePattern } from './namePattern'
import { heldFiles } from './stores/planHistory'
import type { PlanVolumes } from './stores/planVolumes'
import type { StoredDocuments } from './stores/storedDocuments'

/**
 * Files whose path matches, those on volumes first (newest plan first), then each that a survey
 * knows and no plan of its folder has with this size, once, at most `limit`. The path of a file on
 * a volume is the one it has there; that of a surveyed file is absolute. A split file is found by
 * the names of its parts and by its own.
 */
export function findFiles(
  reader: Database,
  {
    storedPlans,
    storedSurveys,
    volumesOf,
  }: {
    storedPlans: StoredDocuments<PlanDocument>
    storedSurveys: StoredDocuments<SurveyDocument>
    volumesOf: PlanVolumes
  },
  {
    pattern,
    limit,
    planIds,
  }: {
    readonly pattern: string
    readonly limit: number
    /** Only files on volumes of these plans. */
    readonly planIds?: readonly string[] | undefined
  },
): FoundFile[] {
  const isWanted = planIds && new Set(planIds)
  const { like, matches } = namePattern(pattern)
  const found: FoundFile[] = []
  /** Paths in the source with their sizes. */
  const named = new Set<string>()
  const plans = reader
    .prepare<[], { number: number; id: string; document: string }>(
      `SELECT number, id, document FROM plans WHERE withdrawn_by IS NULL
       ORDER BY number DESC`,
    )
    .all()
    .flatMap(({ number, id, document }) => {
      const plan = storedPlans.readable(id, document)
      return plan ? [{ ...plan, number }] : []
    })
  for (const file of onVolumes()) {
    if (isWanted && !isWanted.has(file.volume?.planId ?? '')) continue
    if (found.length >= limit) return found
    found.push(file)
  }
  if (isWanted) return found
  for (const file of notPlanned()) {
    if (found.length >= limit) return found
    found.push(file)
  }
  return found

  function* onVolumes(): Generator<FoundFile> {
    const search = reader.prepare<
      [bigint, bigint, string, string],
      { path: Uint8Array; whole: Uint8Array | null; bytes: number; volume: number }
    >(
      `SELECT path, whole_path AS whole, bytes, volume FROM plan_entries
       WHERE key BETWEEN ? AND ? AND kind <> 1
         AND (CAST(path AS TEXT) LIKE ? ESCAPE '\\' OR CAST(whole_path AS TEXT) LIKE ? ESCAPE '\\')
       ORDER BY key`,
    )
    for (const plan of plans) {
      const volumes = volumesOf(plan)
      const all = [...volumes.values()].map(({ label }) => label)
      const needs = plan.packing?.arrangement === 'joined' ? { needs: all } : {}
      for (const row of search.iterate(...entryRange(plan.number), like, like)) {
        const path = pathFromBytes(row.path)
        const whole = row.whole === null ? path : pathFromBytes(row.whole)
        if (!matches(path) && !matches(whole)) continue
        const known = volumes.get(row.volume)
        if (!known) continue
        // With several roots a path begins with a name made for its root.
        if (plan.roots.length === 1) named.add(sourceName(plan.roots[0] ?? '', whole, row.bytes))
        const { label, state, skipped } = known
        const cause = skipped.get(path)
        const leftOut = cause && { leftOut: cause }
        const volume = { planId: plan.id, index: row.volume, label, state, ...needs, ...leftOut }
        yield { path: whole, bytes: row.bytes, volume, surveyId: plan.surveyId }
      }
      if (plan.addsTo) yield* heldElsewhere(plan)
    }
  }

  /** Files of a plan that adds to others whose contents have other names there. */
  function* heldElsewhere(plan: (typeof plans)[number]): Generator<FoundFile> {
    for (const { path, bytes, holder, volume: index, isThere } of heldFiles(reader, plan.number, like)) {
      if (!matches(path)) continue
      if (plan.roots.length === 1) named.add(sourceName(plan.roots[0] ?? '', path, bytes))
      const holding = plans.find(({ id }) => id === holder)
      const known = holding && volumesOf(holding).get(index)
      // Under the same name the plan that holds it has it too.
      if (!known || isThere) continue
      const { label, state } = known
      // Only a volume of this plan, or of a later one, says that the content has this name too.
      const [first] = [...volumesOf(plan).values()]
      const needs = holder === plan.id ? {} : { needs: [label, first?.label ?? ''] }
      const volume = { planId: holder, index, label, state, ...needs }
      yield { path, bytes, volume, surveyId: plan.surveyId }
    }
  }

  function* notPlanned(): Generator<FoundFile> {
    const surveys = reader
      .prepare<[], { number: number; id: string; document: string }>(
        `SELECT number, id, document FROM surveys
         WHERE state = 'done' ORDER BY created_wall_ms DESC`,
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
    const planned = new Set(plans.map(({ surveyId }) => surveyId))
    for (const { number, id, document } of surveys) {
      if (planned.has(id)) continue
      const roots = storedSurveys.readable(id, document)?.roots
      if (!roots) continue
      for (const row of search.iterate(...entryRange(number), JSON.stringify(roots), like)) {
        const root = roots[row.root] ?? ''
        const below = pathFromBytes(row.path)
        const path = below === '' ? root : `${root}/${below}`
        const name = sourceName(root, below, row.bytes)
        if (!matches(path) || named.has(name)) continue
        named.add(name)
        yield { path, bytes: row.bytes, volume: null, surveyId: id }
      }
    }
  }
}

function sourceName(root: string, below: string, bytes: number): string {
  return `${bytes} ${root}/${below}`
}
