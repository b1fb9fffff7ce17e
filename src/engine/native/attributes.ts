import { getSystemErrorName } from 'node:util'
import type { ExtendedAttribute, Owner } from '../../domain/sets/ownership'
import { AppError } from '../../primitives/appError'
import { pathFromBytes, pathToBytes } from '../../primitives/pathText'
import { said } from '../../primitives/said'
import { loadAddon } from './loadAddon'
import { finishedWork } from './nativeWork'

/**
 * The properties of a file, a folder or a link in addition to content, time of last change and
 * permissions.
 */
export interface FileAttributes {
  readonly owner: Owner
  /** In nanoseconds since 1970; null where the file system does not keep it. */
  readonly createdNs: bigint | null
  readonly attributes: readonly ExtendedAttribute[]
  /**
   * Names of those that are not kept: they belong to one system, are too large, or cannot be read.
   */
  readonly left: readonly string[]
}

const SECOND_NS = 1_000_000_000n

/**
 * Owners, creation times and extended attributes of files, folders, or links themselves, in the
 * order of the paths; null where the system gives none of them, for a file that is gone say.
 * @throws AppError `cancelled`
 */
export async function readAttributes(
  paths: readonly string[],
  signal: AbortSignal,
): Promise<(FileAttributes | null)[]> {
  if (signal.aborted) throw cancelled()
  const raw = loadAddon().readAttributes(paths.map(pathToBytes))
  const found = await finishedWork(raw, signal)
  const { cancelled: isCancelled, owners, errors, kept, left } = found
  if (isCancelled) throw cancelled()
  const attributes = new Map<number, ExtendedAttribute[]>()
  for (const { index, name, value } of kept) {
    const one = { name: pathFromBytes(name), value: Buffer.from(value).toString('hex') }
    attributes.set(index, [...(attributes.get(index) ?? []), one])
  }
  const others = new Map<number, string[]>()
  for (const { index, name } of left) others.set(index, [...(others.get(index) ?? []), pathFromBytes(name)])
  const names = accountNames()
  return paths.map((_, at) => {
    if (errors[at] !== 0) return null
    const owner = names({ uid: owners[2 * at] ?? 0, gid: owners[2 * at + 1] ?? 0 })
    const seconds = found.createdSeconds[at] ?? Number.NaN
    const createdNs = Number.isNaN(seconds)
      ? null
      : BigInt(seconds) * SECOND_NS + BigInt(found.createdNanoseconds[at] ?? 0)
    return { owner, createdNs, attributes: attributes.get(at) ?? [], left: others.get(at) ?? [] }
  })
}

/**
 * Sets an extended attribute of a file, a folder, or a link itself.
 * @throws the system's errors, with Node's `code`
 */
export function setAttribute(path: string, { name, value }: ExtendedAttribute): void {
  const error = loadAddon().setAttribute(pathToBytes(path), pathToBytes(name), Buffer.from(value, 'hex'))
  if (error === 0) return
  const code = getSystemErrorName(-error)
  throw Object.assign(new Error(`${code}: cannot set an extended attribute`), { code, errno: -error })
}

/**
 * The numbers that this system knows an owner by: of the names, where it has them, else the given
 * ones.
 */
export function localIds({ uid, gid, user, group }: Owner): { readonly uid: number; readonly gid: number } {
  const { accountId } = loadAddon()
  return {
    uid: (user ? accountId(false, pathToBytes(user)) : null) ?? uid,
    gid: (group ? accountId(true, pathToBytes(group)) : null) ?? gid,
  }
}

/** Owners with the names that this system has for the numbers; each is made and looked up once. */
function accountNames(): (owner: { readonly uid: number; readonly gid: number }) => Owner {
  const { accountName } = loadAddon()
  const owners = new Map<string, Owner>()
  const known = [new Map<number, string | null>(), new Map<number, string | null>()] as const
  const nameOf = (isGroup: boolean, id: number): string | null => {
    const names = known[isGroup ? 1 : 0]
    if (!names.has(id)) {
      const name = accountName(isGroup, id)
      names.set(id, name && pathFromBytes(name))
    }
    return names.get(id) ?? null
  }
  return ({ uid, gid }) => {
    const key = `${uid}:${gid}`
    const made = owners.get(key)
    if (made) return made
    const [user, group] = [nameOf(false, uid), nameOf(true, gid)]
    const owner = { uid, gid, ...(user === null ? {} : { user }), ...(group === null ? {} : { group }) }
    owners.set(key, owner)
    return owner
  }
}

function cancelled(): AppError {
  return new AppError('cancelled', said`reading owners and extended attributes was cancelled`)
}
