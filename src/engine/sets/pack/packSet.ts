/**
 * The room `pack` makes the archives of a packed plan, and then the plan of these archives.
 * How: all at once (`packedFolder`, `planArchives`), or one volume after another (`volumePacker`,
 * `streamedPlan`); what is finished is noted, so that a stopped run goes on.
 * Not here: how a program packs (`options/builders`), images of the volumes (`building`).
 */

import { readdir, rename, rm } from 'node:fs/promises'
import type { PlanEntry } from '../../../contract/dto/plan'
import { parseRecipe } from '../../../domain/options/recipes/recipe'
import { formOfPlan } from '../../../domain/sets/packedForm'
import { ArchiveFill } from '../../../domain/sets/packing/archiveFill'
import { mayLeaveOut } from '../../../domain/survey/rules/rules'
import { AppError } from '../../../primitives/appError'
import { pathForDisplay } from '../../../primitives/pathText'
import { formatExactBytes } from '../../../primitives/quantity'
import { said } from '../../../primitives/said'
import type { Catalog } from '../../catalog/catalog'
import { holdsOwnFolders } from '../../catalog/ownFolders'
import { attempt, fsPath, joinPath } from '../../files/fileSystem'
import { type PlaceNotes, withTempFolder } from '../../files/scratch'
import { checkSources } from '../../files/sourceCheck'
import { ensureFolder, flushFolder } from '../../files/write'
import type { JobContext } from '../../jobs/jobContext'
import { newId } from '../../jobs/newId'
import { builderFor } from '../../options/buildability'
import { makeFolder } from '../../options/builders/plainFolder'
import { requireTool } from '../../tools/externalTool'
import type { PlanFolder } from '../volume/planned/planFolder'
import { volumeNumber } from '../volume/planned/plannedVolume'
import type { FileEntry, Made } from './container'
import { makeContainers, type PackRequest } from './makeContainers'
import { readMade, removeMade, writeMade } from './packManifest'
import { PackProgress } from './packProgress'

/** Where packed files lie until the volumes are built, below the folder of the plan. */
export const WORK = 'work'

/** A plan that is to be packed. */
export interface PackTask {
  readonly folder: PlanFolder
  /** The entries planned for each volume. */
  readonly planned: readonly (readonly PlanEntry[])[]
  /** The room of a volume for archives, in bytes. */
  readonly room: number
  readonly catalog: Pick<Catalog, 'ownPlaces'> & PlaceNotes
  readonly password: Uint8Array | null
  readonly context: JobContext
}

/** A file of the source with its further names: they are packed together. */
interface Unit {
  readonly bytes: number
  readonly entries: readonly PlanEntry[]
}

/**
 * Packs the files of a plan into archives or whatever its recipe makes, below `work` of its folder:
 * for each volume one, or all together. Where an archive comes out too large or leaves its volume
 * too empty, files move between volumes. What was packed before an interruption is kept.
 * @returns what was made, in the order of volumes; each lies in `work/NN`
 * @throws AppError `cannot-fit`, `changed`, `no-space`, `tool-missing`, `cancelled`, …
 */
export async function packSet(task: PackTask): Promise<Made[]> {
  return new Packer(task).run()
}

/** The files of one volume, which no other volume is asked about. */
export interface OneVolume {
  readonly index: number
  /** The name of its archive on the volume, without the ending. */
  readonly stem: string
  readonly members: readonly PlanEntry[]
  /** True when it holds all of the source. */
  readonly isWhole: boolean
  /** Bytes of the source that have gone in. */
  readonly onBytes: (done: number) => void
}

/**
 * Packs the files of one volume, below `work` of the plan's folder, where that was not done before.
 * @param check gets what was made before it is kept, and throws where it is not to be
 * @throws AppError of `check`; `changed`, `no-space`, `tool-missing`, `cancelled`, …
 */
export async function packVolume(
  task: PackTask,
  volume: OneVolume,
  check: (made: Made) => void,
): Promise<Made> {
  return new Packer(task).runOne(volume, check)
}

class Packer {
  readonly #task: PackTask
  readonly #work: string
  readonly #request: Omit<PackRequest, 'entries' | 'isWhole' | 'stem' | 'folder' | 'scratch' | 'onBytes'>
  readonly #progress: PackProgress
  /**
   * True when a root holds more than the plan may hold: one of Stowage's own folders, what rules
   * left out, or what earlier plans keep.
   */
  readonly #holdsMore: boolean

