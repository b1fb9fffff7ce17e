import { accessSync, constants, lstatSync, mkdirSync, type Stats } from 'node:fs'
import { AppError } from '../../../primitives/appError'
import { said } from '../../../primitives/said'
import { changeMode, type FactsBack, type RestoredFacts } from '../../files/factsBack'
import { attemptAtOnce, cannot, fileFailure, fsPath } from '../../files/fileSystem'
import { flushFolder, folderOf } from '../../files/write'
import type { Pause } from '../../jobs/slowly'

/**
 * The folders of a target: made as they are needed, never through a link, and flushed when all else
 * is done.
 */
export class TargetFolders {
  readonly #placeOf: (path: string) => string
  readonly #pause: Pause
  readonly #plain = new Set<string>([''])
  readonly #touched = new Set<string>()

  /** @param placeOf the absolute path at which a path of the set is */
  constructor(placeOf: (path: string) => string, pause: Pause) {
    this.#placeOf = placeOf
    this.#pause = pause
  }

  /**
   * Makes a folder and those above it.
   * @throws AppError `exists`: a link in the way could lead out of the target
   */
  make(path: string): void {
    if (this.#plain.has(path)) return
    this.make(parentOf(path))
    const at = this.#placeOf(path)
    try {
      mkdirSync(fsPath(at))
      this.touch(at)
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw fileFailure(thrown, 'write', at)
      if (!lstatSync(fsPath(at)).isDirectory()) throw inTheWay(at)
    }
    this.#plain.add(path)
  }

  /** Makes the folder that something of the set is in. @throws as `make` */
  makeAbove(path: string): void {
    this.make(parentOf(path))
  }

  /** Makes a folder that its owner can put files into until `finish`. @throws as `make` */
  open({ path, mode }: Pick<RestoredFacts, 'path' | 'mode'>): void {
    this.make(path)
    // An earlier restore has put its permissions back already; `finish` does so again.
    if (mode !== null) openForOwner(this.#placeOf(path))
  }

  /** Notes that something at an absolute path has got its name, for the flush of its folder. */
  touch(at: string): void {
    this.#touched.add(folderOf(at))
  }

  /**
   * Puts the owners, attributes, permissions and times of folders back, which every file that came
   * into them has changed, and flushes them.
   * @param folders those above before those in them; those whose place something else has are left
   *   out
   */
  async finish(folders: readonly RestoredFacts[], facts: FactsBack): Promise<void> {
    for (const folder of folders.toReversed()) {
      if (!this.#plain.has(folder.path)) continue
      await this.#pause()
      const at = this.#placeOf(folder.path)
      // Once it may not be read it cannot be flushed.
      if (isUnreadable(folder) && this.#touched.delete(at)) await flushFolder(at)
      facts.put(at, folder)
      if (!isUnreadable(folder)) this.#touched.add(at)
    }
    for (const folder of this.#touched) await flushFolder(folder)
  }
}

/**
 * Lets the owner of a folder put files into it; what cannot be put into another's is named file by
 * file.
 */
function openForOwner(folder: string): void {
  try {
    accessSync(fsPath(folder), constants.R_OK | constants.W_OK | constants.X_OK)
  } catch {
    try {
      changeMode(folder, lstatSync(fsPath(folder)).mode | 0o700)
    } catch {
      // It is another user's.
    }
  }
}

/** True when its owner may not read it. */
export function isUnreadable({ mode }: Pick<RestoredFacts, 'mode'>): boolean {
  return mode !== null && (mode & 0o400) === 0
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

/** Null for a path at which nothing is. */
export function statsOf(path: string): Stats | null {
  return attemptAtOnce('read', path, () => lstatSync(fsPath(path), { throwIfNoEntry: false }) ?? null)
}

/** Says that something else has the place of what is restored. */
export function inTheWay(path: string): AppError {
  return cannot('exists', 'restore', path, said`something else is at this path; --force replaces files`)
}

/** Says that a file is not as its volume's index lists it. */
export function damaged(path: string): AppError {
  return cannot(
    'verification-failed',
    'restore',
    path,
    said`its content on the volume is damaged (SHA-256 differs)`,
  )
}
