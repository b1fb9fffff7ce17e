// Over 600 lines because the steps of a restore share its counts and its document.
import { rm } from 'node:fs/promises'
import { type RestoreDocument, type RestoreRequest, type Unrestored } from '../../../contract/dto/restore'
import { AppError } from '../../../primitives/appError'
import { pathForDisplay } from '../../../primitives/pathText'
import { formatCount } from '../../../primitives/quantity'
import type { Catalog } from '../../catalog/catalog'
import { FactsBack } from '../../files/factsBack'
import { fsPath, joinPath } from '../../files/fileSystem'
import { LaterFolder } from '../../files/laterFolder'
import type { PlaceNotes } from '../../files/placeNotes'
import { type ContentPlace, sha256Of } from '../../files/rangeOf'
import { lendingFolder, lendingTemporaryFolder } from '../../files/scratch'
import type { Job, JobContext, JobResult } from '../../jobs/jobContext'
import type { KeptResults } from '../../jobs/keptResults'
import { newId } from '../../jobs/newId'
import { WorkSteps } from '../../jobs/workSteps'
import { openEncryptedIndex } from '../unpack/encryptedIndex'
import { digestsOf } from '../unpack/foundDigests'
import { FETCHED, needsOwnNames, OF_ALL, UNPACKED, type Unpacked, unpack } from '../unpack/unpack'
import type { Container, FoundMember, Unpacking } from '../unpack/unpacker'
import { type GivenVolume, guessedNumber } from '../volume/givenVolumes'
import { UNTOLD_SHA256 } from '../volume/indexTsv'
import { openSet } from '../volume/openSet'
import {
  type FileRow,
  hasListedSize,
  type IndexRow,
  type PartRow,
  partsByWhole,
  type SetIndex,
} from '../volume/setIndex'
import { unfinishedPath } from '../volume/unfinishedPath'
import { type BegunDocument, begunDocument } from './begunDocument'
import { openRenamed } from './openRenamed'
import { unprivileged } from './privileges'
import { repositoryFolder } from './repositoryFolder'
import { listRestoredNames, namesForTarget } from './restoredNames'
import { RestoreProgress } from './restoreProgress'
import { type Joined, type RestoredFile, type RestoredPart, RestoreTarget } from './restoreTarget'
import { containersOf, notIn, type SetContainer } from './setContainers'
import { insideNote, makeTarget, surveyedAround } from './targetFolder'
import { requireNamesAndSpace, type TargetTraits, targetTraits } from './targetTraits'
import { type Wanted, type WantedFile, wantedOf } from './wantedFiles'

interface RestoreDeps {
  readonly results: KeptResults<RestoreDocument>
  readonly notes: PlaceNotes
  readonly catalog: Pick<Catalog, 'surveyedRoots'>
}

type WholeFile = Extract<WantedFile, { whole: unknown }> & { readonly from: ContentPlace }
/** A file that is packed in a container. */
type PackedFile = Extract<WantedFile, { whole: unknown }>
type SplitFile = Extract<WantedFile, { parts: unknown }>
type ContainerRow = Pick<PartRow, 'volume' | 'label'>

/**
 * Restores files of a set from its volumes alone: names byte for byte, contents proved by SHA-256, times, permissions, links and
 * holes. What is in the target already with the right content is kept, so a restore that was interrupted, or that waits for another
 * disc, goes on where it was. The source, the plan's folder and the catalog are not needed. The result is kept whatever happens,
 * with the first failure: `verification-failed`, `exists`, `no-space`, `cancelled`, …
 * @param deps `results` keeps the document for whoever asks by its id
 */
export function restoreJob(deps: RestoreDeps, request: RestoreRequest): Job {
  return {
    kind: 'restore',
    title: `Restore to ${pathForDisplay(request.to)}`,
    run: (context) => new Restore(deps, request, context).run(),
  }
}

/** So many files of a container are hashed at once, and then take their places. */
const HASHED_AT_ONCE = 1000
/** More than any key of a repository has. */
const KEY_BYTES = 1 << 20

