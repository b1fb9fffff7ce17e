import { readFile } from 'node:fs/promises'
import type { PlanDocument } from '../../../contract/dto/plan'
import { fsPath, joinPath } from '../../files/fileSystem'
import { openFrozenPlan } from './frozenPlan'
import { grownIndex } from './grownIndex'
import type { Generation } from './historyLines'
import { INDEX_PLACE, openPlanFolder, PACKED_INDEX_PLACE, setIdOf } from './planFolder'
import { indexId, readSetIndex, type SetIndex } from './setIndex'

/**
 * The index in the folder of a plan, which its volumes carry: for a set whose volumes are on discs
 * alone. Null where it is not as the plan says, and for an encrypted set, whose index is only on
 * its volumes.
 * @param asOf as `openSet` has it
 * @throws AppError `bad-input` for lines that are damaged
 */
export async function planIndex(
  directory: string,
  asOf?: string,
): Promise<{
  readonly index: SetIndex
  readonly generations?: readonly Generation[]
  readonly plan: PlanDocument
} | null> {
  const opened = await openPlanFolder(directory).catch(() => null)
  if (opened === null || (opened.plan.packing && opened.plan.packing.encryption !== 'none')) return null
  const frozen = opened.plan.packing ? await openFrozenPlan(opened) : null
  const place = joinPath(directory, opened.plan.packing ? PACKED_INDEX_PLACE : INDEX_PLACE)
  const text = await readFile(fsPath(place)).catch(() => null)
  const setId = setIdOf(frozen?.plan ?? opened.plan)
  if (text === null || setId !== indexId(text)) return null
  const grown = grownIndex(text)
  const generations = grown ? { generations: grown.generations } : {}
  return { index: grown?.asOf(asOf) ?? readSetIndex(text, place), ...generations, plan: opened.plan }
}
