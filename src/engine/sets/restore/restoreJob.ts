import { mkdir, stat } from 'node:fs/promises'
import {
  type NeededVolume,
  RESTORE_SCHEMA,
  type RestoreDocument,
  type RestoreRequest,
  type Unrestored,
} from '../../../contract/dto/restore'
import { AppError } from '../../../primitives/appError'
import { pathForDisplay } from '../../../primitives/pathText'
import { fileFailure, fsPath, joinPath } from '../../files/fileSystem'
import type { PlaceNotes } from '../../files/placeNotes'
import { type ContentPlace } from '../../files/rangeOf'
import { lendingFolder } from '../../files/scratch'
import type { Job, JobContext, JobResult } from '../../jobs/jobContext'
import type { KeptResults } from '../../jobs/keptResults'
import { newId } from '../../jobs/newId'
import { unfinishedPath } from '../export/rejoinScript'
import { type GivenVolume, openVolumes } from './givenVolumes'
import { type RestoredFile, type RestoredPart, RestoreTarget } from './restoreTarget'
import { type Wanted, type WantedFile, wantedOf } from './wantedFiles'

type WholeFile = Extract<WantedFile, { whole: unknown }> & { readonly from: ContentPlace }
type SplitFile = Extract<WantedFile, { parts: unknown }>
type Mutable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer E)[] ? E[] : T[K] }

/**
 * Restores files of a set from its volumes alone: names byte for byte, contents proved by SHA-256, times, permissions, links and
 * holes. What is in the target already with the right content is kept, so a restore that was interrupted, or that waits for another
 * disc, goes on where it was. The source, the plan's folder and the catalog are not needed.
 * The result is kept whatever happens, with the first failure: `verification-failed`, `exists`, `no-space`, `cancelled`, …
 * @param deps `results` keeps the document for whoever asks by its id
 */
export function restoreJob(
  deps: { readonly results: KeptResults<RestoreDocument>; readonly notes: PlaceNotes },
  request: RestoreRequest,
): Job {
  return {
    kind: 'restore',
    title: `Restore to ${pathForDisplay(request.to)}`,
    run: (context) => new Restore(deps, request, context).run(),
  }
}

class Restore {
  readonly #deps: { readonly results: KeptResults<RestoreDocument>; readonly notes: PlaceNotes }
  readonly #request: RestoreRequest
  readonly #context: JobContext
  readonly #document: Mutable<RestoreDocument>
  readonly #startedMs: number
  #volumes: readonly GivenVolume[] = []
  readonly #have = new Set<number>()
  readonly #needed = new Map<number, Mutable<NeededVolume>>()
  #listed: ReadonlySet<string> | null = null
  #wanted: Wanted = { files: [], folders: [], symlinks: [] }
  #filesDone = 0
  #bytesDone = 0
  /** Of wanted files that are on none of the given volumes. */
  #filesAbsent = 0
  #bytesAbsent = 0

