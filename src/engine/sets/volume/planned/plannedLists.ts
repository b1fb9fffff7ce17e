import { lstat, open, readdir } from 'node:fs/promises'
import {
  type PlanEntry,
  type PlanList,
  type PlanVolume,
  planEntrySchema,
} from '../../../../contract/dto/plan'
import { isInside } from '../../../../domain/sets/naming/volumePaths'
import { AppError } from '../../../../primitives/appError'
import { pathForDisplay, pathFromBytes } from '../../../../primitives/pathText'
import { said } from '../../../../primitives/said'
import { attempt, cannot, fileFailure, fsPath, joinPath } from '../../../files/fileSystem'
import { lineSplitter, sha256Of } from '../../../files/read'
import { type PlanFolder, parsedJson } from './planFolder'
import { type SizedVolume, type VolumePlaces, volumePlaces } from './plannedVolume'

/**
 * Reads a volume from the lists in the folder of its plan and compares those with the digests that
 * the plan was exported with: a list that lost lines would let a volume that lacks files look
 * complete. Plans of older versions have no digests.
 * @throws AppError `verification-failed` naming the first list that is not as it was exported,
 *   `bad-input`, `not-found`, `cancelled`, `io`
 */
export async function readPlannedVolume(
  { directory, plan, lists: place }: PlanFolder,
  volume: PlanVolume,
  signal: AbortSignal,
): Promise<SizedVolume> {
  const places = volumePlaces(volume.index, plan.volumes.length, place)
  const entries = await readEntries(joinPath(directory, places.entries))
  const lists = plan.lists && (await checkedLists(directory, plan.lists, places, signal))
  const payloadName = await onlyNameIn(joinPath(directory, places.payload))
  if (lists) await checkPayload(directory, joinPath(places.payload, payloadName), lists)
  return { ...volume, entries, places, payloadName }
}

/** The entries of a volume from its entry list, each line checked. */
export async function readEntries(path: string): Promise<PlanEntry[]> {
  const entries: PlanEntry[] = []
  let number = 0
  const lines = lineSplitter((line) => {
    number += 1
    const at = `${path} line ${number}`
    const entry = parsedJson(planEntrySchema, line, at)
    if (!isInside(entry.path)) {
      throw new AppError('bad-input', said`cannot use ${pathForDisplay(at)}: a path leads out of the volume`)
    }
    entries.push(entry)
  })
  await attempt('read', path, async () => {
    const file = await open(fsPath(path))
    for await (const chunk of file.createReadStream() as AsyncIterable<Buffer>) lines.push(chunk)
    lines.end()
  })
  const contradiction = contradictionIn(entries)
  if (contradiction !== null) {
    throw cannot('bad-input', 'use', path, contradiction)
  }
  return entries
}

/**
 * The reason why no volume can hold the entries: one name twice, or something below a file or a
 * link, which could lead anywhere. Null if there is none.
 */
function contradictionIn(entries: readonly PlanEntry[]): string | null {
  const kinds = new Map<string, PlanEntry['kind']>()
  for (const { path, kind } of entries) {
    if (kinds.has(path)) return `${pathForDisplay(path)} occurs twice`
    kinds.set(path, kind)
  }
  for (const { path } of entries) {
    for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
      const above = kinds.get(path.slice(0, slash)) ?? 'folder'
      if (above !== 'folder') return `${pathForDisplay(path)} is inside something that is not a folder`
    }
  }
  return null
}

/**
 * Compares the lists of one volume with their digests.
 * @returns the paths of those that were compared
 */
export async function checkedLists(
  directory: string,
  lists: readonly PlanList[],
  places: VolumePlaces,
  signal: AbortSignal,
): Promise<Set<string>> {
  const own = lists.filter(({ path }) => path.startsWith(`${places.directory}/`))
  for (const { path, bytes, sha256 } of own) {
    const file = joinPath(directory, path)
    const found = await lstat(fsPath(file)).catch((thrown: unknown) => {
      if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') throw notAsExported(file, 'it is missing')
      throw fileFailure(thrown, 'read', file)
    })
    const hasLength = found.isFile() && found.size === bytes
    if (!hasLength || (await sha256Of({ file, offset: 0, bytes }, signal)) !== sha256) {
      throw notAsExported(file, 'it differs from the exported plan')
    }
  }
  return new Set(own.map(({ path }) => path))
}

async function checkPayload(directory: string, place: string, known: ReadonlySet<string>): Promise<void> {
  for (const name of await readdir(fsPath(joinPath(directory, place)), 'utf8')) {
    const path = joinPath(place, name)
    if (!known.has(path))
      throw notAsExported(joinPath(directory, path), 'it is not part of the exported plan')
  }
}

/** The name of the only thing in a folder. */
async function onlyNameIn(path: string): Promise<string> {
  const names = await attempt('read', path, readdir(fsPath(path), { encoding: 'buffer' }))
  const [name] = names
  if (name === undefined || names.length > 1) {
    throw cannot('bad-input', 'use', path, said`it must hold one folder`)
  }
  return pathFromBytes(name)
}

function notAsExported(path: string, because: string): AppError {
  return cannot('verification-failed', 'use', path, because)
}
