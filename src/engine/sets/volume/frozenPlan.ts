import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { type PlanEntry, planDocumentSchema, planEntrySchema } from '../../../contract/dto/plan'
import { said } from '../../../primitives/said'
import { attempt, cannot, fileFailure, fsPath, joinPath } from '../../files/fileSystem'
import { type PlanFolder, parsedJson } from './planFolder'

/** Where what was packed is settled, below the folder of a plan. */
export const PACKED = 'packed'
export const MEMBERS = `${PACKED}/members.jsonl`

/**
 * The plan of the packed files of a plan: the places of its archives, as an ordinary plan with
 * lists of its own. Null until they are packed.
 * @throws AppError `bad-input`, `io`
 */
export async function openFrozenPlan({
  directory,
}: Pick<PlanFolder, 'directory'>): Promise<PlanFolder | null> {
  const path = joinPath(directory, PACKED, 'plan.json')
  const text = await readFile(fsPath(path), 'utf8').catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code === 'ENOENT') return null
    throw fileFailure(thrown, 'read', path)
  })
  if (text === null) return null
  return { directory, plan: parsedJson(planDocumentSchema, text, path), lists: 'packed/volumes' }
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
