import { mkdir } from 'node:fs/promises'
import { titleMember, titlePlace } from '../../../../domain/forecast/titles'
import { sharedFolder } from '../../../../domain/roms/familyPlaces'
import type { GroupedBy } from '../../../../domain/survey/surveyDocument'
import { AppError } from '../../../../primitives/appError'
import { pathToBytes } from '../../../../primitives/pathText'
import { said } from '../../../../primitives/said'
import type { FileGrouping } from '../../../catalog/catalog'
import { attempt, fsPath, joinPath } from '../../../files/fileSystem'
import { withToolDirectory } from '../../../files/scratch'
import { folderOf } from '../../../files/write'
import { throwIfAborted } from '../../../jobs/throwIfAborted'
import type { FoundTool } from '../../../tools/externalTool'
import type { ToolMeter } from '../../../tools/toolMeter'
import { sourceBytes, withSourceFolder } from '../buildSource'
import { builtAt } from '../builtPlace'
import type { BuildFile, BuildGroup, BuildRequest } from '../optionBuilder'
import { packNames, type SevenZipWork } from './archive'
import { torrent7zSwitches } from './torrent7zSwitches'

/** One archive of several: where it will be below the result, and what goes into it. */
export interface MergedArchive {
  readonly path: string
  /** Where the names begin; null for the source's top. */
  readonly folder: string | null
  readonly files: readonly { readonly path: string; readonly name: string }[]
  readonly bytes: number
  /** Its method, where that follows from what goes in; absent for `MERGED_SWITCHES`. */
  readonly switches?: readonly string[]
}

/** Dictionaries are no longer than what goes in, so that small archives need little memory. */
export const MERGED_SWITCHES: readonly string[] = ['-mx=9', '-md=256m', '-ms=on']

const ENDING = '.7z'
const LONGEST_NAME = 255

/** Groups, and how ROM sets are packed: `sets` by torrent7z's rules, others by the best level. */
type By = GroupedBy | 'split' | 'nonmerged'

const ARCHIVES: Readonly<Record<By, (request: BuildRequest) => Promise<MergedArchive[]>>> = {
  titles: async (request) => titleArchives(request),
  groups: async (request) => groupArchives(await groupsOf(request, 'groups')),
  dat: async (request) => familyArchives(await groupsOf(request, 'dat'), request),
  split: bestOfRomSets,
  nonmerged: bestOfRomSets,
  sets: async (request) => romSetArchives(await groupsOf(request, 'sets'), request, ENDING, byTorrent7z),
}

/**
 * The solid archives of files that belong together: by title, by the data they share or by DATs.
 * @throws AppError `refused` where the request does not say what groups there are
 */
export async function mergedArchives(request: BuildRequest, by: By): Promise<MergedArchive[]> {
  return ARCHIVES[by](request)
}

/**
 * An archive for each title of each folder, in the same folders; inside are bare names, so that
 * equal titles make equal archives. Encrypted ones are numbered, as the names of folders and titles
 * would show what is in them.
 */
export function titleArchives(
  { files, folders = [], password = null }: BuildRequest,
  ending = ENDING,
): MergedArchive[] {
  const places = Map.groupBy(files, ({ path }) => titlePlace(path))
  const taken = new Set(foldersOf(files, folders))
  return [...places].map(([place, group], index) => {
    const [first] = group as [BuildFile, ...BuildFile[]]
    const path = password === null ? freePath(place, ending, taken) : numbered('title', index)
    taken.add(path)
    return {
      path,
      folder: folderOf(first.source),
      files: group.map(({ path: of }) => ({ path: of, name: titleMember(of) })),
      bytes: sourceBytes(group),
    }
  })
}

/**
 * An archive for each group, numbered; inside are whole paths. Groups without files are left out.
 */
export function groupArchives(groups: readonly BuildGroup[]): MergedArchive[] {
  return groups
    .filter(({ files }) => files.length > 0)
    .map(({ files }, index) => wholePaths(numbered('group', index), files))
}

/**
 * An archive for each parent with its clones, under the parent's name, and for each file that no
 * DAT knows, under that of the file; inside are whole paths. Encrypted ones are numbered.
 */
function familyArchives(groups: readonly BuildGroup[], request: BuildRequest): MergedArchive[] {
  return placedArchives(groups, request, 'dat').map(({ path, files }) => wholePaths(path, files))
}

/**
 * An archive for each ROM set, named as those of families; inside are names from the deepest folder
 * of its files on, so that equal ROM sets make equal archives wherever they lie.
 * @param switchesOf the method for these files; without it that of all archives
 */
function romSetArchives(
  groups: readonly BuildGroup[],
  request: BuildRequest,
  ending = ENDING,
  switchesOf?: (files: readonly BuildFile[]) => readonly string[],
): MergedArchive[] {
  return placedArchives(groups, request, 'set', ending).map(({ path, files }) =>
    namedFromShared(path, files, switchesOf?.(files)),
  )
}

