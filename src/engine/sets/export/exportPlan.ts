import { readdirSync, readFileSync, renameSync } from 'node:fs'
import { mkdir, rmdir } from 'node:fs/promises'
import { z } from 'zod'
import { type PlanDocument, planDocumentSchema } from '../../../contract/dto/plan'
import { AppError } from '../../../primitives/appError'
import { pathForDisplay, pathFromBytes } from '../../../primitives/pathText'
import { ensureFolder } from '../../files/ensureFolder'
import { fileFailure, fsPath, joinPath } from '../../files/fileSystem'
import { flushTree, folderOf } from '../../files/flush'
import { writeNewFile } from '../../files/newFile'
import { replacePlace } from '../../files/replacePlace'
import { besidePath, lendingPath, type PlaceNotes } from '../../files/scratch'
import { throwIfAborted } from '../../tools/runTool'
import { withBuildLease } from '../build/buildLease'
import { buildScript } from './buildScript'
import { burnGrowisofsScript, burnXorrisoScript } from './burnScripts'
import { planReadme } from './readmeText'
import { reportHtml } from './reportHtml'
import { type EntriesOf, writeVolumes } from './writeVolumes'

export interface ExportRequest {
  readonly plan: PlanDocument
  readonly payloadName: string
  readonly entriesOf: EntriesOf
  /** Absolute. */
  readonly directory: string
  /** Replace the plan that is there. Images and runs made from the same plan and foreign files are kept. */
  readonly force: boolean
  readonly signal?: AbortSignal
}

/** What `build` and `verify` put into the folder of a plan: it stays with the same plan and goes with another. */
const MADE_FROM_PLAN: ReadonlySet<string> = new Set(['images', 'folders', 'runs'])

/**
 * Writes a plan as a folder that is complete in itself. It is written beside its place and renamed into it when it is
 * whole and on the device; on any failure nothing is left behind, and what was there stays.
 * @throws AppError `exists` when the folder is not empty and `force` is not set, `refused` when what is there is no plan
 * or is being built, `no-space`, `cancelled`, …
 */
export async function exportPlan(notes: PlaceNotes, request: ExportRequest): Promise<void> {
  const { directory, force, signal } = request
  checkTarget(directory, force)
  try {
    ensureFolder(folderOf(directory))
    await lendingPath(notes, besidePath(directory), async (partial) => {
      await mkdir(fsPath(partial))
      await writePlan(request, partial)
      await flushTree(partial, signal)
      throwIfAborted(signal)
      await moveIntoPlace(notes, partial, request)
    })
  } catch (thrown) {
    throw fileFailure(thrown, 'export the plan to', directory)
  }
}

/**
 * Whether a plan can be exported there: nothing stays behind.
 * @throws AppError as `exportPlan` would for that folder
 */
export async function checkExportPlace(directory: string, force: boolean): Promise<void> {
  checkTarget(directory, force)
  for (const folder of ensureFolder(directory).toReversed()) await rmdir(fsPath(folder))
}

async function writePlan({ plan, payloadName, entriesOf, signal }: ExportRequest, to: string): Promise<void> {
  const { index, volumes } = await writeVolumes(to, plan, payloadName, entriesOf, signal)
  const bound: PlanDocument = { ...plan, lists: [index, ...volumes.flatMap(({ lists }) => lists)] }
  const files: [string, string, number?][] = [
    ['plan.schema.json', `${JSON.stringify(z.toJSONSchema(planDocumentSchema), null, 2)}\n`],
    ['report.html', reportHtml(plan)],
    ['README.txt', planReadme(plan)],
  ]
  if (plan.medium.kind === 'image') {
    files.push(['build.sh', buildScript(plan), 0o755])
    files.push(['burn-xorriso.sh', burnXorrisoScript(plan), 0o755])
    files.push(['burn-growisofs.sh', burnGrowisofsScript(plan), 0o755])
  }
  files.push(['plan.json', `${JSON.stringify(bound, null, 2)}\n`])
  for (const [name, text, mode] of files) {
    throwIfAborted(signal)
    await writeNewFile(joinPath(to, name), [text], { flush: false, ...(mode === undefined ? {} : { mode }) })
  }
}

/**
 * Refuses a target that holds anything, and even by force one that holds something other than a plan.
 * @throws AppError `exists`, `refused`, `not-a-folder`, `permission-denied`, …
 */
function checkTarget(directory: string, force: boolean): void {
  const names = namesIn(directory)
  if (names.length === 0) return
  if (!force) {
    const shown = pathForDisplay(directory)
    throw new AppError('exists', `cannot export to ${shown}: the folder is not empty`, { path: directory })
  }
  if (!names.includes('plan.json')) {
    throw new AppError(
      'refused',
      `cannot replace ${pathForDisplay(directory)}: it holds files, but no plan that Stowage exported`,
      { path: directory },
    )
  }
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(fsPath(directory), { encoding: 'buffer' }).map(pathFromBytes)
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw fileFailure(thrown, 'export the plan to', directory)
  }
}

/** The old plan is set aside first and removed only when the new one is in its place and has taken over what is not part of an export. */
async function moveIntoPlace(
  notes: PlaceNotes,
  partial: string,
  { directory, force }: ExportRequest,
): Promise<void> {
  // Once more: somebody may have put something there while the new one was written.
  checkTarget(directory, force)
  const replace = (): Promise<void> => replacePlace(notes, partial, directory, carryOverPlan)
  if (namesIn(directory).length > 0) return withBuildLease(directory, 'replace', replace)
  await rmdir(fsPath(directory)).catch(() => undefined)
  return replace()
}

/**
 * Moves from a plan's folder that is replaced what is not part of an export: files of others, and what was made from the plan if
 * the new folder holds the same one. May be called again when it was interrupted.
 * @throws the system's errors
 */
export function carryOverPlan(aside: string, directory: string): void {
  const isSamePlan = planIdIn(aside) === planIdIn(directory)
  const there = new Set(namesIn(directory))
  for (const name of namesIn(aside)) {
    if (there.has(name) || (MADE_FROM_PLAN.has(name) && !isSamePlan)) continue
    renameSync(fsPath(joinPath(aside, name)), fsPath(joinPath(directory, name)))
  }
}

/** The id of the plan that lies in a folder, or null when it cannot be told. */
function planIdIn(directory: string): string | null {
  try {
    const text = readFileSync(fsPath(joinPath(directory, 'plan.json')), 'utf8')
    return planDocumentSchema.pick({ id: true }).parse(JSON.parse(text)).id
  } catch {
    return null
  }
}