class Restore {
  readonly #deps: RestoreDeps
  readonly #request: RestoreRequest
  readonly #context: JobContext
  readonly #document: BegunDocument
  readonly #startedMs: number
  #volumes: readonly GivenVolume[] = []
  readonly #have = new Set<number>()
  readonly #needed = new Map<number, BegunDocument['volumesNeeded'][number]>()
  #listed: ReadonlySet<string> | null = null
  #rows: readonly IndexRow[] = []
  #wanted: Wanted = { files: [], folders: [], symlinks: [] }
  /** Containers and split files some of whose parts are on other volumes. */
  readonly #incomplete = new Map<string, readonly ContainerRow[]>()
  /** Containers that were joined from damaged parts: their members are taken as far as they can be read. */
  readonly #damagedJoined = new Set<string>()
  #facts = new FactsBack()
  /** Null until they are tried. */
  #traits: TargetTraits | null = null
  /** Whether the target cannot hold all names of the set. */
  #changesNames = false
  /** Further names of files that are restored as files of their own. */
  #linksCopied = 0
  /** Rights of programs that are put back only where the person trusts the set. */
  #untrusted: RestoreDocument['notPutBack'] = []
  readonly #told: RestoreProgress
  /** Of wanted files that are on none of the given volumes. */
  readonly #left = { files: 0, bytes: 0 }

  constructor(deps: RestoreDeps, request: RestoreRequest, context: JobContext) {
    this.#deps = deps
    this.#request = request
    this.#context = context
    this.#told = new RestoreProgress(context)
    this.#startedMs = context.clock.monotonicMs()
    this.#document = begunDocument(request, context.clock.wallMs())
  }

