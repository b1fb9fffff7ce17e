import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises'
import { z } from 'zod'
import { type PlanDocument, planDocumentSchema } from '../../contract/dto/plan'
import { AppError } from '../../primitives/appError'
import { pathForDisplay, pathFromBytes } from '../../primitives/pathText'
import { throwIfAborted } from '../tools/runTool'
import { buildScript } from './buildScript'
import { burnGrowisofsScript, burnXorrisoScript } from './burnScripts'
import { fileFailure, fsPath, joinPath, writeNewFile } from './fileSystem'
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
 * whole; on any failure nothing is left behind.
 * @throws AppError `exists` when the folder is not empty and `force` is not set, `refused` when what is there is no plan,
 * `no-space`, `cancelled`, …
 */
export async function exportPlan(request: ExportRequest): Promise<void> {
  const { directory, force, signal } = request
  await checkTarget(directory, force)
  const tag = randomBytes(4).toString('hex')
  const partial = `${directory}.partial-${tag}`
  try {
    await mkdir(fsPath(parentOf(directory)), { recursive: true })
    await mkdir(fsPath(partial))
    await writePlan(request, partial)
    throwIfAborted(signal)
    await moveIntoPlace(partial, directory, tag, request.plan.id)
  } catch (thrown) {
    await rm(fsPath(partial), { recursive: true, force: true })
    throw fileFailure(thrown, 'export the plan to', directory)
  }
}

async function writePlan({ plan, payloadName, entriesOf, signal }: ExportRequest, to: string): Promise<void> {
  await writeVolumes(to, plan, payloadName, entriesOf, signal)
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
  files.push(['plan.json', `${JSON.stringify(plan, null, 2)}\n`])
  for (const [name, text, mode] of files) {
    throwIfAborted(signal)
    await writeNewFile(joinPath(to, name), [text], mode)
  }
}

function parentOf(path: string): string {
  const slash = path.lastIndexOf('/')
  return slash <= 0 ? '/' : path.slice(0, slash)
}

/** Refuses a target that holds anything, and even by force one that holds something other than a plan. */
async function checkTarget(directory: string, force: boolean): Promise<void> {
  const names = await namesIn(directory)
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

async function namesIn(directory: string): Promise<string[]> {
  try {
    const names = await readdir(fsPath(directory), { encoding: 'buffer' })
    return names.map(pathFromBytes)
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw fileFailure(thrown, 'export the plan to', directory)
  }
}

/**
 * The old plan is set aside first and removed only when the new one stands in its place and has taken over what is not
 * part of an export. When that fails, the old folder stays beside the new one.
 */
async function moveIntoPlace(partial: string, directory: string, tag: string, planId: string): Promise<void> {
  const names = await namesIn(directory)
  if (names.length === 0) {
    await rmdir(fsPath(directory)).catch(() => undefined)
    await rename(fsPath(partial), fsPath(directory))
    return
  }
  const samePlan = (await planIdIn(directory)) === planId
  const written = await namesIn(partial)
  const keep = names.filter((name) => !written.includes(name) && (samePlan || !MADE_FROM_PLAN.has(name)))
  const aside = `${directory}.replaced-${tag}`
  await rename(fsPath(directory), fsPath(aside))
  try {
    await rename(fsPath(partial), fsPath(directory))
  } catch (thrown) {
    await rename(fsPath(aside), fsPath(directory))
    throw thrown
  }
  for (const name of keep) await rename(fsPath(joinPath(aside, name)), fsPath(joinPath(directory, name)))
  await rm(fsPath(aside), { recursive: true, force: true })
}

/** The id of the plan that lies in a folder, or null when it cannot be told. */
async function planIdIn(directory: string): Promise<string | null> {
  try {
    const text = await readFile(fsPath(joinPath(directory, 'plan.json')), 'utf8')
    return planDocumentSchema.pick({ id: true }).parse(JSON.parse(text)).id
  } catch {
    return null
  }
}
