import type { PlanEntry } from '../../../contract/dto/plan'
import { AppError } from '../../../primitives/appError'
import { copyOut } from '../../files/copy'
import { joinPath } from '../../files/fileSystem'
import { type ContentPlace, rangeOf } from '../../files/read'
import { LazyTempFolder, type PlaceNotes, withTempFolder } from '../../files/scratch'
import { writeNewFile } from '../../files/write'
import { newId } from '../../jobs/newId'
import { WorkSteps } from '../../jobs/workSteps'
import { digestsOf } from '../unpack/foundDigests'
import { FETCHED, isRepository, UNPACKED, unpack } from '../unpack/unpack'
import type { Container, FoundMember } from '../unpack/unpacker'
import type { FileDifference } from '../volume/open/difference'

/** A file of the source in a container, under its name there. */
export interface Member {
  readonly path: string
  readonly bytes: number
  readonly sha256: string
  readonly container: string
  readonly name: string
}

/** A file on a volume that is a container, a part of one, or a file of a repository. */
export interface Held {
  readonly path: string
  readonly container: string
  readonly method: string
  /** Which part it is, and of how many; null for what is none. */
  readonly part: { readonly number: number; readonly of: number } | null
}

interface Checking {
  /** A folder in which archives are unpacked for a while: that of the plan, or a temporary one. */
  readonly directory: string
  readonly members: readonly Member[]
  readonly password: Uint8Array | null
  readonly notes: PlaceNotes
  readonly signal: AbortSignal
}

/**
 * A container as it is known while volumes are read: the places of its file, of its parts or of the
 * files of its repository.
 */
interface Known {
  readonly method: string
  readonly label: string
  readonly places: Map<string, ContentPlace>
  /** Those that it has in all: its files by their paths, or how many parts. */
  readonly files: Set<string>
  readonly parts: number
}

/** A difference, with the first volume that has some of the container. */
export interface MemberDifference {
  readonly label: string
  readonly difference: FileDifference
}

/**
 * Unpacks the containers of a packed set, one after another, and compares the digest of every file
 * in them with the source's: with the program that also restores them. Containers whose content on
 * the volume is not right are not unpacked.
 */
export class PackedContents {
  readonly #checking: Checking
  readonly #membersIn: ReadonlyMap<string, readonly Member[]>
  readonly #waiting = new Map<string, Known>()
  #checked = 0

  constructor(checking: Checking) {
    this.#checking = checking
    this.#membersIn = Map.groupBy(checking.members, ({ container }) => container)
  }

