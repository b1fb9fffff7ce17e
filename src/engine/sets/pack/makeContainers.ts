import { lstatSync, readdirSync } from 'node:fs'
import type { PlanEntry } from '../../../contract/dto/plan'
import { printRecipe, type Recipe } from '../../../domain/options/recipes/recipe'
import type { Encryption } from '../../../domain/options/recipes/variant'
import type { MadeForm } from '../../../domain/sets/packedForm'
import { AppError } from '../../../primitives/appError'
import { pathForDisplay, pathFromBytes } from '../../../primitives/pathText'
import { attemptAtOnce, fsPath, joinPath } from '../../files/fileSystem'
import { hashRangesHex } from '../../files/read'
import { entryTime } from '../../files/sourceCheck'
import { setFileTimes } from '../../native/fileTimes'
import type {
  BuildFile,
  BuildGroup,
  BuildRequest,
  Built,
  OptionBuilder,
} from '../../options/builders/optionBuilder'
import { makeFolder } from '../../options/builders/plainFolder'
import { flushTree } from '../../tools/flushTree'
import type { FileEntry, Made, MadeFile } from './container'

export interface PackRequest {
  readonly recipe: Recipe
  readonly form: MadeForm
  readonly builder: OptionBuilder
  readonly roots: readonly string[]
  /** Files, further names of files, folders and links that are to be packed together. */
  readonly entries: readonly PlanEntry[]
  /** True when the entries are all of the source. */
  readonly isWhole: boolean
  /** The name of its archive on the volume, without the ending. */
  readonly stem: string
  /** Nothing is there yet. What is made lies below it as it will on the volume. */
  readonly folder: string
  /** For what is only needed meanwhile. */
  readonly scratch: string
  readonly encryption: Encryption
  readonly password: Uint8Array | null
  /** The time that all files are given, so that images of them can be made again byte for byte. */
  readonly dateNs: bigint
  readonly signal: AbortSignal
  /** Bytes of the source that have gone in. */
  readonly onBytes: (done: number) => void
}

/**
 * Packs some files of a source with the builder of a recipe, flushes what it made and reads it back
 * for its digests.
 * @throws AppError `changed`, `vanished`, `no-space`, `tool-missing`, `tool-failed`, `cancelled`, …
 */
export async function makeContainers(request: PackRequest): Promise<Made> {
  const { form, folder, scratch, entries } = request
  await makeFolder(scratch)
  const name = nameOf(request)
  if (name !== '') await makeFolder(folder)
  const files = entries.filter((entry): entry is FileEntry => entry.kind === 'file')
  const built = await request.builder.build(
    buildRequest(request, name === '' ? folder : joinPath(folder, name)),
  )
  await flushTree(folder, request.signal)
  const { paths, folders } = everythingIn(folder)
  const method = printRecipe(request.recipe)
  const made = await madeFiles(request, paths, methodsOf(built, name))
  const holderOf = containersOf(built, name)
  return {
    files: made,
    folders: form.kind === 'repository' ? folders : [],
    members: files.map((entry) => heldBy(entry, holderOf(entry.linkOf ?? entry.path), method)),
  }
}

/** The place of what is made below its folder; empty for the folder itself. */
function nameOf({ form, stem }: Pick<PackRequest, 'form' | 'stem'>): string {
  switch (form.kind) {
    case 'archive':
      return stem + form.ending
    case 'repository':
      return form.name
    case 'many':
      return form.folder
  }
}

function heldBy(entry: FileEntry, holder: Holder | undefined, method: string): FileEntry {
  if (holder) return { ...entry, ...holder }
  throw new AppError('internal', `${method} has no place for ${pathForDisplay(entry.path)}`)
}

interface Holder {
  readonly in: string
  readonly member?: string
}