  async run(): Promise<JobResult> {
    const { to, force, files, volumes, trust } = this.#request
    this.#progress(null)
    const { signal } = this.#context
    const set = this.#request.originalNames
      ? await openRenamed(volumes[0] ?? '', signal)
      : await openSet(volumes)
    this.#volumes = set.volumes
    for (const { path, error } of set.damaged) {
      const { code, message } = error
      this.#document.damagedLists.push({ path, error: { code, message, path } })
    }
    const isEncrypted = set.volumes.some(({ encryptedIndex }) => encryptedIndex !== null)
    const index = isEncrypted ? await this.#wholeIndex() : set.index
    const { rows, left } = trust ? { rows: index.rows, left: [] } : unprivileged(index.rows)
    this.#rows = rows
    this.#wanted = wantedOf({ ...index, rows }, files)
    const wanted = new Set(this.#wanted.files.map(({ path }) => path))
    this.#untrusted = left.filter(({ path }) => wanted.has(path))
    this.#document.files = this.#wanted.files.length
    this.#document.bytes = this.#wanted.files.reduce((sum, { bytes }) => sum + bytes, 0)
    await makeTarget(to)
    const around = surveyedAround(this.#deps.catalog, to)
    if (around !== null) this.#note(insideNote(to, around))
    let failure: AppError | null = null
    const scratch = joinPath(to, newId('.stowage-restore'))
    try {
      await lendingFolder(this.#deps.notes, scratch, async (folder) => {
        const settlement = {
          restored: ({ bytes }: RestoredFile) => this.#count('restored', bytes),
          failed: ({ path, label }: RestoredFile, cause: unknown) => this.#failed(path, label, cause),
        }
        const traits = targetTraits(folder)
        const { names, listed } = namesForTarget(traits, this.#rows, this.#wanted)
        this.#document.renamed = listed.filter(({ restored }) => restored !== '').length
        await listRestoredNames(this.#deps.notes, to, listed)
        this.#facts = new FactsBack(undefined, traits)
        this.#traits = traits
        this.#changesNames = names.renamed.length > 0
        const facts = this.#facts
        const target = new RestoreTarget(to, folder, { force, settlement, signal, facts, names, traits })
        try {
          await this.#restoreInto(target)
        } finally {
          await target.close()
        }
      })
    } catch (thrown) {
      failure = AppError.from(thrown)
    }
    return this.#ended(failure)
  }

  #wholeIndex(): Promise<SetIndex> {
    const { password } = this.#request
    const { notes } = this.#deps
    return openEncryptedIndex(this.#volumes, {
      password,
      notes,
      signal: this.#context.signal,
    })
  }

  async #restoreInto(target: RestoreTarget): Promise<void> {
    for (const folder of this.#wanted.folders) {
      try {
        await target.folder(folder)
        this.#document.folders += 1
      } catch (thrown) {
        this.#failed(folder.path, folder.label, thrown)
      }
    }
    const { plain, split, packed, links } = await this.#inReadingOrder(target)
    for (const { files } of packed) this.#told.expectPacked(files)
    const later: WholeFile[] = [...links]
    for (const file of plain) {
      if (file.whole.linkOf !== null) later.push(file)
      else await this.#restoreFile(target, file)
    }
    for (const file of split) await this.#joinFile(target, file)
    if (packed.length > 0) {
      const { notes } = this.#deps
      await lendingFolder(notes, joinPath(this.#request.to, newId('.stowage-unpack')), async (scratch) => {
        for (const { container, files } of packed)
          await this.#restorePacked(target, container, files, scratch)
      })
    }
    await target.settle()
    for (const file of later) await this.#restoreLink(target, file)
    for (const link of this.#wanted.symlinks) {
      const { path, label, target: points } = link
      if (points === null) {
        this.#note('symbolic links are not restored: the index of this older plan has no link targets')
        continue
      }
      if (!this.#traits?.symlinks) {
        this.#document.linksLeft += 1
        continue
      }
      try {
        await target.symlink(points, link)
        this.#document.symlinks += 1
      } catch (thrown) {
        this.#failed(path, label, thrown)
      }
    }
    await target.finish(this.#wanted.folders)
  }

  /**
   * The wanted files in the order in which they lie on the given volumes; what is on other volumes is noted as needed, unless it
   * seems to be restored.
   */
  async #inReadingOrder(target: RestoreTarget): Promise<{
    plain: WholeFile[]
    split: SplitFile[]
    packed: { container: SetContainer; files: PackedFile[] }[]
    /** Further names of packed and of split files. */
    links: WholeFile[]
  }> {
    const plain: WholeFile[] = []
    const split: SplitFile[] = []
    const packed: PackedFile[] = []
    const names: WholeFile[] = []
    const splitPaths = partsByWhole(this.#rows)
    const wantedPaths = new Set(this.#wanted.files.map(({ path }) => path))
    for (const volume of this.#volumes) {
      const own = volume.number ?? (await guessedNumber(volume))
      if (own !== null) this.#have.add(own)
    }
    for (const file of this.#wanted.files) {
      if ('parts' in file) {
        split.push(file)
        continue
      }
      if (file.whole.packed) {
        packed.push(file)
        continue
      }
      const parts = splitPaths.get(file.whole.linkOf ?? '')
      if (parts) {
        // Without its first name, a further name of a split file is joined by itself.
        if (wantedPaths.has(file.whole.linkOf ?? '')) names.push(linkedHere(target, file))
        else split.push({ path: file.path, bytes: file.bytes, parts })
        continue
      }
      const from = await this.#placeOf(file.whole)
      if (from !== null) plain.push({ ...file, from })
      else await this.#without(target, file, [file.whole])
    }
    plain.sort((a, b) => a.whole.volume - b.whole.volume || a.from.offset - b.from.offset)
    const groups = await this.#packedGroups(target, packed)
    return { plain, split, packed: groups.packed, links: [...groups.links, ...names] }
  }

  /** Packed files by the containers that are at hand, at least in part; each is unpacked once. */
  async #packedGroups(
    target: RestoreTarget,
    packed: readonly PackedFile[],
  ): Promise<{ packed: { container: SetContainer; files: PackedFile[] }[]; links: WholeFile[] }> {
    const paths = new Set(packed.map(({ path }) => path))
    const containers = containersOf(this.#rows, new Set(packed.map(({ whole }) => whole.packed?.in ?? '')))
    const groups = new Map<SetContainer, { container: SetContainer; files: PackedFile[] }>()
    const absent = new Map<SetContainer, readonly ContainerRow[]>()
    const links: WholeFile[] = []
    for (const container of containers.values()) {
      const lacking = await this.#lacking(container)
      const isHopeless =
        container.kind === 'parts' ? lacking.length === container.rows.length : lacking.length > 0
      if (isHopeless) absent.set(container, lacking)
    }
    for (const file of packed) {
      const { path, bytes, whole } = file
      const container = containers.get(whole.packed?.in ?? '')
      const lacking = container && absent.get(container)
      if (!container) {
        this.#failed(path, whole.label, notIn(path, whole.packed?.in ?? '', 'the index does not have it'))
        this.#leaveOut(bytes)
      } else if (lacking) await this.#without(target, file, lacking)
      else if (whole.linkOf !== null && paths.has(whole.linkOf)) links.push(linkedHere(target, file))
      else {
        const group = groups.get(container) ?? { container, files: [] }
        group.files.push(file)
        groups.set(container, group)
      }
    }
    const volumeOf = ({ container }: { container: SetContainer }): number => container.rows[0]?.volume ?? 0
    return { packed: [...groups.values()].toSorted((a, b) => volumeOf(a) - volumeOf(b)), links }
  }

  /** What of a container is on none of the given volumes. */
  async #lacking({ rows }: SetContainer): Promise<ContainerRow[]> {
    const lacking: ContainerRow[] = []
    for (const row of rows) if ((await this.#placeOf(row)) === null) lacking.push(row)
    return lacking
  }

  /** Leaves a file out whose content, or that of its container, is not at hand. */
  async #without(target: RestoreTarget, file: PackedFile, rows: readonly ContainerRow[]): Promise<void> {
    this.#leaveOut(file.bytes)
    if (await target.seemsRestored(file.whole)) return this.#count('kept', file.bytes)
    for (const [volume, label] of new Map(rows.map((row) => [row.volume, row.label])))
      this.#absent(file.path, { volume, label, bytes: file.bytes })
  }

  #leaveOut(bytes: number): void {
    this.#left.files += 1
    this.#left.bytes += bytes
  }

  /** Notes content that is on none of the given volumes: missing from one of them, or on another one that is needed. */
  #absent(path: string, row: { volume: number; label: string; bytes: number }): void {
    const { volume: index, label, bytes } = row
    if (this.#have.has(index)) {
      const message = `cannot restore ${pathForDisplay(path)}: it is missing on ${label}`
      this.#document.missing.push({ path, label, error: { code: 'verification-failed', message, path } })
      return
    }
    const needed = this.#needed.get(index) ?? { index, label, files: 0, bytes: 0 }
    needed.files += 1
    needed.bytes += bytes
    this.#needed.set(index, needed)
  }