async function bestOfRomSets(request: BuildRequest): Promise<MergedArchive[]> {
  return romSetArchives(await groupsOf(request, 'sets'), request)
}

function byTorrent7z(files: readonly BuildFile[]): readonly string[] {
  return torrent7zSwitches(files.map(({ bytes }) => bytes))
}

/** The same archives of parents with their clones, or of ROM sets, as zips. */
export function zipArchives(groups: readonly BuildGroup[], request: BuildRequest): MergedArchive[] {
  return romSetArchives(groups, request, '.zip')
}

function placedArchives(
  groups: readonly BuildGroup[],
  { files: all, folders = [], password = null }: BuildRequest,
  what: 'dat' | 'set',
  ending = ENDING,
): { readonly path: string; readonly files: readonly BuildFile[] }[] {
  const taken = new Set(foldersOf(all, folders))
  return groups
    .filter(({ files }) => files.length > 0)
    .map(({ place, files }, index) => {
      const [first] = files as [BuildFile, ...BuildFile[]]
      const path = password === null ? freePath(place ?? first.path, ending, taken) : numbered(what, index)
      taken.add(path)
      return { path, files }
    })
}

function namedFromShared(
  path: string,
  files: readonly BuildFile[],
  switches?: readonly string[],
): MergedArchive {
  const top = sharedFolder(files.map((file) => file.path))
  const [first] = files as [BuildFile, ...BuildFile[]]
  const below = first.path.length - top.length
  return {
    path,
    folder: top === '' ? null : first.source.slice(0, -below - 1),
    files: files.map((file) => ({ path: file.path, name: file.path.slice(top.length) })),
    bytes: sourceBytes(files),
    ...(switches && { switches }),
  }
}

function wholePaths(path: string, files: readonly BuildFile[]): MergedArchive {
  return {
    path,
    folder: null,
    files: files.map((file) => ({ path: file.path, name: file.path })),
    bytes: sourceBytes(files),
  }
}

function numbered(what: 'title' | 'group' | 'dat' | 'set', index: number): string {
  return `${what}-${String(index + 1).padStart(6, '0')}${ENDING}`
}

/**
 * Makes the archives below a folder that exists, one after another: so that memory and time are
 * reproducible.
 * @throws AppError `no-space`, `tool-failed`, `cancelled`
 */
export async function packMerged(
  request: BuildRequest,
  archives: readonly MergedArchive[],
  to: string,
  tools: { readonly tool: FoundTool; readonly meter: ToolMeter },
): Promise<void> {
  const { scratch, signal, password = null } = request
  let done = 0
  const packAll = async (top: string, ofLinks: boolean): Promise<void> => {
    for (const { path, folder, files, bytes, switches = MERGED_SWITCHES } of archives) {
      throwIfAborted(signal)
      const target = joinPath(to, path)
      const above = target.slice(0, target.lastIndexOf('/'))
      await attempt('make the folder', above, mkdir(fsPath(above), { recursive: true }))
      const pack = (from: Pick<SevenZipWork, 'folder' | 'ofLinks'>): Promise<void> =>
        builtAt(target, ENDING, (archive) =>
          packNames(
            { ...tools, ...from, scratch, signal, password },
            archive,
            switches,
            files.map(({ name }) => name),
          ),
        )
      if (folder === null) await pack({ folder: top, ofLinks })
      else await withToolDirectory(folder, (cwd) => pack({ folder: cwd }))
      request.onProgress((done += bytes))
    }
  }
  await withSourceFolder(request, packAll)
}

/** Folders that hold files, or hold such. */
function foldersOf(files: readonly BuildFile[], folders: readonly { readonly path: string }[]): string[] {
  const found = new Set(folders.map(({ path }) => path))
  for (const { path } of files) {
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const above = path.slice(0, end)
      if (found.has(above)) break
      found.add(above)
    }
  }
  return [...found]
}

/**
 * The place of an archive, with a number where something else has it, and shortened where the name
 * would be too long.
 */
function freePath(place: string, ending: string, taken: ReadonlySet<string>): string {
  const base = place.lastIndexOf('/') + 1
  for (let number = 1; ; number++) {
    const end = number === 1 ? ending : ` ${number}${ending}`
    let title = place.slice(base)
    while (pathToBytes(title + end).length > LONGEST_NAME) title = title.replace(/.$/su, '')
    const path = place.slice(0, base) + title + end
    if (!taken.has(path)) return path
  }
}

/** @throws AppError `refused` where the request does not say what groups there are */
export async function groupsOf(request: BuildRequest, by: FileGrouping): Promise<readonly BuildGroup[]> {
  if (request.groups) return request.groups(by)
  throw new AppError('refused', said`the groups of the files are unknown: survey the source again`)
}