  constructor(
    deps: { readonly results: KeptResults<RestoreDocument>; readonly notes: PlaceNotes },
    request: RestoreRequest,
    context: JobContext,
  ) {
    this.#deps = deps
    this.#request = request
    this.#context = context
    this.#startedMs = context.clock.monotonicMs()
    this.#document = {
      schema: RESTORE_SCHEMA,
      id: newId('r'),
      volumes: [...request.volumes],
      directory: request.to,
      startedWallMs: context.clock.wallMs(),
      elapsedMs: 0,
      outcome: 'done',
      files: 0,
      bytes: 0,
      restored: 0,
      restoredBytes: 0,
      kept: 0,
      folders: 0,
      symlinks: 0,
      damaged: [],
      missing: [],
      differing: [],
      repaired: 0,
      volumesNeeded: [],
      notes: [],
    }
  }

  async run(): Promise<JobResult> {
    const { to, force, files, volumes } = this.#request
    this.#progress(null)
    this.#volumes = await openVolumes(volumes)
    const [first] = this.#volumes
    if (!first) throw new AppError('usage', 'no volume is given')
    this.#wanted = wantedOf(first.index, files)
    this.#document.files = this.#wanted.files.length
    this.#document.bytes = this.#wanted.files.reduce((sum, { bytes }) => sum + bytes, 0)
    await makeTarget(to)
    let failure: AppError | null = null
    const scratch = joinPath(to, newId('.stowage-restore'))
    try {
      await lendingFolder(this.#deps.notes, scratch, async (folder) => {
        const settlement = {
          restored: ({ bytes }: RestoredFile) => this.#count('restored', bytes),
          failed: ({ path, label }: RestoredFile, cause: unknown) => this.#failed(path, label, cause),
        }
        const target = new RestoreTarget(to, folder, { force, settlement, signal: this.#context.signal })
        await this.#restoreInto(target)
      })
    } catch (thrown) {
      failure = AppError.from(thrown)
    }
    return this.#ended(failure)
  }

  async #restoreInto(target: RestoreTarget): Promise<void> {
    for (const { path, label } of this.#wanted.folders) {
      try {
        await target.folder(path)
        this.#document.folders += 1
      } catch (thrown) {
        this.#failed(path, label, thrown)
      }
    }
    const later: WholeFile[] = []
    for (const file of await this.#inReadingOrder()) {
      if ('parts' in file) await this.#joinFile(target, file)
      else if (file.whole.linkOf !== null) later.push(file)
      else await this.#restoreFile(target, file)
    }
    await target.settle()
    for (const file of later) await this.#restoreLink(target, file)
    for (const { path, label, target: points, mtimeNs } of this.#wanted.symlinks) {
      if (points === null) {
        this.#note('symbolic links are not restored: the index of this older plan has no link targets')
        continue
      }
      try {
        await target.symlink(path, points, mtimeNs)
        this.#document.symlinks += 1
      } catch (thrown) {
        this.#failed(path, label, thrown)
      }
    }
    await target.finish(this.#wanted.folders)
  }

  /**
   * The wanted files in the order in which they lie on the given volumes, split ones last; what is on other volumes is noted as
   * needed.
   */
  async #inReadingOrder(): Promise<(WholeFile | SplitFile)[]> {
    const found: WholeFile[] = []
    const split: SplitFile[] = []
    for (const volume of this.#volumes) {
      const own = volume.number ?? (await guessedNumber(volume))
      if (own !== null) this.#have.add(own)
    }
    for (const file of this.#wanted.files) {
      if ('parts' in file) {
        split.push(file)
        continue
      }
      const from = await this.#placeOf(file.whole.path, file.bytes)
      if (from !== null) found.push({ ...file, from })
      else {
        this.#absent(file.path, file.whole)
        this.#filesAbsent += 1
        this.#bytesAbsent += file.bytes
      }
    }
    const order = found.toSorted((a, b) => a.whole.volume - b.whole.volume || a.from.offset - b.from.offset)
    return [...order, ...split]
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

  async #placeOf(path: string, bytes: number): Promise<ContentPlace | null> {
    for (const volume of this.#volumes) {
      const place = await volume.placeOf(path)
      if (place?.bytes === bytes) return place
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
    for (const part of parts) placed.push({ ...part, from: await this.#placeOf(part.path, part.bytes) })
    const file = { ...first, path, bytes, sha256: first.wholeSha256 }
    await this.#counting(path, first.label, bytes, async (onBytes) => {
      const end = await target.join(file, placed, this.#waitingNames(file), onBytes)
      if (typeof end === 'string') return end
      for (const part of end) this.#absent(path, part)
      return null
    })
  }

  /** Where a split file can wait for its parts: nothing of the set has such a name. */
  #waitingNames({ path, sha256 }: { path: string; sha256: string }): string[] {
    this.#listed ??= new Set(this.#volumes[0]?.index.rows.map((row) => row.path))
    const names = [unfinishedPath(path), unfinishedPath(`${path}.${sha256.slice(0, 8)}`)]
    return names.filter((name) => this.#listed?.has(name) !== true)
  }

  async #restoreLink(target: RestoreTarget, file: WholeFile): Promise<void> {
    const { path, bytes, whole, from } = file
    await this.#counting(path, whole.label, bytes, async (onBytes) => {
      const linked = await target.link(path, whole.linkOf ?? path)
      return linked ?? target.file({ ...whole, from }, onBytes)
    })
    await target.settle()
  }

  /** Counts one file's work, whose failure does not end the restore. What is only written counts when it has its name. */
  async #counting(
    path: string,
    label: string,
    bytes: number,
    work: (onBytes: (done: number) => void) => Promise<'written' | 'restored' | 'kept' | null>,
  ): Promise<void> {
    const before = this.#bytesDone
    try {
      const end = await work((done) => {
        this.#bytesDone += done
        this.#progress(path)
      })
      if (end === 'restored' || end === 'kept') this.#count(end, bytes)
    } catch (thrown) {
      this.#failed(path, label, thrown)
    }
    this.#bytesDone = before + bytes
    this.#filesDone += 1
    this.#progress(path)
  }

  #count(end: 'restored' | 'kept', bytes: number): void {
    this.#document[end] += 1
    if (end === 'restored') this.#document.restoredBytes += bytes
  }

  /** Notes what hinders one file; what hinders all ends the restore. */
  #failed(path: string, label: string, thrown: unknown): void {
    const error = AppError.from(thrown)
    if (['cancelled', 'no-space', 'internal'].includes(error.code)) throw error
    const { code, message } = error
    const list = code === 'exists' ? this.#document.differing : this.#document.damaged
    list.push({ path, label, error: { code, message, path } } satisfies Unrestored)
  }

  #note(text: string): void {
    if (!this.#document.notes.includes(text)) this.#document.notes.push(text)
  }

  #progress(current: string | null): void {
    const bytes = this.#document.bytes - this.#bytesAbsent
    this.#context.progress({
      phase: { index: 1, count: 1, name: 'restoring' },
      filesDone: this.#filesDone,
      filesTotal: this.#document.files - this.#filesAbsent || null,
      bytesDone: Math.min(this.#bytesDone, bytes),
      bytesTotal: bytes || null,
      current,
    })
  }

  #ended(thrown: AppError | null): JobResult {
    const document = this.#document
    const { damaged, missing, differing } = document
    const [worst] = [...damaged, ...missing, ...differing]
    const failure = thrown ?? (worst === undefined ? null : AppError.fromWire(worst.error))
    document.volumesNeeded = [...this.#needed.values()].toSorted((a, b) => a.index - b.index)
    document.elapsedMs = this.#context.clock.monotonicMs() - this.#startedMs
    if (failure) document.outcome = failure.code === 'cancelled' ? 'cancelled' : 'failed'
    else if (document.volumesNeeded.length > 0) document.outcome = 'incomplete'
    this.#deps.results.keep(document.id, document)
    return failure ? { kept: document.id, error: failure } : document.id
  }
}

/** The number of a volume that does not say it: that of the first listed file that it holds where the index says. */
async function guessedNumber(volume: GivenVolume): Promise<number | null> {
  for (const row of volume.index.rows) {
    if (row.kind !== 'file' && row.kind !== 'part') continue
    if ((await volume.placeOf(row.path))?.bytes === row.bytes) return row.volume
  }
  return null
}

async function makeTarget(to: string): Promise<void> {
  try {
    await mkdir(fsPath(to), { recursive: true })
    if ((await stat(fsPath(to))).isDirectory()) return
  } catch (thrown) {
    throw fileFailure(thrown, 'restore to', to)
  }
  throw new AppError('not-a-folder', `cannot restore to ${pathForDisplay(to)}: it is not a folder`, {
    path: to,
  })
}