  async #placeOf(row: Pick<FileRow, 'path' | 'bytes' | 'sha256'>): Promise<ContentPlace | null> {
    for (const volume of this.#volumes) {
      const place = await volume.placeOf(row.path)
      if (place && hasListedSize(row, place.bytes)) return place
    }
    return null
  }

  async #restoreFile(target: RestoreTarget, { path, bytes, whole, from }: WholeFile): Promise<void> {
    await this.#counting(path, whole.label, bytes, (onBytes) => target.file({ ...whole, from }, onBytes))
  }

  async #joinFile(target: RestoreTarget, { path, bytes, parts }: SplitFile): Promise<void> {
    const [first] = parts
    if (!first) return
    const placed: RestoredPart[] = []
    for (const part of parts) placed.push({ ...part, from: await this.#placeOf(part) })
    const file = { ...first, path, bytes, sha256: first.wholeSha256 }
    await this.#counting(path, first.label, bytes, async (onBytes) => {
      const end = await target.join(file, placed, this.#waitingNames(target, file), onBytes)
      if (typeof end === 'string') return end
      for (const part of end.lacking) this.#absent(path, part)
      this.#waits(path, end)
      await this.#discardHopeless(end)
      return null
    })
  }

  /** Where a split file can wait for its parts: nothing of the set has such a name. */
  #waitingNames(target: RestoreTarget, { path, sha256 }: { path: string; sha256: string }): string[] {
    this.#listed ??= new Set(this.#rows.map((row) => target.pathIn(row.path)))
    const place = target.pathIn(path)
    const names = [unfinishedPath(place), unfinishedPath(`${place}.${sha256.slice(0, 8)}`)]
    return names.filter((name) => this.#listed?.has(name) !== true)
  }

  /** Unpacks a container, and restores those of its files that are not there already. */
  async #restorePacked(
    target: RestoreTarget,
    container: SetContainer,
    files: readonly PackedFile[],
    parent: string,
  ): Promise<void> {
    const waiting: PackedFile[] = []
    for (const file of files) {
      await this.#counting(file.path, file.whole.label, file.bytes, async (onBytes) => {
        if (await target.keeps(file.whole, onBytes)) {
          this.#told.notUnpacked(file.bytes)
          return 'kept'
        }
        waiting.push(file)
        return 'waiting'
      })
    }
    if (waiting.length === 0) return
    if (!(this.#changesNames && needsOwnNames(container.method)))
      return this.#restoreWaiting(target, container, waiting, parent)
    await lendingTemporaryFolder(this.#deps.notes, 'restore', async (folder) => {
      await requireNamesAndSpace(
        folder,
        waiting.reduce((sum, { bytes }) => sum + bytes, 0),
      )
      await this.#restoreWaiting(target, container, waiting, folder)
    })
  }

  /** @param parent a folder that can hold the names of the container's files, if those are unpacked under their names */
  async #restoreWaiting(
    target: RestoreTarget,
    container: SetContainer,
    waiting: readonly PackedFile[],
    parent: string,
  ): Promise<void> {
    const scratch = new LaterFolder(() => joinPath(parent, newId('container')))
    let joined: string | null = null
    let isDone = false
    this.#told.begin(waiting)
    try {
      const before = this.#told.bytesDone
      const bytes = waiting.reduce((sum, file) => sum + file.bytes, 0)
      const steps = new WorkSteps((share) => {
        this.#told.bytesDone = before + bytes * share
        this.#progress(container.path)
      })
      const from = await this.#containerAt(target, container, waiting, scratch, steps.until(FETCHED))
      if (from === null) return
      if (container.kind === 'parts' && 'file' in from) joined = from.file
      const onShare = steps.until(UNPACKED)
      const unpacked = await this.#unpacked(container, from, waiting, scratch, { bytes, onShare })
      await this.#takeMembers(target, container, waiting, { ...unpacked, scratch, share: steps.left })
      isDone = true
    } finally {
      this.#told.end(isDone)
      // Joined only to be unpacked; when something ends the restore, a right one waits for the next.
      if (joined !== null && (isDone || this.#damagedJoined.has(container.path)))
        await rm(fsPath(joined), { force: true })
      await scratch.remove()
    }
  }

  async #takeMembers(
    target: RestoreTarget,
    container: SetContainer,
    waiting: readonly PackedFile[],
    { found, failure, scratch, share }: Unpacked & { readonly scratch: LaterFolder; readonly share: number },
  ): Promise<void> {
    const uses = new Map<string, number>()
    for (const { content } of found.values())
      if (content && 'file' in content) uses.set(content.file, (uses.get(content.file) ?? 0) + 1)
    const isOurs = (content: FoundMember['content']): content is ContentPlace =>
      content !== null &&
      'file' in content &&
      content.offset === 0 &&
      uses.get(content.file) === 1 &&
      scratch.holds(content.file) &&
      scratch.path().startsWith(`${this.#request.to}/`)
    const foundOf = ({ whole }: PackedFile): FoundMember | undefined => found.get(whole.packed?.member ?? '')
    for (let at = 0; at < waiting.length; at += HASHED_AT_ONCE) {
      const some = waiting.slice(at, at + HASHED_AT_ONCE)
      const own = some.flatMap((file) => {
        const one = foundOf(file)
        return one && isOurs(one.content) ? [[file.path, one] as const] : []
      })
      const before = this.#told.bytesDone
      const follow = (done: number): void => {
        this.#told.bytesDone = before + done * share
        this.#progress(container.path)
      }
      const digests = await digestsOf(own, this.#context.signal, follow)
      follow(own.reduce((sum, [, { bytes }]) => sum + bytes, 0))
      for (const file of some) {
        const { path, bytes, whole } = file
        const from = foundOf(file)?.content
        const ours = digests.get(path)
        const work = async (onBytes: (done: number) => void): Promise<'written'> => {
          if (!from) throw notIn(path, container.path, failure?.message ?? 'it is not there')
          if (ours instanceof AppError) throw ours
          return target.absentFile({ ...whole, from, ours }, onBytes)
        }
        await this.#counting(path, whole.label, bytes, work, ours === undefined ? share : 0)
      }
    }
    // Some systems cannot remove what is open.
    await target.close()
  }

  /** Where a container is, joined if need be; null if something of it is on other volumes, which is noted. */
  async #containerAt(
    target: RestoreTarget,
    { kind, path, rows }: SetContainer,
    waiting: readonly PackedFile[],
    scratch: LaterFolder,
    onShare: (share: number) => void,
  ): Promise<Container | null> {
    const [first] = rows
    if (!first) return null
    if (kind === 'file') return this.#placeOf(first)
    const places = await Promise.all(rows.map(async (row) => ({ row, from: await this.#placeOf(row) })))
    if (kind === 'repository') {
      const { signal } = this.#context
      const folders = this.#volumes.flatMap(({ folder }) => folder ?? [])
      return { folder: await repositoryFolder(path, places, folders, { scratch, signal, onShare }) }
    }
    const parts = places.flatMap(({ row, from }) => (row.kind === 'part' ? [{ ...row, from }] : []))
    const sha256 = parts[0]?.wholeSha256 ?? ''
    const bytes = parts.reduce((sum, part) => sum + part.bytes, 0)
    const name = `stowage-${sha256.slice(0, 16)}.joining`
    let done = 0
    const onBytes = (more: number): void => onShare((done += more) / (2 * bytes))
    const joined = await target.joinedAt({ path, bytes, sha256 }, parts, [name], onBytes)
    if (joined.lacking.length === 0) {
      if (!joined.isWhole) this.#damagedJoined.add(path)
      for (const { error } of joined.unread) this.#note(error.message)
      return { file: joined.path, offset: 0, bytes }
    }
    for (const file of waiting) await this.#without(target, file, joined.lacking)
    this.#waits(path, joined)
    await this.#discardHopeless(joined)
    return null
  }

  /** Notes what is joined in part: the volumes that it waits for, and those at hand of which a part cannot be read. */
  #waits(path: string, { lacking, unread }: Joined): void {
    this.#incomplete.set(path, lacking)
    for (const { part, error } of unread) this.#failed(path, part.label, error)
  }

  /** Removes what is joined so far where no further volume can bring the rest: it is missing on those at hand. */
  async #discardHopeless({ path, lacking }: Joined): Promise<void> {
    if (lacking.every(({ volume }) => this.#have.has(volume))) await rm(fsPath(path), { force: true })
  }

  async #unpacked(
    container: SetContainer,
    from: Container,
    waiting: readonly PackedFile[],
    parent: LaterFolder,
    following: Pick<Unpacking, 'bytes' | 'onShare'>,
  ): Promise<Unpacked> {
    const { path, method } = container
    const { signal } = this.#context
    const unpacking = new LaterFolder(() => joinPath(parent.path(), 'members'))
    const members = new Set(waiting.map(({ whole }) => whole.packed?.member ?? ''))
    this.#progress(path)
    const { password } = this.#request
    const work = { scratch: () => unpacking.path(), digestsOnly: false, password, signal, ...following }
    try {
      return await unpack(method, from, members, work)
    } catch (thrown) {
      const failure = AppError.from(thrown)
      if (failure.code !== 'wrong-password' || !(await this.#isDamaged(container))) throw failure
      const because = 'its content is damaged (SHA-256 differs)'
      return { found: new Map(), failure: new AppError('verification-failed', because) }
    }
  }

  /** Whether a container is not as listed, for programs take some damage for a wrong password. Joined ones are proved already. */
  async #isDamaged({ kind, path, rows }: SetContainer): Promise<boolean> {
    if (kind === 'parts') return this.#damagedJoined.has(path)
    for (const row of rows) {
      // Of a repository only keys and settings count, which are short.
      if (kind === 'repository' && row.bytes > KEY_BYTES) continue
      // The password has opened the index already.
      if (row.sha256 === UNTOLD_SHA256) return true
      const place = await this.#placeOf(row)
      if (place && (await sha256Of(place, this.#context.signal)) !== row.sha256) return true
    }
    return false
  }

  async #restoreLink(target: RestoreTarget, file: WholeFile): Promise<void> {
    const { path, bytes, whole, from } = file
    const isHere = from.file === target.placeOf(whole.linkOf ?? '')
    const lacking = this.#incomplete.get(whole.packed?.in ?? whole.linkOf ?? '')
    if (lacking) return this.#without(target, file, lacking)
    await this.#counting(path, whole.label, bytes, async (onBytes) => {
      if (isHere && !(await target.hasContent(whole.linkOf ?? path, whole)))
        throw notIn(path, whole.packed?.in ?? whole.label, 'its first name is not restored')
      const linked = await target.link(path, whole.linkOf ?? path, whole)
      if (linked === null && this.#traits?.hardLinks === false) this.#linksCopied += 1
      return linked ?? target.file({ ...whole, from }, onBytes)
    })
    await target.settle()
  }

  /**
   * Counts one file's work, whose failure does not end the restore. What is only written counts when it has its name.
   * @param share of all the work with the file
   */
  async #counting(
    path: string,
    label: string,
    bytes: number,
    work: (onBytes: (done: number) => void) => Promise<'written' | 'restored' | 'kept' | 'waiting' | null>,
    share = 1,
  ): Promise<void> {
    const before = this.#told.bytesDone
    try {
      const end = await work((done) => {
        this.#told.bytesDone += done * share
        this.#progress(path)
      })
      if (end === 'waiting') {
        this.#told.bytesDone = before
        return
      }
      if (end === 'restored' || end === 'kept') this.#count(end, bytes)
    } catch (thrown) {
      this.#failed(path, label, thrown)
    }
    this.#told.bytesDone = before + bytes * share
    this.#told.filesDone += 1
    this.#progress(path)
  }

  #count(end: 'restored' | 'kept', bytes: number): void {
    this.#document[end] += 1
    if (end === 'restored') this.#document.restoredBytes += bytes
  }

  /** Notes what hinders one file; what hinders all ends the restore. */
  #failed(path: string, label: string, thrown: unknown): void {
    const error = AppError.from(thrown)
    if (OF_ALL.has(error.code)) throw error
    const { code, message } = error
    const list = code === 'exists' ? this.#document.differing : this.#document.damaged
    list.push({ path, label, error: { code, message, path } } satisfies Unrestored)
  }

  #note(text: string): void {
    if (!this.#document.notes.includes(text)) this.#document.notes.push(text)
  }

  #progress(current: string | null): void {
    const { files, bytes } = this.#document
    this.#told.tell(current, { files: files - this.#left.files, bytes: bytes - this.#left.bytes })
  }

  #ended(thrown: AppError | null): JobResult {
    const document = this.#document
    const { damaged, missing, differing, damagedLists } = document
    const [worst] = [...damaged, ...missing, ...differing, ...damagedLists]
    const failure = thrown ?? (worst === undefined ? null : AppError.fromWire(worst.error))
    document.volumesNeeded = [...this.#needed.values()].toSorted((a, b) => a.index - b.index)
    document.ownersLeft = this.#facts.ownersLeft
    for (const line of this.#facts.unheld) this.#note(line)
    if (this.#linksCopied > 0)
      this.#note(
        `hard links are restored as copies (${formatCount(this.#linksCopied)}): the target has no hard links`,
      )
    document.notPutBack = [...this.#facts.refused, ...this.#untrusted]
    document.untrusted = this.#untrusted.length
    document.elapsedMs = this.#context.clock.monotonicMs() - this.#startedMs
    if (failure) document.outcome = failure.code === 'cancelled' ? 'cancelled' : 'failed'
    else if (document.volumesNeeded.length > 0) document.outcome = 'incomplete'
    this.#deps.results.keep(document.id, document)
    return failure ? { kept: document.id, error: failure } : document.id
  }
}

/** A further name of a file, whose content is read from its first name in the target. */
function linkedHere(target: RestoreTarget, file: PackedFile): WholeFile {
  const { bytes, whole } = file
  return { ...file, from: { file: target.placeOf(whole.linkOf ?? ''), offset: 0, bytes } }
}