function buildRequest(request: PackRequest, path: string): BuildRequest {
  const { recipe, roots, entries, scratch, signal, form } = request
  const files = entries.flatMap((entry): BuildFile[] => {
    if (entry.kind !== 'file' || entry.linkOf !== undefined) return []
    const { source, bytes, sha256, mtimeNs } = entry
    const mtime = mtimeNs === undefined ? {} : { mtimeNs: entryTime(BigInt(mtimeNs)) }
    return [{ source, path: entry.path, bytes, digest: sha256, ...mtime }]
  })
  const groupOf = new Map(entries.map((entry) => [entry.path, entry.kind === 'file' ? entry.in : undefined]))
  const groupsOf = (some: readonly BuildFile[]): BuildGroup[] =>
    [...Map.groupBy(some, (file) => groupOf.get(file.path) ?? file.path)].map(([place, members]) => ({
      place,
      files: members,
    }))
  const isTree = form.kind !== 'many'
  return {
    recipe,
    roots,
    files: files.toSorted((one, other) => Buffer.compare(fsPath(one.path), fsPath(other.path))),
    // Of many containers each holds files only: the index has the folders and the links.
    folders: isTree ? entries.filter(({ kind }) => kind === 'folder') : [],
    symlinks: isTree ? entries.flatMap((entry) => (entry.kind === 'symlink' ? [entry] : [])) : [],
    contentOrder: () => Promise.resolve(files),
    groups: (_, among = files) => Promise.resolve(groupsOf(among)),
    path,
    isKept: true,
    isPart: !request.isWhole,
    scratch,
    signal,
    onProgress: (done) => request.onBytes(done ?? 0),
    encryption: request.encryption,
    password: request.password,
  }
}

/**
 * For the path of a file of the source: the container that holds it, and its name there where that
 * is another.
 * @param name of the archive, or of the folder that all are in
 */
function containersOf({ archives }: Built, name: string): (path: string) => Holder | undefined {
  if (!archives) return () => ({ in: name })
  const holders = new Map(
    archives.flatMap(({ path, files }) =>
      files.map((file) => [
        file.path,
        {
          in: name === '' ? path : joinPath(name, path),
          ...(file.name === file.path ? {} : { member: file.name }),
        },
      ]),
    ),
  )
  return (path) => holders.get(path)
}

/** The recipes of containers that have one of their own, by their places on the volume. */
function methodsOf({ archives = [] }: Built, name: string): ReadonlyMap<string, string> {
  return new Map(
    archives.flatMap(({ path, method }) =>
      method === undefined ? [] : [[name === '' ? path : joinPath(name, path), method] as const],
    ),
  )
}

function everythingIn(folder: string): { paths: string[]; folders: string[] } {
  const paths: string[] = []
  const folders: string[] = []
  const look = (below: string): void => {
    const at = joinPath(folder, below)
    for (const entry of readdirSync(fsPath(at), { withFileTypes: true, encoding: 'buffer' })) {
      const path = below === '' ? pathFromBytes(entry.name) : `${below}/${pathFromBytes(entry.name)}`
      if (!entry.isDirectory()) paths.push(path)
      else {
        folders.push(path)
        look(path)
      }
    }
  }
  attemptAtOnce('read', folder, () => look(''))
  return { paths: paths.toSorted(), folders }
}

async function madeFiles(
  { folder, signal, dateNs }: PackRequest,
  paths: readonly string[],
  methods: ReadonlyMap<string, string>,
): Promise<MadeFile[]> {
  const facts = paths.map((path) => {
    setFileTimes(joinPath(folder, path), { atimeNs: dateNs, mtimeNs: dateNs })
    const { size, dev, ino } = lstatSync(fsPath(joinPath(folder, path)))
    return { path, bytes: size, identity: `${dev}:${ino}` }
  })
  const ranges = facts.map(({ path, bytes }) => ({ path: joinPath(folder, path), offset: 0, length: bytes }))
  const digests = await hashRangesHex(ranges, signal, () => undefined)
  return facts.map(({ path, bytes, identity }, at) => {
    const made = { path, bytes, identity, sha256: digests[at] as string }
    const method = methods.get(path)
    return method === undefined ? made : Object.assign(made, { method })
  })
}
