/**
 * The room `unpack` reads archives, compressed files, images and repositories.
 * How: each kind is an unpacker that lists what it holds and gives contents as streams, by its own
 * reader or by the program that made it.
 * Not here: which files are wanted, and where they go (`restore`).
 */

import { parseRecipe, type RecipeFamily } from '../../../domain/options/recipes/recipe'
import { AppError, type AppErrorCode } from '../../../primitives/appError'
import { said } from '../../../primitives/said'
import { unpackBorg } from './borgRepository'
import { unpackCompressedFile } from './compressedFile'
import { unpackAppleImage, unpackIso } from './isoImage'
import { unpackRestic } from './resticRepository'
import { unpackOrdered, unpackSevenZip } from './sevenZipArchive'
import { unpackSquashfs } from './squashfs'
import { unpackTarZst } from './tar'
import { unpackTorrentZip } from './torrentZip'
import type { Container, FoundMember, Unpacker, Unpacking } from './unpacker'

/** For each family what unpacks it; the others are never packed for a set. */
const UNPACKERS: { readonly [Family in RecipeFamily]?: Unpacker<Family> } = {
  iso: { of: 'file', unpack: unpackIso },
  'apple-image': { of: 'file', unpack: unpackAppleImage },
  'compressed-files': { of: 'file', unpack: unpackCompressedFile },
  'seven-zip-files': { of: 'file', unpack: unpackSevenZip },
  'seven-zip-solid': { of: 'file', unpack: unpackOrdered },
  torrent7z: { of: 'file', unpack: unpackSevenZip },
  'seven-zip-merged': { of: 'file', unpack: unpackSevenZip },
  'seven-zip-blocks': { of: 'file', unpack: unpackSevenZip },
  torrentzip: { of: 'file', unpack: unpackTorrentZip },
  'tar-zst': { of: 'file', unpack: unpackTarZst },
  squashfs: { of: 'file', unpack: unpackSquashfs },
  borg: { of: 'repository', unpack: unpackBorg },
  restic: { of: 'repository', unpack: unpackRestic },
}

/** Failures that concern not one file or container but all. */
export const OF_ALL: ReadonlySet<AppErrorCode> = new Set([
  'wrong-password',
  'tool-missing',
  'no-space',
  'cancelled',
  'internal',
])

/** Programs that unpack these give the members their own names, or need a folder with links. */
const NAMES_MEMBERS: ReadonlySet<RecipeFamily> = new Set([
  'apple-image',
  'seven-zip-files',
  'seven-zip-solid',
  'torrent7z',
  'seven-zip-merged',
  'seven-zip-blocks',
  'squashfs',
])

/**
 * Shares of the work with the files of a container: done when the container has been fetched, and
 * when it has been unpacked; the rest is proving the files. Assumed: a step that takes longer or
 * less long changes the rate, and with it the time that is left.
 */
export const FETCHED = 0.2
export const UNPACKED = 0.6

/** The result of unpacking a container. */
export interface Unpacked {
  /** The members that were found; not yet compared with anything. */
  readonly found: ReadonlyMap<string, FoundMember>
  /** The fault of the container; null if there is none. */
  readonly failure: AppError | null
}

/**
 * Unpacks members of a container that one of the builders has made. Of a damaged one the members
 * that can be read are found, and the failure says why.
 * @param method the permanent name of its recipe
 * @throws AppError `wrong-password`, `tool-missing`, `no-space`, `cancelled`; `bad-input` for a
 *   recipe that is not unpacked
 */
export async function unpack(
  method: string,
  container: Container,
  members: ReadonlySet<string>,
  work: Omit<Unpacking, 'found'>,
): Promise<Unpacked> {
  const recipe = parseRecipe(method)
  // It is the unpacker of this very family, which the compiler cannot follow.
  const unpacker = recipe && (UNPACKERS[recipe.family] as Unpacker<RecipeFamily> | undefined)
  if (!unpacker || (unpacker.of === 'repository') !== 'folder' in container)
    throw new AppError('bad-input', said`this version of Stowage cannot unpack "${method}"`)
  const all = new Map<string, FoundMember>()
  const noting = {
    ...work,
    found(member: string, found: FoundMember) {
      if (members.has(member)) all.set(member, found)
    },
  }
  try {
    if (unpacker.of === 'file' && 'file' in container)
      await unpacker.unpack(container, members, noting, recipe)
    if (unpacker.of === 'repository' && 'folder' in container)
      await unpacker.unpack(container.folder, members, noting, recipe)
    return { found: all, failure: null }
  } catch (thrown) {
    const failure = AppError.from(thrown)
    if (OF_ALL.has(failure.code)) throw failure
    return { found: all, failure }
  }
}

/**
 * True when the scratch folder of an unpacking has to hold the names of the members; else they are
 * numbered.
 */
export function needsOwnNames(method: string): boolean {
  // On Windows the unpackers give the members no names.
  if (process.platform === 'win32') return false
  const family = parseRecipe(method)?.family
  return family !== undefined && NAMES_MEMBERS.has(family)
}

/** True when containers of a recipe are repositories, which are folders. */
export function isRepository(method: string): boolean {
  const family = parseRecipe(method)?.family
  return family !== undefined && UNPACKERS[family]?.of === 'repository'
}
