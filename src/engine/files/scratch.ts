import { lstatSync, mkdirSync, readdirSync, rmdirSync, unlinkSync } from 'node:fs'
import { mkdir, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { AppError } from '../../primitives/appError'
import { pathFromBytes } from '../../primitives/pathText'
import { said } from '../../primitives/said'
import { newId } from '../jobs/newId'
import { pausing } from '../jobs/slowly'
import { attempt, attemptAtOnce, cannot, fsPath, joinPath } from './fileSystem'
import { folderOf } from './write'

/**
 * Lends a path at which nothing is, noted before it is used, and removes what `work` has left there
 * in the end. A killed process leaves the note, by which the next start removes it. A damaged
 * catalog keeps no notes, and nobody from restoring.
 */
export async function withTempPath<T>(
  notes: PlaceNotes,
  path: string,
  work: (path: string) => Promise<T>,
): Promise<T> {
  const noted = unlessBroken(() => notes.notePlace({ kind: 'scratch', path }))
  let isGone = false
  try {
    return await work(path)
  } finally {
    // What cannot be removed (for example because its disk is gone) must not hide how the work ended. The next start tries again.
    isGone = await removeTree(path).then(
      () => true,
      () => false,
    )
    if (isGone && noted) unlessBroken(() => notes.placeGone(noted))
  }
}

function unlessBroken<T>(work: () => T): T | null {
  try {
    return work()
  } catch (thrown) {
    if (AppError.from(thrown).code !== 'catalog-broken') throw thrown
    return null
  }
}

/**
 * Lends a new folder of this process alone, which is removed with all that is in it in the end.
 * @throws AppError of `work`, or for a folder that cannot be made
 */
export function withTempFolder<T>(
  notes: PlaceNotes,
  path: string,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  return withTempPath(notes, path, async (folder) => {
    await attempt('write', folderOf(folder), mkdir(fsPath(folder), { mode: 0o700 }))
    return work(folder)
  })
}

/** The same below the system's folder for temporary files. */
export function withSystemTempFolder<T>(
  notes: PlaceNotes,
  purpose: 'plan' | 'merge' | 'restore' | 'drill' | 'verify',
  work: (folder: string) => Promise<T>,
): Promise<T> {
  return withTempFolder(notes, joinPath(tmpdir(), newId(`stowage-${purpose}`)), work)
}

/** A name for what is made next to a path before it takes its place. */
export function partialPath(path: string): string {
  return `${path}.${newId('partial')}`
}

/** Something outside of the data folder that a job takes away again, as noted before it is made. */
type PlaceNote =
  /** Made by us, of no use to anybody once its process has ended. */
  | { readonly kind: 'scratch'; readonly path: string }
  /**
   * A file or folder that was at `target` and is set aside at `path`, until what is at `made` has
   * taken its place. A plan's folder (`replaced-plan`) stays at `path`.
   */
  | {
      readonly kind: 'replaced' | 'replaced-plan'
      readonly path: string
      readonly target: string
      readonly made: string
      /** Tells what was made from anything else that may be at `target` later. */
      readonly madeIdentity: string
    }

export type NotedPlace = PlaceNote & {
  readonly number: number
  /** The process that made the note: see `mayBeAlive`. */
  readonly owner: string
}

/** The journal of what jobs leave behind when their process is killed; the catalog keeps it. */
export interface PlaceStore {
  /** Returns when the note is on the disk: only then may the place be made. */
  notePlace(note: PlaceNote): NotedPlace
  notedPlaces(): NotedPlace[]
  /** Strikes out a place where nothing is left to do. */
  placeGone(noted: NotedPlace): void
}

/** The journal as those see it who make things that must not stay. */
export type PlaceNotes = Pick<PlaceStore, 'notePlace' | 'placeGone'>

/**
 * Removes what is at a path with all that is in it, or nothing where nothing is; links are not
 * followed. Each name is removed on the thread that asks, with pauses: handed to another thread, it
 * costs ten times as much.
 * @throws the system's errors, when a second try as Node does it has failed too
 */
async function removeTree(path: string): Promise<void> {
  try {
    if (!lstatSync(fsPath(path)).isDirectory()) return unlinkSync(fsPath(path))
    const pause = pausing(() => undefined)
    const folders = [path]
    for (const folder of folders) {
      for (const entry of readdirSync(fsPath(folder), { withFileTypes: true, encoding: 'buffer' })) {
        await pause()
        const at = joinPath(folder, pathFromBytes(entry.name))
        if (entry.isDirectory()) folders.push(at)
        else unlinkSync(fsPath(at))
      }
    }
    for (const folder of folders.toReversed()) rmdirSync(fsPath(folder))
  } catch {
    // Nothing is there, something is in use, or something came or went meanwhile.
    await rm(fsPath(path), { recursive: true, force: true, maxRetries: 3 })
  }
}

/**
 * Calls `use` with a text that a child process can take as its working directory. Node passes only
 * Unicode to children, so a folder whose name is not is reached through an open descriptor (Linux).
 * @throws AppError `name-unsupported` where that is not possible
 */
export function withToolDirectory<T>(directory: string, use: (cwd: string) => Promise<T>): Promise<T> {
  return withToolPath(directory, 'run a program in', use)
}

/** The same for a file that a child process reads. */
export function withToolFile<T>(file: string, use: (path: string) => Promise<T>): Promise<T> {
  return withToolPath(file, 'read', use)
}

async function withToolPath<T>(path: string, doing: string, use: (path: string) => Promise<T>): Promise<T> {
  if (path.isWellFormed()) return use(path)
  if (process.platform !== 'linux') {
    throw cannot('name-unsupported', doing, path, said`its name is not Unicode`)
  }
  await using file = await attempt('open', path, open(fsPath(path)))
  return await use(`/proc/${process.pid}/fd/${file.fd}`)
}

/**
 * A folder of this process alone that is made when it is first needed: making and removing one for
 * each of many files costs more than they do.
 */
export class LazyTempFolder {
  readonly #place: () => string
  #path: string | null = null

  /** @param place where it is made, in a folder that is there or is made then */
  constructor(place: () => string) {
    this.#place = place
  }

  /** @throws AppError for a folder that cannot be made */
  path(): string {
    if (this.#path !== null) return this.#path
    const path = this.#place()
    attemptAtOnce('write', path, () => mkdirSync(fsPath(path), { mode: 0o700 }))
    this.#path = path
    return path
  }

  /** True when a path is in it. */
  holds(path: string): boolean {
    return this.#path !== null && path.startsWith(`${this.#path}/`)
  }

  /** With all that is in it; the next call of `path` makes it anew. */
  async remove(): Promise<void> {
    const path = this.#path
    this.#path = null
    if (path !== null) await removeTree(path)
  }
}
