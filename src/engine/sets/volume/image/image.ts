import { open } from 'node:fs/promises'
import { AppError } from '../../../../primitives/appError'
import { attempt, fileFailure, fsPath } from '../../../files/fileSystem'
import type { ContentPlace } from '../../../files/read'
import type { Volume } from '../lists/volume'
import { foundTree, type ImageEntry, readerOf } from './imageTree'
import { readIsoTree } from './isoTree'

/**
 * Opens an image or a disc's device by its ISO 9660 folders.
 * @throws AppError `verification-failed` for what is no such image or has damaged folders,
 *   `not-found`, `io`
 */
export async function openImage(path: string): Promise<Volume & { readonly label: string }> {
  await using file = await attempt('read', path, open(fsPath(path)))
  const { label, entries } = await readIsoTree(readerOf(file)).catch((thrown: unknown) => {
    throw fileFailure(thrown, 'read', path)
  })
  const places = placesIn(path, entries)
  return {
    path,
    folder: null,
    label,
    plannedIndex: null,
    damage: null,
    topFolders: topFoldersIn(entries),
    placeOf: (wanted) => Promise.resolve(places.get(wanted) ?? null),
    tree: () => Promise.resolve(foundTree(entries)),
  }
}

/** Where the content of files is in an image, by path. */
export function placesIn(image: string, entries: readonly ImageEntry[]): Map<string, ContentPlace> {
  return new Map(
    entries.flatMap(({ kind, path, offset, bytes }): [string, ContentPlace][] =>
      kind === 'file' ? [[path, { file: image, offset, bytes }]] : [],
    ),
  )
}

export function topFoldersIn(entries: readonly ImageEntry[]): string[] {
  return entries.flatMap(({ kind, path }) => (kind === 'folder' && !path.includes('/') ? path : []))
}

/** The damage of an image in what reading it threw. @throws anything else */
export function damageIn(thrown: unknown): AppError {
  const failure = AppError.from(thrown)
  if (failure.code !== 'verification-failed' && failure.code !== 'io') throw failure
  return failure
}
