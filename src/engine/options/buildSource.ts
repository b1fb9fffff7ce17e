import { lstat } from 'node:fs/promises'
import type { SurveyDocument } from '../../contract/dto/survey'
import { AppError } from '../../primitives/appError'
import { pathForDisplay } from '../../primitives/pathText'
import { said } from '../../primitives/said'
import type { Catalog, FileGrouping } from '../catalog/catalog'
import type { SurveyEntry } from '../catalog/entry'
import { fileFailure, fsPath } from '../files/fileSystem'
import { entryTime } from '../files/sourceCheck'
import { throwIfAborted } from '../jobs/throwIfAborted'
import { contentOf, sourceEntries, sourcePath } from '../survey/sourceEntries'
import type { BuildFile, BuildFolder, BuildGroup, BuildSymlink } from './builders/optionBuilder'
import { SurveyGroups } from './surveyGroups'

/** A file of the source with its place in the survey. */
interface SurveyedFile extends BuildFile {
  readonly entryId: number
  /** The entry that has its content: that of the file whose further name it is. */
  readonly contentId: number
  readonly mtimeNs: bigint
}

/**
 * The part of a survey that a build uses: files, folders and links, each by the bytes of their
 * paths.
 */
export interface BuildSource {
  readonly files: readonly SurveyedFile[]
  readonly folders: readonly BuildFolder[]
  readonly symlinks: readonly BuildSymlink[]
}

/**
 * Further names of a file are files too, as archives store them. The source's own top folder is not
 * named.
 */
export function buildSource(roots: readonly string[], entries: Iterable<SurveyEntry>): BuildSource {
  const source = sourceEntries(roots, entries)
  const files: SurveyedFile[] = []
  const folders: BuildFolder[] = []
  const symlinks: BuildSymlink[] = []
  for (const item of source.items) {
    const entry = source.entries.get(item.index) as SurveyEntry
    const place = { source: sourcePath(source, entry), path: archivePath(entry, roots, item.path) }
    if (entry.kind === 'symlink') symlinks.push({ ...place, target: entry.linkTarget ?? '' })
    else if (entry.kind === 'folder') {
      if (place.path !== '' && !(roots.length === 1 && entry.path === '')) folders.push(place)
    } else {
      const content = contentOf(source, entry)
      files.push({
        ...place,
        bytes: content.bytes,
        digest: content.sha256,
        entryId: entry.id,
        contentId: content.id,
        mtimeNs: entry.mtimeNs,
      })
    }
  }
  return { files: byPath(files), folders: byPath(folders), symlinks: byPath(symlinks) }
}

function byPath<T extends { readonly path: string }>(all: readonly T[]): T[] {
  return all.toSorted((one, other) => Buffer.compare(fsPath(one.path), fsPath(other.path)))
}

/**
 * Below the only folder that was surveyed; otherwise as on volumes, with the roots' names in front.
 */
function archivePath(entry: SurveyEntry, roots: readonly string[], onVolume: string): string {
  return roots.length === 1 && entry.path !== '' ? entry.path : onVolume
}

const AT_ONCE = 64

/**
 * Makes sure that the files are still what was surveyed: there, as long and as old.
 * @throws AppError `changed`, `vanished`, `permission-denied`, `cancelled`
 */
export async function checkFiles(files: readonly SurveyedFile[], signal: AbortSignal): Promise<void> {
  for (let at = 0; at < files.length; at += AT_ONCE) {
    throwIfAborted(signal)
    await Promise.all(files.slice(at, at + AT_ONCE).map(check))
  }
}

async function check({ source, bytes, mtimeNs }: SurveyedFile): Promise<void> {
  const shown = pathForDisplay(source)
  const now = await lstat(fsPath(source), { bigint: true }).catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code !== 'ENOENT') throw fileFailure(thrown, 'read', source)
    throw new AppError('vanished', said`cannot use ${shown}: it no longer exists`, { path: source })
  })
  if (now.isFile() && now.size === BigInt(bytes) && entryTime(now.mtimeNs) === mtimeNs) return
  throw new AppError('changed', said`cannot use ${shown}: it has changed since the survey`, { path: source })
}

/**
 * The files in the order that the survey found for solid archives; what it does not name follows by
 * path.
 * @throws AppError `not-found` if the survey has no order of its files
 */
export function filesInOrder(
  files: readonly SurveyedFile[],
  survey: SurveyDocument,
  catalog: Pick<Catalog, 'contentOrderIds'>,
): BuildFile[] {
  const ids = catalog.contentOrderIds(survey.id)
  if (ids === null)
    throw new AppError('not-found', said`survey ${survey.id} has no file order: survey again with --full`)
  const byId = new Map(files.map((file) => [file.entryId, file]))
  const ordered: BuildFile[] = []
  for (const id of ids) {
    const file = byId.get(id)
    if (file) ordered.push(file)
    byId.delete(id)
  }
  return [...ordered, ...byId.values()]
}

/**
 * The files in the groups that the survey found; what it does not name is a group of its own.
 * @throws AppError `not-found` if the survey has no such groups of its files
 */
export function filesInGroups(
  files: readonly SurveyedFile[],
  survey: SurveyDocument,
  catalog: Pick<Catalog, 'fileGroupIds'>,
  by: FileGrouping,
): BuildGroup[] {
  const groups = new SurveyGroups(catalog, survey.id, by)
  const places = groups.places(files.map(({ contentId, path }) => ({ id: contentId, path })))
  return [...Map.groupBy(files, ({ contentId, path }) => groups.of(contentId) ?? path)].map(
    ([group, members]) => ({
      place: typeof group === 'number' ? (places.get(group) ?? null) : null,
      files: members,
    }),
  )
}
