import path from 'node:path'
import type { Allowance, PathUse } from '../../contract/callRule'
import { AppError } from '../../primitives/appError'
import { pathForDisplay } from '../../primitives/pathText'
import { said } from '../../primitives/said'
import { canonicalPath } from '../canonicalPath'

/**
 * The permission that a person gives by handing a path over: to read a source, or to write into a
 * folder chosen for that.
 */
type Permission = 'read' | 'write'

/** The permissions of which one is enough. */
const PERMISSIONS_FOR: Readonly<Record<PathUse, readonly Permission[]>> = {
  read: ['read'],
  write: ['write'],
  show: ['write', 'read'],
}

/**
 * Remembers which paths a person handed over, by dialog, drop or command line, or which the catalog
 * knows from then. A grant covers the path and whatever lies below it. The window can name paths,
 * but only these.
 */
export class Grants {
  readonly #granted: Readonly<Record<Permission, Set<string>>> = { read: new Set(), write: new Set() }

  /**
   * @throws AppError `internal` for a relative path: whoever hands paths over has resolved them.
   */
  allow(permission: Permission, given: string): void {
    if (!path.isAbsolute(given)) throw new AppError('internal', `a relative path cannot be granted: ${given}`)
    this.#granted[permission].add(path.resolve(given))
  }

  allowAll({ read = [], write = [] }: Allowance): void {
    for (const each of read) this.allow('read', each)
    for (const each of write) this.allow('write', each)
  }

  /**
   * Judged when it is used, by what is on the disk: a symbolic link inside a granted folder grants
   * nothing outside of it, and a granted folder that is a link grants what it leads to.
   */
  async isAllowed(permission: Permission, asked: string): Promise<boolean> {
    // `link/..` is not where it seems to be, so a path that climbs is not judged by its text but refused.
    if (!path.isAbsolute(asked) || segmentsOf(asked).includes('..')) return false
    const place = await canonicalPath(path.resolve(asked))
    if (place === null) return false
    for (let at = path.resolve(asked); ; at = path.dirname(at)) {
      if (this.#granted[permission].has(at) && isWithin(place, await canonicalPath(at))) return true
      if (at === path.dirname(at)) return false
    }
  }

  /** @throws AppError `refused` naming the path that nobody handed over for this use. */
  async require(use: PathUse, asked: string): Promise<void> {
    for (const each of PERMISSIONS_FOR[use]) if (await this.isAllowed(each, asked)) return
    const purpose = use === 'write' ? said`written to` : said`read from`
    throw new AppError(
      'refused',
      said`${pathForDisplay(asked)} was not chosen in a dialog to be ${purpose}`,
      {
        path: asked,
      },
    )
  }
}

/**
 * An image that a person points to is theirs to be read and changed; what is made next to it takes
 * its name.
 */
export function grantImage(chosen: string, grants: Grants): void {
  grants.allow('read', chosen)
  grants.allow('write', chosen)
}

function isWithin(place: string, folder: string | null): boolean {
  if (folder === null) return false
  return place === folder || place.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep)
}

function segmentsOf(file: string): string[] {
  return file.split(path.sep === '/' ? '/' : /[\\/]/)
}
