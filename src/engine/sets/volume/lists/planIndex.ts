import { readFile } from 'node:fs/promises'
import type { PlanDocument } from '../../../../contract/dto/plan'
import { generationAsOf } from '../../../../domain/sets/growing/asOf'
import { fsPath, joinPath } from '../../../files/fileSystem'
import { currentPlan } from '../planned/currentPlan'
import { INDEX_PLACE, openPlanFolder, PACKED_INDEX_PLACE, setIdOf } from '../planned/planFolder'
import { grownIndex } from './grownIndex'
import type { Generation } from './historyLines'
import { indexId, readSetIndex, type SetIndex } from './setIndex'

/** The index in the folder of a plan, as text, where it is as the plan says. */
export interface PlanIndexText {
  readonly text: Buffer
  readonly place: string
  readonly plan: PlanDocument
}

/**
 * The index in the folder of a plan, which its volumes carry: for a set whose volumes are on discs
 * alone. Null where it is not as the plan says, and for an encrypted set, whose index is only on
 * its volumes.
 */
export async function planIndexText(directory: string): Promise<PlanIndexText | null> {
  const opened = await openPlanFolder(directory).catch(() => null)
  if (opened === null || (opened.plan.packing && opened.plan.packing.encryption !== 'none')) return null
  const current = await currentPlan(opened)
  const place = joinPath(directory, opened.plan.packing ? PACKED_INDEX_PLACE : INDEX_PLACE)
  const text = await readFile(fsPath(place)).catch(() => null)
  const setId = setIdOf(current.plan)
  return text === null || setId !== indexId(text) ? null : { text, place, plan: opened.plan }
}

/**
 * The same index, read.
 * @param asOf as `openSet` has it
 * @throws AppError `bad-input` for lines that are damaged, or as `generationAsOf`
 */
export async function planIndex(
  directory: string,
  asOf?: string,
): Promise<{
  readonly index: SetIndex
  readonly generations?: readonly Generation[]
  readonly plan: PlanDocument
} | null> {
  const found = await planIndexText(directory)
  if (found === null) return null
  const { text, place, plan } = found
  const grown = grownIndex(text)
  if (grown === null && asOf !== undefined)
    generationAsOf(asOf, [{ generation: 1, createdWallMs: plan.createdWallMs }])
  const generations = grown ? { generations: grown.generations } : {}
  return { index: grown?.asOf(asOf) ?? readSetIndex(text, place), ...generations, plan }
}