  /**
   * The bytes of the files that are checked with each volume, if these are read in their order.
   * @param volumes what is on each of them
   */
  bytesWith(volumes: readonly (readonly Held[])[]): number[] {
    const last = new Map<string, { at: number; missing: number }>()
    for (const [at, held] of volumes.entries())
      for (const { container, part } of held)
        last.set(container, { at, missing: part ? (last.get(container)?.missing ?? part.of) - 1 : 0 })
    const bytes = volumes.map(() => 0)
    for (const [container, { at, missing }] of last)
      if (missing === 0) bytes[at] = (bytes[at] ?? 0) + bytesOf(this.#membersIn.get(container) ?? [])
    return bytes
  }

  /**
   * Checks the containers that are complete with this volume.
   * @param places of what is right on it, by path
   * @param onBytes how many bytes of files are checked so far
   * @returns a difference for every file that does not come out as it went in
   * @throws AppError `wrong-password`, `tool-missing`, `no-space`, `cancelled`
   */
  async differences(
    { label, held }: { readonly label: string; readonly held: readonly Held[] },
    places: ReadonlyMap<string, ContentPlace>,
    onBytes: (done: number) => void,
  ): Promise<MemberDifference[]> {
    for (const { path, container, method, part } of held) {
      const known = this.#waiting.get(container) ?? {
        method,
        label,
        places: new Map<string, ContentPlace>(),
        files: new Set<string>(),
        parts: part?.of ?? 0,
      }
      if (part === null) known.files.add(path)
      const place = places.get(path)
      if (place) known.places.set(path, place)
      this.#waiting.set(container, known)
    }
    const complete = [...this.#waiting].filter(
      ([, known]) => known.places.size >= known.parts + known.files.size,
    )
    if (complete.length === 0) return []
    const { directory, notes } = this.#checking
    return withTempFolder(notes, joinPath(directory, newId('.stowage-verify')), async (scratch) => {
      const differences: MemberDifference[] = []
      let before = 0
      for (const [path, known] of complete) {
        this.#waiting.delete(path)
        differences.push(...(await this.#check(path, known, scratch, (done) => onBytes(before + done))))
        before += bytesOf(this.#membersIn.get(path) ?? [])
      }
      return differences
    })
  }

  /** How many files were compared. */
  get checked(): number {
    return this.#checked
  }

  async #check(
    path: string,
    { method, label, places }: Known,
    above: string,
    onBytes: (done: number) => void,
  ): Promise<MemberDifference[]> {
    const { password, signal } = this.#checking
    const members = this.#membersIn.get(path) ?? []
    if (members.length === 0) return []
    const scratch = new LazyTempFolder(() => joinPath(above, 'container'))
    const unpacking = new LazyTempFolder(() => joinPath(scratch.path(), 'members'))
    const bytes = bytesOf(members)
    const steps = new WorkSteps((share) => onBytes(bytes * share))
    const container = await containerFrom(method, path, places, scratch, signal, steps.until(FETCHED))
    const names = new Set(members.map(({ name }) => name))
    const { found, failure } = await unpack(method, container, names, {
      scratch: () => unpacking.path(),
      digestsOnly: true,
      password,
      signal,
      bytes,
      onShare: steps.until(UNPACKED),
    })
    const onShare = steps.until(1)
    const digests = await digestsOf(found, signal, (done) => onShare(bytes === 0 ? 1 : done / bytes))
    this.#checked += members.length
    const differences = members.flatMap((member): MemberDifference[] => {
      const { name } = member
      const difference = differenceOf(member, found.get(name), digests.get(name), failure)
      return difference === null ? [] : [{ label, difference }]
    })
    onShare(1)
    await scratch.remove()
    return differences
  }
}

function differenceOf(
  { path, bytes, sha256, container }: Member,
  found: FoundMember | undefined,
  digest: string | AppError | undefined,
  failure: AppError | null,
): FileDifference | null {
  if (found === undefined || digest === undefined)
    return { path, code: 'missing-member', container, because: failure?.message ?? null }
  if (digest instanceof AppError)
    return { path, code: 'unreadable-member', container, because: digest.message }
  return found.bytes === bytes && digest === sha256 ? null : { path, code: 'other-member', container }
}

/** The files of a plan that are in containers; further names of a file are not among them. */
export function membersOf(entries: readonly PlanEntry[]): Member[] {
  return entries.flatMap((entry) =>
    entry.kind === 'file' && entry.in !== undefined && entry.linkOf === undefined
      ? [{ ...entry, container: entry.in, name: entry.member ?? entry.path }]
      : [],
  )
}

/** The containers among the entries of a volume, with parts and files of repositories. */
export function heldOf(entries: readonly PlanEntry[]): Held[] {
  return entries.flatMap((entry): Held[] => {
    if ((entry.kind !== 'file' && entry.kind !== 'part') || entry.method === undefined) return []
    const { path, method } = entry
    if (entry.kind === 'file') return [{ path, container: containerOf(path, method), method, part: null }]
    const part = { number: entry.part, of: entry.parts }
    return [{ path, container: containerOf(entry.wholePath, method), method, part }]
  })
}

/** A repository is a folder; every other container is a file. */
export function containerOf(path: string, method: string): string {
  return isRepository(method) ? (path.split('/', 1)[0] as string) : path
}

function bytesOf(files: readonly { readonly bytes: number }[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0)
}

/**
 * One file stays where it is; parts are joined, and a repository is put together, in a folder for a
 * while.
 */
async function containerFrom(
  method: string,
  path: string,
  places: ReadonlyMap<string, ContentPlace>,
  scratch: LazyTempFolder,
  signal: AbortSignal,
  onShare: (share: number) => void,
): Promise<Container> {
  const total = bytesOf([...places.values()])
  let done = 0
  async function* followed(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, void> {
    for await (const piece of pieces) {
      yield piece
      onShare((done += piece.length) / total)
    }
  }
  const [only] = places.values()
  if (!isRepository(method)) {
    if (only && places.size === 1) return only
    const joined = joinPath(scratch.path(), 'joined')
    const parts = [...places].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, place]) => place)
    await writeNewFile(joined, followed(contentOf(parts, signal)), { flush: false, signal })
    return { file: joined, offset: 0, bytes: total }
  }
  const folder = joinPath(scratch.path(), 'repository')
  for (const [name, place] of places) {
    const file = joinPath(folder, name.slice(path.length + 1))
    await copyOut(place, file, signal, (more) => onShare((done += more) / total))
  }
  return { folder }
}

async function* contentOf(
  places: readonly ContentPlace[],
  signal: AbortSignal,
): AsyncGenerator<Buffer, void, void> {
  for (const place of places) yield* rangeOf(place, signal)
}
