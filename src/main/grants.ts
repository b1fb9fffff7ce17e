import path from 'node:path'
import { AppError } from '../primitives/appError'
import { pathForDisplay } from '../primitives/pathText'

/** What a person allowed by handing a path over: to read a source, or to write into a folder chosen for that. */
export type Permission = 'read' | 'write'

/**
 * Remembers which paths a person handed over, by dialog, drop or command line, or which the catalog knows from then.
 * A grant covers the path and whatever lies below it. The window can name paths, but only these.
 */
export class Grants {
  readonly #granted: Readonly<Record<Permission, Set<string>>> = { read: new Set(), write: new Set() }

  /** @throws AppError `internal` for a relative path: whoever hands paths over has resolved them. */
  allow(permission: Permission, given: string): void {
    if (!path.isAbsolute(given)) throw new AppError('internal', `a relative path cannot be granted: ${given}`)
    this.#granted[permission].add(path.resolve(given))
  }

  isAllowed(permission: Permission, asked: string): boolean {
    // `link/..` is not where it seems to be, so a path that climbs is not judged by its text but refused.
    if (!path.isAbsolute(asked) || segmentsOf(asked).includes('..')) return false
    for (let at = path.resolve(asked); ; at = path.dirname(at)) {
      if (this.#granted[permission].has(at)) return true
      if (at === path.dirname(at)) return false
    }
  }

  /** @throws AppError `refused` naming the path that nobody handed over. */
  require(permission: Permission, asked: string): void {
    if (this.isAllowed(permission, asked)) return
    const purpose = permission === 'read' ? 'read from' : 'written to'
    throw new AppError('refused', `${pathForDisplay(asked)} was not chosen by you to be ${purpose}`, {
      path: asked,
    })
  }
}

function segmentsOf(file: string): string[] {
  return file.split(path.sep === '/' ? '/' : /[\\/]/)
}
