import { chmodSync, lchownSync } from 'node:fs'
import type { RestoreDocument } from '../../contract/dto/restore'
import type { ExtendedAttribute, Owner } from '../../domain/sets/ownership'
import { pathForDisplay } from '../../primitives/pathText'
import { formatCount } from '../../primitives/quantity'
import { said } from '../../primitives/said'
import { localIds, setAttribute } from '../native/attributes'
import { setFileTimes } from '../native/fileTimes'
import { attemptAtOnce, fileFailure, fsPath } from './fileSystem'

/**
 * The facts that restoring puts back on a file or a folder besides its content; null where the
 * index has none.
 */
export interface RestoredFacts {
  readonly path: string
  readonly mode: number | null
  readonly mtimeNs: bigint | null
  readonly owner: Owner | null
  readonly attributes: readonly ExtendedAttribute[]
}

/** Access control lists, which permissions that are set later would change. */
const ACCESS_LIST = /^system\.posix_acl_/

/** The errors for an attribute that a file system, or this kind of file, does not have. */
const UNKNOWN_HERE: ReadonlySet<string> = new Set(['ENOTSUP', 'EOPNOTSUPP', 'EINVAL', 'ENOSYS'])

/**
 * The facts that a folder's file system keeps; the others are not even tried there, and counted.
 */
export interface KeptFacts {
  readonly permissions: boolean
  /** True when this process can give files to other users here. */
  readonly owners: boolean
  readonly attributes: boolean
  /** Times are kept to this many nanoseconds. */
  readonly timeStepNs: bigint
}

const ALL_KEPT: KeptFacts = { owners: true, permissions: true, attributes: true, timeStepNs: 1n }

/**
 * Puts owners, extended attributes, permissions and times back, at once on the thread that asks.
 * Owners only where this process may give files away; what a target cannot hold of owners and
 * attributes does not keep the file, and is listed.
 */
export class FactsBack {
  readonly #mayGive: boolean
  readonly #uid: number
  readonly #kept: KeptFacts
  readonly #unheld = { owners: 0, permissions: 0, attributes: 0, times: 0 }
  readonly #ids = new Map<string, { readonly uid: number; readonly gid: number }>()
  /** The facts that the target refused. */
  readonly refused: RestoreDocument['notPutBack'] = []
  /** How many things belong to others, and stay with whoever restores them. */
  ownersLeft = 0

  /** @param mayGive whether this process may give files to other users */
  constructor(mayGive = process.getuid?.() === 0, kept: KeptFacts = ALL_KEPT) {
    this.#mayGive = mayGive
    this.#kept = kept
    this.#uid = process.getuid?.() ?? 0
  }

  /** One line each for what the target could not hold of what was put back. */
  get unheld(): string[] {
    const { owners, permissions, attributes, times } = this.#unheld
    const step = this.#kept.timeStepNs
    return [
      ...notHeld(said`owners`, owners),
      ...notHeld(said`permissions`, permissions),
      ...notHeld(said`extended attributes`, attributes),
      ...notHeld(said`times`, times),
      ...(step >= SECOND_NS
        ? [said`times are kept to ${step / SECOND_NS} s: the target has no finer ones`]
        : []),
    ]
  }

  /**
   * @param at the absolute path of a file or a folder. @throws AppError `permission-denied`, `io`
   *   for permissions and times
   */
  put(at: string, facts: RestoredFacts): void {
    const { mode, attributes } = facts
    const { permissions } = this.#kept
    this.#own(at, facts)
    if (attributes.length > 0) {
      if (permissions) changeMode(at, (mode ?? 0) | 0o700)
      this.#attach(at, facts, ({ name }) => !ACCESS_LIST.test(name))
    }
    if (mode !== null && permissions) changeMode(at, mode)
    else if (mode !== null) this.#unheld.permissions += 1
    this.#attach(at, facts, ({ name }) => ACCESS_LIST.test(name))
    this.#time(at, facts)
  }

  /** The same of a symbolic link, which has no permissions of its own. */
  putOnLink(at: string, facts: Omit<RestoredFacts, 'mode'>): void {
    this.#own(at, facts)
    this.#attach(at, facts, () => true)
    this.#time(at, facts)
  }

  /** A target that keeps times exactly keeps all of them; others refuse those before 1980, say. */
  #time(at: string, facts: Pick<RestoredFacts, 'mtimeNs'>): void {
    try {
      putTimes(at, facts)
    } catch (thrown) {
      if (this.#kept.timeStepNs === 1n) throw thrown
      this.#unheld.times += 1
    }
  }

  #own(at: string, { path, owner }: Pick<RestoredFacts, 'path' | 'owner'>): void {
    if (owner === null) return
    if (!this.#mayGive) {
      if (owner.uid !== this.#uid) this.ownersLeft += 1
      return
    }
    const { uid, gid } = this.#idsOf(owner)
    if (!this.#kept.owners) {
      if (uid !== this.#uid || gid !== process.getgid?.()) this.#unheld.owners += 1
      return
    }
    try {
      lchownSync(fsPath(at), uid, gid)
    } catch (thrown) {
      this.#refuse(path, 'owner', 'the owner', thrown)
    }
  }

  /** Each owner is looked up once. */
  #idsOf(owner: Owner): { readonly uid: number; readonly gid: number } {
    const key = JSON.stringify(owner)
    const known = this.#ids.get(key)
    if (known) return known
    const ids = localIds(owner)
    this.#ids.set(key, ids)
    return ids
  }

  #attach(
    at: string,
    { path, attributes }: Pick<RestoredFacts, 'path' | 'attributes'>,
    isMeant: (attribute: ExtendedAttribute) => boolean,
  ): void {
    for (const attribute of attributes.filter(isMeant)) {
      if (!this.#kept.attributes) {
        this.#unheld.attributes += 1
        continue
      }
      try {
        setAttribute(at, attribute)
      } catch (thrown) {
        const { name } = attribute
        this.#refuse(path, name, `the extended attribute ${pathForDisplay(name)}`, thrown)
      }
    }
  }

  /** @param path in the set: where the file is now is a place of the restore's own */
  #refuse(path: string, fact: string, shown: string, thrown: unknown): void {
    const isUnknown = UNKNOWN_HERE.has((thrown as NodeJS.ErrnoException).code ?? '')
    const message = said`cannot set ${shown} of ${pathForDisplay(path)}: the target does not keep it`
    const { code, message: cause } = fileFailure(thrown, `set ${shown} of`, path)
    const error = isUnknown ? { code: 'refused' as const, message, path } : { code, message: cause, path }
    this.refused.push({ path, fact, error })
  }
}

const SECOND_NS = 1_000_000_000n

function notHeld(shown: string, count: number): string[] {
  return count === 0
    ? []
    : [said`${shown} are not restored (${formatCount(count)}): the target does not keep them`]
}

/** @param mode of which the kind of file is left out. @throws AppError `permission-denied`, `io` */
export function changeMode(path: string, mode: number): void {
  attemptAtOnce('set the permissions of', path, () => chmodSync(fsPath(path), mode & 0o7777))
}

function putTimes(path: string, { mtimeNs }: Pick<RestoredFacts, 'mtimeNs'>): void {
  if (mtimeNs === null) return
  attemptAtOnce('set the time of', path, () => setFileTimes(path, { atimeNs: mtimeNs, mtimeNs }))
}
