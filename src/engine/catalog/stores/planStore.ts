import type { Database } from 'better-sqlite3'
import type { PlanDocument } from '../../../contract/dto/plan'
import { AppError } from '../../../primitives/appError'
import { said } from '../../../primitives/said'
import type { Catalog } from '../catalog'
import { entryRange } from '../entryKey'
import { entriesOfVolume, folderOfVolume } from './planEntryRows'
import { historyLines } from './planHistory'
import { planLists } from './planLists'
import { searchPlan } from './planSearch'
import type { PlanVolumes } from './planVolumes'
import { planWriting } from './planWriting'
import type { StoredDocuments } from './storedDocuments'

type OnePlan = Pick<Catalog, 'plan' | 'planEntries' | 'planHistory' | 'volumeFolder' | 'searchPlan'>

/** The catalog's tables of plans and their volumes. */
export function planStore(
  writer: Database,
  reader: Database,
  stored: StoredDocuments<PlanDocument>,
  volumesOf: PlanVolumes,
  happened: Pick<Catalog, 'runs' | 'events'>,
): OnePlan & ReturnType<typeof planLists> & ReturnType<typeof planWriting> {
  const planRow = (planId: string): { number: number; document: string } => {
    const row = reader
      .prepare<[string], { number: number; document: string }>(
        'SELECT number, document FROM plans WHERE id = ?',
      )
      .get(planId)
    if (!row) throw new AppError('not-found', said`no plan ${planId} in the catalog`)
    return row
  }
  return {
    plan: (planId) => stored.read(planId, planRow(planId).document),
    *planEntries(planId, volumeIndex) {
      yield* entriesOfVolume(reader, planRow(planId).number, volumeIndex)
    },
    planHistory: (planId) => historyLines(reader, planRow(planId).number),
    volumeFolder: (request) => folderOfVolume(reader, planRow(request.planId).number, request),
    searchPlan: ({ planId, pattern, limit }) =>
      searchPlan(reader, entryRange(planRow(planId).number), pattern, limit),
    ...planLists(reader, stored, volumesOf, happened),
    ...planWriting(writer),
  }
}
