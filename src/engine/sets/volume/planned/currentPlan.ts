import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { type PlanEntry, planDocumentSchema, planEntrySchema } from '../../../../contract/dto/plan'
import { said } from '../../../../primitives/said'
import { attempt, cannot, fileFailure, fsPath, joinPath } from '../../../files/fileSystem'
import { type PlanFolder, parsedJson } from './planFolder'

/** The folder of what was packed, below that of a plan. */
export const PACKED = 'packed'
export const MEMBERS = `${PACKED}/members.jsonl`

/** The plan in a folder as it is carried out now. */
export interface CurrentPlan extends PlanFolder {
  /** False while the files of a packed plan are to be packed: then its volumes are a forecast. */
  readonly isPacked: boolean
}

/**
 * The plan that holds now: once files are packed that of their archives, which is an ordinary plan
 * with lists of its own, and the exported one before, and for plain files.
 * @param exported as `openPlanFolder` gives it
 * @throws AppError `bad-input`, `io`
 */
export async function currentPlan(exported: PlanFolder): Promise<CurrentPlan> {
  if (!exported.plan.packing) return { ...exported, isPacked: true }
  const { directory } = exported
  const path = joinPath(directory, PACKED, 'plan.json')
  const text = await readFile(fsPath(path), 'utf8').catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code === 'ENOENT') return null
    throw fileFailure(thrown, 'read', path)
  })
  if (text === null) return { ...exported, isPacked: false }
  const plan = parsedJson(planDocumentSchema, text, path)
  return { directory, plan, lists: 'packed/volumes', isPacked: true }
}

/**
 * The files, folders and links of the source, as the packed set holds them.
 * @throws AppError `verification-failed` when the list is not as it was written, `bad-input`, `io`
 */
export async function packedMembers({ directory, plan }: PlanFolder): Promise<PlanEntry[]> {
  const path = joinPath(directory, MEMBERS)
  const text = await attempt('read', path, readFile(fsPath(path)))
  const listed = plan.lists?.find((list) => list.path === MEMBERS)
  if (createHash('sha256').update(text).digest('hex') !== listed?.sha256) {
    throw cannot('verification-failed', 'use', path, said`it differs from what was packed`)
  }
  return text
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => parsedJson(planEntrySchema, line, path))
}
