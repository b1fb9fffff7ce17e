import type { PlanEntry } from '../../../contract/dto/plan'
import { formOfPlan } from '../../../domain/sets/packedForm'
import { AppError } from '../../../primitives/appError'
import { pathForDisplay } from '../../../primitives/pathText'
import { formatExactBytes } from '../../../primitives/quantity'
import { said } from '../../../primitives/said'
import { joinPath } from '../../files/fileSystem'
import { archiveRoom } from '../plan/packedLayout'
import { plannedHistory } from '../volume/lists/plannedHistory'
import { packedMembers } from '../volume/planned/currentPlan'
import type { PlanFolder } from '../volume/planned/planFolder'
import { readEntries } from '../volume/planned/plannedLists'
import { volumePlaces } from '../volume/planned/plannedVolume'
import type { FileEntry, Made } from './container'
import { entriesByVolume, noPassword, type PackingRun } from './packedFolder'
import { readMade, removeMade } from './packManifest'
import { type PackTask, packVolume, WORK } from './packSet'
import {
  forgetVolume,
  hasVolumeLists,
  type StreamedVolume,
  streamedVolumes,
  tooLarge,
  writeVolumeLists,
} from './streamedPlan'

/**
 * Packs single volumes of a packed plan: those of a streamed set in turn, and others whose archives
 * are to be made again.
 */
export class VolumePacker {
  readonly #planned: PlanFolder
  readonly #run: PackingRun
  #folder: PlanFolder
  #task: PackTask | null = null
  #streamed: readonly StreamedVolume[] | null = null

  /**
   * @param planned the plan as exported
   * @param packed what it was packed to, as far as that is done
   */
  constructor(planned: PlanFolder, packed: PlanFolder, run: PackingRun) {
    this.#planned = planned
    this.#folder = packed
    this.#run = run
  }

  /** The packed plan, whose volumes get their lists when they are ready. */
  get folder(): PlanFolder {
    return this.#folder
  }

  /**
   * Makes sure that what a volume is built from is there.
   * @param force packs it anew
   * @throws AppError `cannot-fit`, `changed` when its archive comes out different and may not,
   *   `refused`, `wrong-password`, …
   */
  async ready(index: number, force: boolean, onBytes: (done: number) => void): Promise<void> {
    if (this.#folder.plan.packing?.streamed) await this.#readyToStream(index, force, onBytes)
    else if (isOfIndependentArchives(this.#folder)) await this.#readyAgain(index, onBytes)
  }

  /** Removes the files that a streamed volume was built from: they are no longer needed. */
  async built(index: number): Promise<void> {
    if (this.#folder.plan.packing?.streamed) await removeMade(this.#work, index)
  }

  get #work(): string {
    return joinPath(this.#folder.directory, WORK)
  }

  async #readyToStream(index: number, force: boolean, onBytes: (done: number) => void): Promise<void> {
    const { catalog, context } = this.#run
    const { signal } = context
    if (hasVolumeLists(this.#folder, index)) {
      if (!force && (await readMade(this.#work, index, signal))) return
      this.#folder = await forgetVolume(this.#folder, index, catalog)
    }
    const task = await this.#packTask()
    this.#streamed ??= streamedVolumes(this.#planned, task.planned)
    const volumes = this.#streamed
    const { stem, members } = volumes[index - 1] as StreamedVolume
    const { label } = this.#folder.plan.volumes[index - 1] ?? { label: '' }
    const holderOf = new Map(members.map((member) => [member.path, member.in]))
    const made = await packVolume(
      task,
      { index, stem, members, isWhole: volumes.length === 1, onBytes },
      (one) => {
        if (bytesOf(one) > task.room) throw tooLarge(task.folder.plan, label, formatExactBytes(task.room))
        const other = one.members.find((member) => member.in !== holderOf.get(member.path) || member.member)
        if (other) throw new AppError('internal', `${pathForDisplay(other.path)} is in ${other.in}`)
      },
    )
    this.#folder = await writeVolumeLists(this.#folder, index, made, {
      volumes,
      history: await plannedHistory(this.#planned),
      notes: catalog,
      signal,
    })
    catalog.planPacked(this.#folder.plan.id, this.#folder.plan.volumes, new Map())
  }

  /**
   * The index of every volume names the digest of each archive: one that is made again must come
   * out the same.
   */
  async #readyAgain(index: number, onBytes: (done: number) => void): Promise<void> {
    const { plan, directory, lists } = this.#folder
    const { signal } = this.#run.context
    const entries = await readEntries(
      joinPath(directory, volumePlaces(index, plan.volumes.length, lists).entries),
    )
    let members: PlanEntry[] | null = null
    for (const archive of entries) {
      if (archive.kind !== 'file') continue
      const number = numberBelowWork(archive)
      if (number === null || (await readMade(this.#work, number, signal))) continue
      const label = plan.volumes[index - 1]?.label ?? ''
      if (plan.packing?.encryption !== 'none') throw notAlone(label, 'encrypted archives differ each time')
      members ??= await packedMembers(this.#folder)
      const held = members.filter((entry) => entry.kind === 'file' && entry.in === archive.path)
      const volume = {
        index: number,
        stem: stemOf(this.#folder, archive.path),
        members: held,
        isWhole: (await this.#packTask()).planned.length === 1 && plan.volumes.length === 1,
        onBytes,
      }
      await packVolume(await this.#packTask(), volume, ({ files: [made] }) => {
        if (made?.sha256 !== archive.sha256)
          throw notAlone(label, 'its archive came out with other bytes, and all volumes list its checksum')
      })
    }
  }

  async #packTask(): Promise<PackTask> {
    if (this.#task) return this.#task
    const { password, context, catalog } = this.#run
    const { directory, plan } = this.#planned
    const isEncrypted = plan.packing?.encryption !== 'none'
    if (isEncrypted && !password) throw noPassword(directory)
    const planned = await entriesByVolume(this.#planned, context.signal)
    this.#task = {
      folder: this.#planned,
      planned,
      room: archiveRoom(planned.flat(), plan, await plannedHistory(this.#planned)),
      catalog,
      password: isEncrypted ? password : null,
      context,
    }
    return this.#task
  }
}

/**
 * True when each volume of a packed plan has archives of its own, under names that contain its
 * number.
 */
export function isOfIndependentArchives({ plan }: PlanFolder): boolean {
  return formOfPlan(plan)?.kind === 'archive' && plan.packing?.arrangement !== 'joined'
}

function notAlone(label: string, because: string): AppError {
  const message = said`cannot build ${label} alone: ${because}; build all volumes again (--force)`
  return new AppError('refused', message)
}

/** The folder below `work` from which an archive was laid out. */
function numberBelowWork({ source, path }: FileEntry): number | null {
  const folder = source.slice(0, -path.length - 1)
  const number = /\/work\/(\d+)$/.exec(folder)?.[1]
  return number === undefined ? null : Number(number)
}

function stemOf({ plan }: PlanFolder, archive: string): string {
  const form = formOfPlan(plan)
  const ending = form?.kind === 'archive' ? form.ending : ''
  return archive.slice(0, archive.length - ending.length)
}

function bytesOf({ files }: Made): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0)
}
