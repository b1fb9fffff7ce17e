import { open, readdir, readFile } from 'node:fs/promises'
import { z } from 'zod'
import {
  type PlanDocument,
  type PlanEntry,
  planDocumentSchema,
  planEntrySchema,
} from '../../contract/dto/plan'
import { AppError } from '../../primitives/appError'
import { pathForDisplay, pathFromBytes } from '../../primitives/pathText'
import { fileFailure, fsPath, joinPath } from '../files/fileSystem'
import { lineSplitter } from '../files/lineSplitter'
import { volumePlaces } from './export/volumeNames'

/** An exported plan, read back from its folder. */
export interface PlanFolder {
  readonly directory: string
  readonly plan: PlanDocument
}

/**
 * Reads and checks `plan.json`.
 * @throws AppError `not-found`, `bad-input`, …
 */
export async function openPlanFolder(directory: string): Promise<PlanFolder> {
  const path = joinPath(directory, 'plan.json')
  let text: string
  try {
    text = await readFile(fsPath(path), 'utf8')
  } catch (thrown) {
    throw fileFailure(thrown, 'read', path)
  }
  const parsed = planDocumentSchema.safeParse(parseJson(text, path))
  if (!parsed.success) throw notValid(path, parsed.error)
  return { directory, plan: parsed.data }
}

/**
 * The entries of a volume from its entry list, each line checked.
 * @throws AppError `not-found`, `bad-input`, …
 */
export async function readEntries(folder: PlanFolder, volumeIndex: number): Promise<PlanEntry[]> {
  const path = joinPath(folder.directory, placesOf(folder, volumeIndex).entries)
  const entries: PlanEntry[] = []
  let number = 0
  const lines = lineSplitter((line) => {
    number += 1
    const at = `${path} line ${number}`
    const parsed = planEntrySchema.safeParse(parseJson(line, at))
    if (!parsed.success) throw notValid(at, parsed.error)
    if (!isInside(parsed.data.path)) {
      throw new AppError('bad-input', `cannot use ${pathForDisplay(at)}: a path leads out of the volume`)
    }
    entries.push(parsed.data)
  })
  try {
    const file = await open(fsPath(path))
    for await (const chunk of file.createReadStream() as AsyncIterable<Buffer>) lines.push(chunk)
    lines.end()
  } catch (thrown) {
    throw fileFailure(thrown, 'read', path)
  }
  const contradiction = contradictionIn(entries)
  if (contradiction !== null) {
    throw new AppError('bad-input', `cannot use ${pathForDisplay(path)}: ${contradiction}`, { path })
  }
  return entries
}

/** What no volume can hold: one name twice, or something below a file or a link, which could lead anywhere. */
function contradictionIn(entries: readonly PlanEntry[]): string | null {
  const kinds = new Map<string, PlanEntry['kind']>()
  for (const { path, kind } of entries) {
    if (kinds.has(path)) return `${pathForDisplay(path)} is there twice`
    kinds.set(path, kind)
  }
  for (const { path } of entries) {
    for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
      const above = kinds.get(path.slice(0, slash)) ?? 'folder'
      if (above !== 'folder') return `${pathForDisplay(path)} lies below something that is no folder`
    }
  }
  return null
}

/** The name of Stowage's own folder on the volume: the only thing in the volume's `payload`. */
export async function payloadNameOf(folder: PlanFolder, volumeIndex: number): Promise<string> {
  const path = joinPath(folder.directory, placesOf(folder, volumeIndex).payload)
  let names: Buffer[]
  try {
    names = await readdir(fsPath(path), { encoding: 'buffer' })
  } catch (thrown) {
    throw fileFailure(thrown, 'read', path)
  }
  const [name] = names
  if (name === undefined || names.length > 1) {
    throw new AppError('bad-input', `cannot use ${pathForDisplay(path)}: it must hold one folder`, { path })
  }
  return pathFromBytes(name)
}

export function placesOf(folder: PlanFolder, volumeIndex: number): ReturnType<typeof volumePlaces> {
  return volumePlaces(volumeIndex, folder.plan.volumes.length)
}

/**
 * The volumes that a run asks for; all when it names none.
 * @throws AppError `usage` naming a volume that the plan does not have
 */
export function chosenVolumes(plan: PlanDocument, wanted: readonly number[]): PlanDocument['volumes'] {
  for (const index of wanted) {
    if (!plan.volumes.some((volume) => volume.index === index)) {
      throw new AppError('usage', `no volume ${index} in plan ${plan.id}: it has ${plan.volumes.length}`)
    }
  }
  return wanted.length === 0 ? plan.volumes : plan.volumes.filter(({ index }) => wanted.includes(index))
}

/** Whether a path of an entry list stays below the volume's root: lists may come from anywhere. */
function isInside(path: string): boolean {
  return path.split('/').every((name) => name !== '' && name !== '.' && name !== '..' && !name.includes('\0'))
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (thrown) {
    throw new AppError('bad-input', `cannot read ${pathForDisplay(path)}: it is not JSON`, {
      path,
      cause: thrown,
    })
  }
}

function notValid(path: string, error: z.ZodError): AppError {
  const issue = error.issues[0]
  const where = issue === undefined ? '' : ` at ${issue.path.join('.') || 'the top'}: ${issue.message}`
  return new AppError('bad-input', `cannot use ${pathForDisplay(path)}: not what Stowage exports${where}`, {
    path,
    cause: error,
  })
}
