import { mkdirSync } from 'node:fs'
import { attemptAtOnce, fsPath } from './fileSystem'
import { removeTree } from './removeTree'

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
