/**
 * The room `export` writes the folder of a plan: lists, checksums, scripts, texts, the report.
 * How: the files of a volume are rows of one table (`volume/lists/volumeFiles`) with one text each
 * (`volumeTexts`); everything is written next to its place and renamed into it.
 * Not here: deciding what lies where (`plan`), making images (`mastering`).
 */

import { realpathSync } from 'node:fs'
import { mkdir, rmdir } from 'node:fs/promises'
import { z } from 'zod'
import type { SetAside } from '../../../contract/dto/job'
import { type PlanDocument, planDocumentSchema } from '../../../contract/dto/plan'
import { AppError } from '../../../primitives/appError'
import type { Language } from '../../../primitives/languages'
import { ownPath } from '../../../primitives/ownPath'
import { pathForDisplay, pathFromBytes } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import {
  attempt,
  attemptAtOnce,
  cannot,
  fileFailure,
  fsPath,
  joinPath,
  lstatAt,
  namesIn,
} from '../../files/fileSystem'
import { type OnKept, replacePlace, takeFreePlace } from '../../files/place'
import { planIdIn } from '../../files/read'
import { type PlaceNotes, partialPath, withTempPath } from '../../files/scratch'
import { ensureFolder, folderOf, writeNewFile } from '../../files/write'
import { newId } from '../../jobs/newId'
import { throwIfAborted } from '../../jobs/throwIfAborted'
import { flushTree } from '../../tools/flushTree'
import type { History } from '../volume/lists/historyLines'
import { withBuildLease } from '../volume/planned/buildLease'
import type { SizedVolume } from '../volume/planned/plannedVolume'
import { burnedImages } from './burnedImages'
import { burnGrowisofsScript, burnXorrisoScript } from './burnScripts'
import { type MacPlan, macPlan, macRestoreText, macScript, macSources } from './macScript'
import { planReadme } from './readmeText'
import { reportHtml } from './reportHtml'
import { asidePath, besideFailure, sizeBelow } from './setAside'
import { burnWindowsScript } from './windowsBurnScript'
import { type OnWritten, writeHashed, writePlannedLists, writeVolumes } from './writeVolumes'

interface ExportRequest {
  readonly plan: PlanDocument
  /** Absent for a plan that does not add to earlier ones. */
  readonly history: History | undefined
  /** The language of the report and the readme of the folder. */
  readonly language: Language
  /** All of the plan's. */
  readonly volumes: readonly SizedVolume[]
  /** Absolute. */
  readonly directory: string
  /**
   * Replace the plan that is there, whose folder is kept under another name with all that is in it.
   */
  readonly force: boolean
  /** Now, for that name. */
  readonly wallMs: number
  readonly signal?: AbortSignal
  readonly onWritten: OnWritten
  readonly onKept: OnKept
}

/**
 * Writes a plan as a folder that is complete in itself. It is written next to its place and renamed
 * into it when it is whole and on the device; on any failure nothing is left behind, and what was
 * there stays.
 * @returns the folder of the plan that was replaced; null where none was there
 * @throws AppError `exists` when the folder is not empty and `force` is not set, `refused` when
 *   what is there is no plan or is being built, `no-space`, `cancelled`, …
 */
export async function exportPlan(notes: PlaceNotes, request: ExportRequest): Promise<SetAside | null> {
  const { force, signal } = request
  const directory = placeOf(request.directory)
  const replaces = checkTarget(directory, force)
  return attempt('export the plan to', directory, async () => {
    ensureFolder(folderOf(directory))
    return withTempPath(notes, partialPath(directory), async (partial) => {
      try {
        await mkdir(fsPath(partial))
        await writePlan(request, partial)
        await flushTree(partial, signal)
      } catch (thrown) {
        throw replaces ? await besideFailure(thrown, directory, partial) : thrown
      }
      throwIfAborted(signal)
      return moveIntoPlace(notes, partial, directory, request)
    })
  })
}

/**
 * Checks that a plan can be exported to a folder: a folder is made for a trial, and nothing stays
 * behind.
 * @throws AppError as `exportPlan` would for that folder
 */
export async function checkExportPlace(notes: PlaceNotes, directory: string, force: boolean): Promise<void> {
  let missing = placeOf(directory)
  checkTarget(missing, force)
  try {
    if (lstatAt(missing) !== null) return
    while (lstatAt(folderOf(missing)) === null) missing = folderOf(missing)
    await withTempPath(notes, joinPath(folderOf(missing), newId('.stowage-place')), (trial) =>
      mkdir(fsPath(trial)),
    )
  } catch (thrown) {
    throw fileFailure(thrown, 'make the folder', missing)
  }
}

