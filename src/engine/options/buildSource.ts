import { lstat } from 'node:fs/promises'
import type { SurveyDocument } from '../../contract/dto/survey'
import { AppError } from '../../primitives/appError'
import { pathForDisplay } from '../../primitives/pathText'
import type { BuildFile } from '../builders/optionBuilder'
import type { Catalog } from '../catalog/catalog'
import type { SurveyEntry } from '../catalog/entry'
import { fileFailure, fsPath } from '../exporters/fileSystem'
import { contentOf, sourceEntries, sourcePath } from '../planning/sourceEntries'
import { throwIfAborted } from '../tools/runTool'

/** A file of the source with its place in the survey. */
export interface SurveyedFile extends BuildFile {
  readonly entryId: number
  readonly mtimeNs: bigint
}

/** All files of a survey by the bytes of their paths; further names of a file are files too, as archives store them. */
export function buildFiles(roots: readonly string[], entries: Iterable<SurveyEntry>): SurveyedFile[] {
  const source = sourceEntries(roots, entries)
  const files = source.items.flatMap((item): SurveyedFile[] => {
    const entry = source.entries.get(item.index) as SurveyEntry
    if (entry.kind !== 'file' && entry.kind !== 'hardLink') return []
    const content = contentOf(source, entry)
    return [
      {
        source: sourcePath(source, entry),
        path: archivePath(entry, roots, item.path),
        bytes: content.bytes,
        digest: content.sha256 ? Buffer.from(content.sha256).toString('hex') : null,
        entryId: entry.id,
        mtimeNs: entry.mtimeNs,
      },
    ]
  })
  return files.toSorted((one, other) => Buffer.compare(fsPath(one.path), fsPath(other.path)))
}

/** Below the only folder that was surveyed; otherwise as on volumes, with the roots' names in front. */
function archivePath(entry: SurveyEntry, roots: readonly string[], onVolume: string): string {
  return roots.length === 1 && entry.path !== '' ? entry.path : onVolume
}

const AT_ONCE = 64

/**
 * The same files, when they are still what was surveyed: there, as long and as old.
 * @throws AppError `changed`, `vanished`, `permission-denied`, `cancelled`
 */
export async function checkedFiles<T extends BuildFile>(
  files: readonly (T & { readonly mtimeNs: bigint })[],
  signal: AbortSignal,
): Promise<readonly (T & { readonly mtimeNs: bigint })[]> {
  for (let at = 0; at < files.length; at += AT_ONCE) {
    throwIfAborted(signal)
    await Promise.all(files.slice(at, at + AT_ONCE).map(check))
  }
  return files
}

async function check({ source, bytes, mtimeNs }: BuildFile & { readonly mtimeNs: bigint }): Promise<void> {
  const shown = pathForDisplay(source)
  const now = await lstat(fsPath(source), { bigint: true }).catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code !== 'ENOENT') throw fileFailure(thrown, 'read', source)
    throw new AppError('vanished', `cannot use ${shown}: it is no longer there`, { path: source })
  })
  if (now.isFile() && now.size === BigInt(bytes) && now.mtimeNs === mtimeNs) return
  throw new AppError('changed', `cannot use ${shown}: it has changed since the survey`, { path: source })
}

/**
 * The files in the order that the survey found for solid archives; what it does not name follows by path.
 * @throws AppError `not-found` if the survey has not looked for an order
 */
export function filesInOrder(
  files: readonly BuildFile[],
  survey: SurveyDocument,
  catalog: Pick<Catalog, 'contentOrderIds'>,
): BuildFile[] {
  const ids = catalog.contentOrderIds(survey.id)
  if (ids === null) throw new AppError('not-found', `survey ${survey.id} has not looked for an order`)
  const byId = new Map((files as readonly SurveyedFile[]).map((file) => [file.entryId, file]))
  const ordered: BuildFile[] = []
  for (const id of ids) {
    const file = byId.get(id)
    if (file) ordered.push(file)
    byId.delete(id)
  }
  return [...ordered, ...byId.values()]
}
