import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import {
  type ParityDisc,
  type PlanDocument,
  type PlanVolume,
  planDocumentSchema,
} from '../../../../contract/dto/plan'
import { AppError } from '../../../../primitives/appError'
import { pathForDisplay } from '../../../../primitives/pathText'
import { said } from '../../../../primitives/said'
import { cannot, fileFailure, fsPath, isFolder, joinPath, lstatAt } from '../../../files/fileSystem'
import { type ListsPlace, volumePlaces } from './plannedVolume'

/** An exported plan, read back from its folder. */
export interface PlanFolder {
  readonly directory: string
  readonly plan: PlanDocument
  /** Where the lists of its volumes are. */
  readonly lists: ListsPlace
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
    const failure = fileFailure(thrown, 'read', path)
    const isThere = failure.code === 'not-found' && isFolder(directory)
    const message = said`cannot open ${pathForDisplay(directory)}: it is not a plan folder (it has no plan.json)`
    throw isThere ? new AppError('not-found', message, { path: directory }) : failure
  }
  return { directory, plan: parsedJson(planDocumentSchema, text, path), lists: 'volumes' }
}

/**
 * Makes sure that Stowage itself builds and reads the volumes of a plan: a disk image with a Mac's
 * file system is made, and checked, by the plan's script.
 * @throws AppError `refused` saying what to run instead
 */
export function requireBuiltHere(doing: 'build' | 'verify' | 'write', { directory, plan }: PlanFolder): void {
  if (!plan.packing?.image) return
  const why =
    doing === 'verify'
      ? said`its disk image is checked as it is made`
      : said`only macOS writes the file system of its disk image`
  const message = said`cannot ${doing} ${pathForDisplay(directory)} here: ${why}; run "sh build-on-mac.sh" in that folder on a Mac`
  throw new AppError('refused', message, { path: directory })
}

/**
 * The volumes that a run asks for; all when it names none. Parity discs are not among them.
 * @throws AppError `usage` naming a volume that the plan does not have
 */
export function chosenVolumes(plan: PlanDocument, wanted: readonly number[]): PlanDocument['volumes'] {
  for (const index of wanted) {
    if (!volumesWithParity(plan).some((volume) => volume.index === index)) {
      const volumes = volumesWithParity(plan).length
      throw new AppError('usage', said`no volume ${index} in plan ${plan.id}: it has ${volumes}`)
    }
  }
  return wanted.length === 0 ? plan.volumes : plan.volumes.filter(({ index }) => wanted.includes(index))
}

/** The parity discs that a run asks for; all when it names no volume. */
export function chosenParity({ parity = [] }: PlanDocument, wanted: readonly number[]): ParityDisc[] {
  return wanted.length === 0 ? parity : parity.filter(({ index }) => wanted.includes(index))
}

/** All images of a plan by their numbers. */
export function volumesWithParity({
  volumes,
  parity = [],
}: PlanDocument): readonly Pick<ParityDisc, 'index' | 'label' | 'sectors'>[] {
  return [...volumes, ...parity]
}

/** Where the index of a plan of plain files is, below its folder. */
export const INDEX_PLACE = 'index.tsv'
/** The same of what was packed: next to its lists. */
export const PACKED_INDEX_PLACE = 'packed/index.tsv'

/**
 * SHA-256 of the index that all volumes of a plan carry; undefined where it is not written yet, or
 * an older version wrote it.
 */
export function setIdOf({ lists, packing }: Pick<PlanDocument, 'lists' | 'packing'>): string | undefined {
  const place = packing ? PACKED_INDEX_PLACE : INDEX_PLACE
  return lists?.find(({ path }) => path === place)?.sha256
}

/** Where a volume's image or folder is built. */
export function builtPath({ directory, plan, lists }: PlanFolder, index: number): string {
  const parity = plan.parity?.find((disc) => disc.index === index)
  if (parity) return joinPath(directory, `images/${parity.kind}.iso`)
  const place = plan.medium.kind === 'image' ? 'image' : 'folder'
  return joinPath(directory, volumePlaces(index, plan.volumes.length, lists)[place])
}

/** True when a volume's image or folder exists. */
export function isBuilt(folder: PlanFolder, { index }: Pick<PlanVolume, 'index'>): boolean {
  return lstatAt(builtPath(folder, index)) !== null
}

/**
 * JSON text checked by a schema.
 * @param where the file, or a line of it, as errors name it
 * @throws AppError `bad-input`
 */
export function parsedJson<T>(schema: z.ZodType<T>, text: string, where: string): T {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (thrown) {
    throw cannot('bad-input', 'read', where, said`it is not JSON`, thrown)
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const cause = issue?.path.length
    ? said`not a plan that this Stowage reads: ${issue.path.join('.')} ${issue.message}`
    : said`not a plan exported by Stowage`
  throw cannot('bad-input', 'use', where, cause, parsed.error)
}