async function writePlan(
  { plan, history, language, volumes, signal, onWritten }: ExportRequest,
  to: string,
): Promise<void> {
  const mac = macPlan(plan)
  // In a disk image the files lie as they are.
  const { packing, ...plain } = plan
  const written =
    packing && !mac
      ? await writePlannedLists(to, volumes, { history, version: plan.indexVersion }, signal, onWritten)
      : await writeVolumes(to, { ...plain, history }, volumes, signal, undefined, onWritten)
  const texts: [string, string, number?][] = [
    ['plan.schema.json', `${JSON.stringify(z.toJSONSchema(planDocumentSchema), null, 2)}\n`],
    ['report.html', reportHtml(plan, language)],
    ['README.txt', planReadme(plan, language)],
  ]
  if (plan.medium.kind === 'image' && !plan.packing) {
    const images = burnedImages(volumes, plan.parity)
    texts.push(['burn-xorriso.sh', burnXorrisoScript(images), 0o755])
    texts.push(['burn-growisofs.sh', burnGrowisofsScript(plan.medium, images), 0o755])
    texts.push(['burn-windows.cmd', burnWindowsScript(images)])
  }
  const [only] = volumes
  if (mac && only) texts.push(...macTexts(mac, plan.roots, only))
  const lists = [written.index, ...written.volumes.flatMap((volume) => volume.lists)]
  for (const [path, text, mode] of texts) {
    throwIfAborted(signal)
    lists.push({ path, ...(await writeHashed(joinPath(to, path), [text], mode)) })
  }
  const bound: PlanDocument = { ...plan, lists }
  throwIfAborted(signal)
  await writeNewFile(joinPath(to, 'plan.json'), [`${JSON.stringify(bound, null, 2)}\n`], { flush: false })
}

/** The script that makes a disk image on a Mac, what it copies, and how to open the image. */
function macTexts(
  mac: MacPlan,
  roots: readonly string[],
  volume: SizedVolume,
): [path: string, text: string, mode?: number][] {
  const { entries, places, label, payloadName } = volume
  const sources = macSources(roots, entries)
  const lists = sources.map(({ paths }, at) =>
    paths === null ? null : `${places.directory}/source-${at + 1}.list`,
  )
  return [
    ...sources.flatMap(({ paths }, at): [string, string][] =>
      paths === null ? [] : [[lists[at] as string, paths.map((path) => `${path}\0`).join('')]],
    ),
    ['build-on-mac.sh', macScript(mac, volume, sources, lists), 0o755],
    ['RESTORE.txt', macRestoreText(mac, label, payloadName)],
  ]
}

/** A link to a folder stays, and the folder that it leads to is replaced. */
function placeOf(directory: string): string {
  return attemptAtOnce('export the plan to', directory, () => {
    if (!lstatAt(directory)?.isSymbolicLink()) return directory
    return ownPath(pathFromBytes(realpathSync.native(fsPath(directory), { encoding: 'buffer' })))
  })
}

/**
 * Refuses a target that holds anything, and even by force one that holds something other than a
 * plan.
 * @returns whether a plan is there
 * @throws AppError `exists`, `refused`, `not-a-folder`, `permission-denied`, …
 */
function checkTarget(directory: string, force: boolean): boolean {
  const names = namesAt(directory)
  if (names.length === 0) return false
  if (!force) {
    const hint = names.includes('plan.json') ? said` (--force replaces the plan in it)` : ''
    const message = said`cannot export to ${pathForDisplay(directory)}: the folder is not empty${hint}`
    throw new AppError('exists', message, { path: directory })
  }
  if (planIdIn(directory) === null) {
    throw cannot('refused', 'replace', directory, said`it contains files, but no plan exported by Stowage`)
  }
  return true
}

function namesAt(directory: string): string[] {
  return attemptAtOnce('export the plan to', directory, () => namesIn(directory))
}

/** The old plan's folder is counted and renamed, then the new one takes its place. */
async function moveIntoPlace(
  notes: PlaceNotes,
  partial: string,
  directory: string,
  { force, wallMs, signal, onKept }: ExportRequest,
): Promise<SetAside | null> {
  // Once more: somebody may have put something there while the new one was written.
  if (!checkTarget(directory, force)) {
    if (lstatAt(directory) !== null) await rmdir(fsPath(directory))
    await takeFreePlace(partial, directory)
    return null
  }
  return withBuildLease(directory, { doing: 'replace' }, async () => {
    const size = await sizeBelow(directory, signal)
    const path = asidePath(directory, wallMs)
    const isKept = await replacePlace(notes, partial, directory, { path, onKept })
    return isKept ? { path, ...size } : null
  })
}
