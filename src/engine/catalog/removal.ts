import type { Database } from 'better-sqlite3'
import { AppError } from '../../primitives/appError'
import { said } from '../../primitives/said'
import { mayBeAlive } from '../files/processIdentity'
import { REMOVABLE, type Removed } from './removable'
import { removePlan } from './stores/planWriting'
import { removeSurvey } from './stores/surveyWriter'

/**
 * Removes surveys, plans, measurements, band sweeps, option builds, runs and checks by their ids:
 * all of them or, when one cannot be removed, none. The runs of a plan stay, for `compare`.
 * @throws AppError `refused` for an id that is not in the catalog, a survey that a plan which
 *   stays was made from, and any survey while one is being made
 */
export function removal(writer: Database): (ids: readonly string[]) => Removed[] {
  const remove = writer.transaction((ids: ReadonlySet<string>): Removed[] => {
    const found = [...ids].map((id) => rowOf(writer, id))
    for (const { kind, id } of found) if (kind === 'survey') requireUnused(writer, id, ids)
    return found.map(({ kind, table, id }) => {
      const numberOf = (): number =>
        writer.prepare<[string], number>(`SELECT number FROM ${table} WHERE id = ?`).pluck().get(id) ?? 0
      if (kind === 'plan') removePlan(writer, numberOf())
      else if (kind === 'survey') removeSurvey(writer, numberOf())
      else writer.prepare(`DELETE FROM ${table} WHERE id = ?`).run(id)
      return { kind, id }
    })
  })
  // Nobody else may write between the checks and the removal.
  return (ids) => remove.immediate(new Set(ids))
}

function rowOf(writer: Database, id: string): Removed & { readonly table: string } {
  for (const { kind, table, listed } of REMOVABLE) {
    if (writer.prepare(`SELECT 1 FROM ${table} WHERE id = ? AND ${listed}`).get(id))
      return { kind, id, table }
  }
  throw new AppError('refused', said`cannot remove ${id}: nothing in the catalog has this ID`)
}

/** @param ids what is removed with it */
function requireUnused(writer: Database, surveyId: string, ids: ReadonlySet<string>): void {
  const plan = writer
    .prepare<[string], string>('SELECT id FROM plans WHERE survey_id = ? ORDER BY number')
    .pluck()
    .all(surveyId)
    .find((planId) => !ids.has(planId))
  if (plan !== undefined) {
    throw new AppError('refused', said`cannot remove survey ${surveyId}: plan ${plan} was made from it`)
  }
  const owners = writer.prepare<[], string>("SELECT owner FROM surveys WHERE state = 'open'").pluck().all()
  if (owners.some(mayBeAlive)) {
    throw new AppError(
      'refused',
      said`cannot remove survey ${surveyId}: a survey that is running may build on it`,
    )
  }
}