  constructor(task: PackTask) {
    const { folder, password, context, planned } = task
    const { plan } = folder
    this.#task = task
    this.#work = joinPath(folder.directory, WORK)
    this.#holdsMore =
      plan.addsTo !== undefined ||
      holdsOwnFolders(task.catalog, plan.roots, folder.directory) ||
      mayLeaveOut(plan)
    const { recipe: name, encryption } = plan.packing ?? { recipe: 'plain', encryption: 'none' as const }
    const buildable = builderFor(name, { encryption, protection: 0 })
    if ('refusal' in buildable)
      throw new AppError('refused', said`cannot build ${name}: ${buildable.refusal}`)
    const recipe = parseRecipe(name)
    const form = formOfPlan(plan)
    if (!recipe || !form || form.kind === 'plain' || form.kind === 'macImage')
      throw new AppError('bad-input', said`cannot build ${name}: no plan packs files like that`)
    this.#request = {
      recipe,
      form,
      builder: buildable.builder,
      roots: plan.roots,
      encryption,
      password,
      dateNs: BigInt(plan.mastering.volumeDateWallMs) * 1_000_000n,
      signal: context.signal,
    }
    const total = planned.flat().reduce((sum, entry) => sum + bytesOf(entry), 0)
    this.#progress = new PackProgress(context, plan, total)
  }

  async run(): Promise<Made[]> {
    const { form } = this.#request
    await this.#prepare()
    const isAlone = form.kind === 'archive' && this.#task.folder.plan.packing?.arrangement !== 'joined'
    return isAlone ? this.#forEachVolume() : [await this.#allTogether()]
  }

  async runOne(volume: OneVolume, check: (made: Made) => void): Promise<Made> {
    await this.#prepare()
    const { index, stem, members, isWhole, onBytes } = volume
    const kept = await readMade(this.#work, index, this.#request.signal)
    if (kept) return kept
    const own = (this.#task.planned[index - 1] ?? []).filter(({ kind }) => kind !== 'file')
    const units = unitsOf(members)
    // Only folders and links, which the index restores.
    if (units.length === 0) return { files: [], folders: [], members: [] }
    const entries = withFolders(units, own, this.#task.planned)
    await this.#checkSources(entries)
    return this.#making(async (folder) => {
      const made = await this.#make(folder, entries, isWhole, stem, onBytes)
      check(made)
      return this.#accept(index, made, joinPath(folder, 'made'))
    })
  }

  async #prepare(): Promise<void> {
    const { builder } = this.#request
    if (builder.tool) await requireTool(builder.tool, this.#request.signal)
    ensureFolder(this.#work)
    await this.#removeUnfinished()
  }

  /** One archive over all volumes, many containers, or a repository. */
  async #allTogether(): Promise<Made> {
    const kept = await readMade(this.#work, 1, this.#request.signal)
    if (kept) return kept
    const entries = unique(this.#task.planned.flat())
    await this.#checkSources(entries)
    const stem = this.#request.form.kind === 'archive' ? this.#request.form.stem : ''
    return this.#making(async (folder) => {
      const made = await this.#make(folder, entries, true, stem)
      return this.#accept(1, made, joinPath(folder, 'made'))
    })
  }

  async #forEachVolume(): Promise<Made[]> {
    const { planned, room } = this.#task
    const all: Made[] = []
    const packed = new Set<string>()
    for (let index = 1; ; index++) {
      const kept = await readMade(this.#work, index, this.#request.signal)
      if (!kept) break
      all.push(kept)
      for (const { path } of kept.members) packed.add(path)
    }
    this.#progress.begin(all.flatMap(({ members }) => members).reduce((sum, one) => sum + bytesOf(one), 0))
    const waiting = planned.map((entries) =>
      unitsOf(entries).filter(({ entries: [first] }) => !packed.has(first?.path ?? '')),
    )
    await this.#checkSources(waiting.flat().flatMap(({ entries }) => entries))
    const countAll = planned.length
    let ratio = ratioOf(all)
    for (let index = all.length + 1; waiting.some((units) => units.length > 0); index++) {
      // What is left of earlier volumes comes first, then what was planned for this one.
      const ahead = waiting.slice(0, Math.min(index, countAll)).flat()
      const later = waiting.slice(index).flat()
      const queue = [...ahead, ...later]
      const fill = new ArchiveFill(
        queue.map(({ bytes }) => bytes),
        room,
        waiting.slice(index).map((units) => units.reduce((sum, { bytes }) => sum + bytes, 0)),
      )
      const own = (planned[index - 1] ?? []).filter(({ kind }) => kind !== 'file')
      const made = await this.#volume(index, queue, fill, Math.max(1, ahead.length), ratio, own)
      all.push(made)
      const taken = new Set(made.members.map(({ path }) => path))
      for (const [at, units] of waiting.entries())
        waiting[at] = units.filter(({ entries: [first] }) => !taken.has(first?.path ?? ''))
      this.#progress.accepted(made.members.reduce((sum, one) => sum + bytesOf(one), 0))
      ratio = ratioOf(all)
    }
    return all
  }

  /** The archive of one volume, made again with other files until it fits and fills it. */
  #volume(
    index: number,
    queue: readonly Unit[],
    fill: ArchiveFill,
    planned: number,
    ratio: number | null,
    own: readonly PlanEntry[],
  ): Promise<Made> {
    const { form } = this.#request
    const ending = volumeNumber(index, Math.max(this.#task.planned.length, index))
    const stem = `${form.kind === 'archive' ? form.stem : ''}-${ending}`
    return this.#making(async (folder) => {
      let best: { made: Made; at: string } | null = null
      let take = fill.first(planned, ratio)
      for (let round = 1; ; round++) {
        const entries = withFolders(queue.slice(0, take), own, this.#task.planned)
        const at = joinPath(folder, String(round))
        await makeFolder(at)
        const made = await this.#make(at, entries, take === queue.length && index === 1, stem)
        this.#progress.made()
        const size = made.files.reduce((sum, { bytes }) => sum + bytes, 0)
        const next = fill.after({ take, size })
        if (fill.best?.take === take) best = { made, at: joinPath(at, 'made') }
        if (next === 'keep') break
        take = next.take
      }
      if (best) return this.#accept(index, best.made, best.at)
      const [first] = queue
      const path = first?.entries[0]?.path ?? ''
      throw new AppError(
        'cannot-fit',
        said`cannot pack volume ${index}: its archive stays larger than ${formatExactBytes(this.#task.room)}, even with few files such as ${pathForDisplay(path)}; plan one archive across all volumes (--joined) or a larger medium`,
        { path },
      )
    })
  }

  #make(
    folder: string,
    entries: readonly PlanEntry[],
    isWhole: boolean,
    stem: string,
    onBytes = (done: number) => this.#progress.packing(done),
  ): Promise<Made> {
    return makeContainers({
      ...this.#request,
      entries,
      isWhole: isWhole && !this.#holdsMore,
      stem,
      folder: joinPath(folder, 'made'),
      scratch: joinPath(folder, 'scratch'),
      onBytes,
    })
  }

  #making<T>(work: (folder: string) => Promise<T>): Promise<T> {
    return withTempFolder(this.#task.catalog, joinPath(this.#work, newId('.making')), work)
  }

  /** Moves what was made to its place, and records it only when it is there. */
  async #accept(index: number, made: Made, from: string): Promise<Made> {
    await attempt('write to', this.#work, async () => {
      await removeMade(this.#work, index)
      await rename(fsPath(from), fsPath(joinPath(this.#work, placeOf(index))))
      await flushFolder(this.#work)
      await writeMade(this.#work, index, made)
    })
    return made
  }

  /** Removes the files of an interrupted run that no record shows to be whole. */
  async #removeUnfinished(): Promise<void> {
    await attempt('write to', this.#work, async () => {
      const names = await readdir(fsPath(this.#work), 'utf8')
      for (const name of names) {
        const isDone = /^\d+$/.test(name) ? names.includes(`${name}.jsonl`) : /^\d+\.jsonl$/.test(name)
        if (!isDone && (/^\d+$/.test(name) || name.startsWith('.making') || /\.partial/.test(name)))
          await rm(fsPath(joinPath(this.#work, name)), { recursive: true, force: true })
      }
    })
  }

  async #checkSources(entries: readonly PlanEntry[]): Promise<void> {
    const { failures } = await checkSources(entries, this.#request.signal)
    if (failures[0]) throw failures[0]
  }
}

/** The folder of a volume's packed files below `work`. */
export function placeOf(index: number): string {
  return String(index)
}

function bytesOf(entry: PlanEntry): number {
  return entry.kind === 'file' && entry.linkOf === undefined ? entry.bytes : 0
}

/** Archive bytes against those of the source, of what was packed so far. */
function ratioOf(all: readonly Made[]): number | null {
  const source = all.flatMap(({ members }) => members).reduce((sum, one) => sum + bytesOf(one), 0)
  const packed = all.flatMap(({ files }) => files).reduce((sum, { bytes }) => sum + bytes, 0)
  return source === 0 ? null : packed / source
}

function unitsOf(entries: readonly PlanEntry[]): Unit[] {
  const units = new Map<string, { bytes: number; entries: FileEntry[] }>()
  for (const entry of entries) {
    if (entry.kind !== 'file') continue
    const first = entry.linkOf ?? entry.path
    const unit = units.get(first) ?? { bytes: 0, entries: [] }
    unit.bytes += bytesOf(entry)
    // The file itself comes before its further names.
    if (entry.linkOf === undefined) unit.entries.unshift(entry)
    else unit.entries.push(entry)
    units.set(first, unit)
  }
  return [...units.values()]
}

/**
 * The files of an archive with the folders above them, and the links and empty folders planned for
 * its volume.
 */
function withFolders(
  units: readonly Unit[],
  own: readonly PlanEntry[],
  planned: readonly (readonly PlanEntry[])[],
): PlanEntry[] {
  const files = units.flatMap(({ entries }) => entries)
  const wanted = new Set(own.map(({ path }) => path))
  for (const { path } of [...files, ...own]) {
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const above = path.slice(0, end)
      if (wanted.has(above)) break
      wanted.add(above)
    }
  }
  const others = unique(planned.flat().filter(({ kind, path }) => kind !== 'file' && wanted.has(path)))
  return [...others.toSorted((one, other) => (one.path < other.path ? -1 : 1)), ...files]
}

/** Each path once: a folder is on every volume that holds something of it. */
export function unique(entries: readonly PlanEntry[]): PlanEntry[] {
  return [...new Map(entries.map((entry) => [entry.path, entry])).values()]
}
