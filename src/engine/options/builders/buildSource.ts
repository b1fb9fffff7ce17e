import { constants } from 'node:fs'
import { access, mkdir, symlink } from 'node:fs/promises'
import { AppError } from '../../../primitives/appError'
import { fileFailure, fsPath, joinPath } from '../../files/fileSystem'
import { withToolDirectory } from '../../files/scratch'
import { type CheckedSource, changedSince, checkSources } from '../../files/sourceCheck'
import { throwIfAborted } from '../../jobs/throwIfAborted'
import type { BuildFile, BuildRequest } from './optionBuilder'

/** A file, folder or symbolic link of a source as copying, listing and checking take it. */
export type SourceEntry = CheckedSource & { readonly path: string } & (
    | { readonly kind: 'folder' }
    | { readonly kind: 'symlink'; readonly target: string }
    | { readonly kind: 'file'; readonly bytes: number; readonly sha256: string | undefined }
  )

/** Everything of the source, folders first, those above before those in them. */
export function entriesOf(request: BuildRequest): SourceEntry[] {
  return [
    ...(request.folders ?? []).map(({ source, path }) => ({ kind: 'folder' as const, source, path })),
    ...(request.symlinks ?? []).map(({ source, path, target }) => ({
      kind: 'symlink' as const,
      source,
      path,
      target,
    })),
    ...request.files.map(({ source, path, bytes, digest, mtimeNs }) => ({
      kind: 'file' as const,
      source,
      path,
      bytes,
      sha256: digest ?? undefined,
      mtimeNs: mtimeNs === undefined ? undefined : String(mtimeNs),
    })),
  ]
}

/** The bytes of all files. */
export function sourceBytes(files: readonly BuildFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0)
}

/**
 * Builds from a source that is what the survey saw, before and after. When the work fails, a source
 * that is gone, changed or unreadable is the failure: programs do not always name it.
 * @throws AppError `exists`, `vanished`, `changed`, `permission-denied`, and what `work` throws
 */
export async function fromSteadySource<T>(request: BuildRequest, work: () => Promise<T>): Promise<T> {
  await mustNotExist(request.path)
  const entries = entriesOf(request)
  const before = await checkSources(entries, request.signal, 'any-change')
  if (before.failures[0]) throw before.failures[0]
  let result: T
  try {
    result = await work()
  } catch (thrown) {
    throwIfAborted(request.signal)
    const code = thrown instanceof AppError ? thrown.code : 'internal'
    if (code !== 'no-space' && code !== 'tool-missing') {
      const changed = await changedSince(entries, before.stamps, request.signal, 'any-change')
      throw changed[0] ?? (await firstUnreadable(request)) ?? thrown
    }
    throw thrown
  }
  const changed = await changedSince(entries, before.stamps, request.signal, 'any-change')
  if (changed[0]) throw changed[0]
  return result
}

async function mustNotExist(path: string): Promise<void> {
  const isThere = await access(fsPath(path), constants.F_OK).then(
    () => true,
    () => false,
  )
  if (isThere) throw fileFailure(Object.assign(new Error('exists'), { code: 'EEXIST' }), 'build', path)
}

async function firstUnreadable({ files, signal }: BuildRequest): Promise<AppError | null> {
  for (const { source } of files) {
    throwIfAborted(signal)
    try {
      await access(fsPath(source), constants.R_OK)
    } catch (thrown) {
      return fileFailure(thrown, 'read', source)
    }
  }
  return null
}

/**
 * Calls `use` with a folder in which every `path` of the request leads to its source: the root
 * itself, for several roots the folder they are in, or where that is not one and the same a folder
 * of links to them below `scratch`.
 */
export async function withSourceFolder<T>(
  request: BuildRequest,
  use: (folder: string, ofLinks: boolean) => Promise<T>,
): Promise<T> {
  const tops = topsOf(request)
  const [only] = tops
  if (tops.length === 1 && only?.name === '') return withToolDirectory(only.source, (cwd) => use(cwd, false))
  const parents = new Set(
    tops.map(({ name, source }) => (source.endsWith(`/${name}`) ? folderAbove(source, name) : null)),
  )
  const [parent] = parents
  if (parents.size === 1 && typeof parent === 'string')
    return withToolDirectory(parent, (cwd) => use(cwd, false))
  const folder = joinPath(request.scratch, 'roots')
  await mkdir(fsPath(folder), { recursive: true })
  for (const { name, source } of tops) await symlink(fsPath(source), fsPath(joinPath(folder, name)))
  return withToolDirectory(folder, (cwd) => use(cwd, true))
}

/** The folder in which a path leads to its source; `C:` alone would be the current one there. */
function folderAbove(source: string, path: string): string {
  const above = source.slice(0, -path.length - 1)
  return above === '' || /^[A-Z]:$/.test(above) ? `${above}/` : above
}

/**
 * The names at the top of the paths, and their places: the roots, or their parts that hold
 * something.
 */
function topsOf(request: BuildRequest): { name: string; source: string }[] {
  const tops = new Map<string, string>()
  for (const { path, source } of [
    ...request.files,
    ...(request.folders ?? []),
    ...(request.symlinks ?? []),
  ]) {
    if (path !== '' && source.endsWith(`/${path}`) && request.roots.length === 1) {
      return [{ name: '', source: folderAbove(source, path) }]
    }
    const name = path.split('/', 1)[0] as string
    if (!tops.has(name)) tops.set(name, source.slice(0, source.length - (path.length - name.length)))
  }
  if (tops.size === 0 && request.roots[0] !== undefined) return [{ name: '', source: request.roots[0] }]
  return [...tops].map(([name, source]) => ({ name, source }))
}
