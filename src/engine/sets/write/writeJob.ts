/**
 * The room `write` puts volumes on discs, drives and other folders.
 * How: an image goes through a ring buffer to a burning program or a device, a folder is copied,
 * and what was written is read back before it counts.
 * Not here: making images (`building`), where copies are (`copies`).
 */

import type { PlanVolume } from '../../../contract/dto/plan'
import type { WriteRequest, WriteTarget } from '../../../contract/dto/run'
import type { SkippedFile } from '../../../domain/sets/skippedFile'
import { AppError } from '../../../primitives/appError'
import { pathForDisplay } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import type { Catalog } from '../../catalog/catalog'
import { cannot } from '../../files/fileSystem'
import type { PlaceNotes } from '../../files/scratch'
import type { Job, JobContext } from '../../jobs/jobContext'
import { throwIfAborted } from '../../jobs/throwIfAborted'
import { type RunningPipe, usualBufferBytes } from '../../native/pipe'
import { buildJob } from '../building/buildJob'
import { requireImagesMade } from '../building/requireImagesMade'
import { requireSkippable } from '../building/skipChoice'
import { VolumeSources } from '../building/volumeSources'
import type { ChangedSources } from '../mastering/writeImage'
import { parityTree } from '../parity/parityTree'
import { parityVolumes } from '../parity/parityVolumes'
import { buildSteps } from '../runs/buildWork'
import { newRunId, RunRecord, type VolumeWork } from '../runs/runRecord'
import { openImage } from '../volume/image/image'
import type { Volume } from '../volume/lists/volume'
import { asBuilt, builtWithout } from '../volume/open/asBuilt'
import { type Difference, locatedText } from '../volume/open/difference'
import { currentPlan } from '../volume/planned/currentPlan'
import {
  builtPath,
  chosenParity,
  chosenVolumes,
  isBuilt,
  openPlanFolder,
  type PlanFolder,
  requireBuiltHere,
} from '../volume/planned/planFolder'
import { readPlannedVolume } from '../volume/planned/plannedLists'
import { placeIn, type SizedVolume } from '../volume/planned/plannedVolume'
import { STALL_LIMITS, type StallLimits } from './burnDisc'
import { DiscWriter } from './discWriter'
import { type ImageSource, imageFile, imageOnTheFly } from './imageSource'
import { requireNextFolder } from './nextFolder'
import { isReplaceable, requireOwnPlaces } from './ownPlaces'
import { readBackWritten } from './readBackWritten'
import { type Written, writeFolderTo, writeImageTo } from './writeFolder'
import { WritePool } from './writePool'
import { writeProgress } from './writeProgress'
import { writtenVolumes } from './writtenVolumes'

type WriteCatalog = Pick<
  Catalog,
  'saveRun' | 'planPacked' | 'ownPlaces' | 'run' | 'runs' | 'events' | 'lastEvent' | 'plans'
> &
  PlaceNotes

/**
 * The last build of a plan that runs of this process began, by its folder: several drives share a
 * plan, and build in turn.
 */
const BUILDS = new Map<string, Promise<void>>()

/**
 * Writes the volumes of an exported plan to the discs of a drive, to a file that stands in for
 * them, or into a folder: each is built if need be, written, flushed and read back, and is on
 * record before the next is begun. What is written already is not written again, so a run that
 * ended in any way is continued by the same request; in a folder it is read back. Runs with other
 * drives may share the volumes. The run is kept whatever happens, with the first failure:
 * `refused`, `cannot-fit`, `tool-failed`, `verification-failed`, `changed`, `vanished`, `no-space`,
 * `cancelled`, …
 * @param limits when a burner is taken for hung
 */
export function writeJob(
  deps: { catalog: WriteCatalog },
  request: WriteRequest,
  limits: StallLimits = STALL_LIMITS,
): Job {
  return {
    kind: 'write',
    title: `Writing of ${request.directory}`,
    async run(context) {
      const runId = newRunId('write', context)
      const startedMs = context.clock.monotonicMs()
      const target = targetOf(request)
      context.writing({ to: target.path, losesDisc: false })
      const planned = await openPlanFolder(request.directory)
      requireBuiltHere('write', planned)
      requireWritable(planned, target)
      requireSkippable('write', planned, request)
      const folder = await builtFolder(planned, deps.catalog, request, context)
      const { plan } = folder
      const parity = parityVolumes(plan, chosenParity(plan, request.volumes))
      const chosen = [...chosenVolumes(plan, request.volumes), ...parity]
      await requireOwnPlaces(folder, chosen, { target, again: request.again }, deps.catalog)
      const following = { target, request, bytesOf: (volume: PlanVolume) => bytesOf(folder, volume) }
      await requireNextFolder(folder, chosen, following, deps.catalog)
      const written = await writtenVolumes(folder, target, deps.catalog)
      const startedAt = deps.catalog.lastEvent()
      const before = new Set(request.again ? [] : written.keys())
      const toWrite = chosen.filter(({ index }) => !before.has(index))
      const toMake = toWrite.filter((volume) => request.onTheFly || !isBuilt(folder, volume))
      requireImagesMade('write', folder, toMake)
      const pool = new WritePool(request.directory, target)
      try {
        const about = { id: runId, kind: 'write' as const, directory: request.directory, startedMs, target }
        const record = new RunRecord(
          { ...about, plan: folder.plan, isPart: request.atMost !== null },
          chosen,
          context,
        )
        const run: WriteRun = {
          catalog: deps.catalog,
          request,
          target,
          limits,
          context,
          planned,
          folder,
          record,
          pool,
          startedAt,
        }
        const writer = new VolumeWriter(run, chosen, before)
        return await record.carryOut(deps.catalog, (volume, at) => writer.write(volume, at))
      } finally {
        pool.leave()
      }
    },
  }
}

interface WriteRun {
  readonly catalog: WriteCatalog
  readonly request: WriteRequest
  readonly target: WriteTarget
  readonly limits: StallLimits
  readonly context: JobContext
  readonly planned: PlanFolder
  readonly folder: PlanFolder
  readonly record: RunRecord
  readonly pool: WritePool
  /** The newest event when the run began. */
  readonly startedAt: number
}

/** Carries one volume after another through building, writing and reading back. */
class VolumeWriter {
  readonly #run: WriteRun
  readonly #before: ReadonlySet<number>
  readonly #progress: ReturnType<typeof writeProgress>
  readonly #discs: DiscWriter
  readonly #bufferBytes: number
  #begun = 0

  constructor(run: WriteRun, volumes: readonly PlanVolume[], before: ReadonlySet<number>) {
    this.#run = run
    this.#before = before
    const { request, folder, context, record, limits, target, pool } = run
    this.#bufferBytes = request.bufferBytes ?? usualBufferBytes()
    if (target.kind !== 'folder') context.pausesAfter('disc')
    this.#progress = writeProgress(
      context,
      volumes.map((volume) => ({
        index: volume.index,
        label: volume.label,
        files: volume.files,
        bytes: bytesOf(folder, volume),
        build: before.has(volume.index) || !this.#isToBeBuilt(volume) ? [] : buildSteps(folder.plan, volume),
        writes: !before.has(volume.index),
        verifies: before.has(volume.index) ? target.kind === 'folder' : request.verify,
      })),
      {
        pool,
        atMost: request.atMost,
        byFiles: folder.plan.medium.kind === 'folder',
        flushes: target.kind === 'folder',
      },
    )
    this.#discs = new DiscWriter({
      plan: folder.plan,
      target,
      request,
      limits,
      bufferBytes: this.#bufferBytes,
      context,
      note: (text) => record.note(text),
      usedTool: (name) => {
        target.tool = name
      },
    })
  }

  async write(planned: PlanVolume, at: number): Promise<VolumeWork | null> {
    const { context, target, request, catalog } = this.#run
    if (this.#before.has(planned.index)) {
      const isReadBack = target.kind === 'folder'
      const skipped = isReadBack ? await this.#readBack(planned, at) : []
      return { end: 'kept', sectors: planned.sectors, skipped, isReadBack }
    }
    if (this.#begun === request.atMost) return null
    await context.safePoint()
    if (!(await this.#isMine(planned))) return null
    this.#begun += 1
    const step = this.#progress(at)
    if (this.#isToBeBuilt(planned)) {
      step('building', 0)
      const bytes = bytesOf(this.#run.folder, planned)
      await this.#build(planned, (share, files) => step('building', share * bytes, files))
    }
    step('writing', 0)
    const folder = await this.#current()
    const volume = folder.plan.volumes.find(({ index }) => index === planned.index) ?? planned
    const parity = isParity(folder, planned) ? await parityTree(folder, planned) : null
    const opened = parity?.opened ?? (await readPlannedVolume(folder, volume, context.signal))
    const changes = parity ? undefined : await this.#changes(opened)
    const image = folder.plan.medium.kind === 'image' ? builtPath(folder, volume.index) : null
    const { expected, skipped, ...made } = parity
      ? { expected: parity.expected, skipped: [], volume }
      : changes
        ? await builtWithout(folder.directory, opened, changes.skipped)
        : await asBuilt(folder.directory, opened, request.onTheFly ? null : await openedImage(image))
    const openSource = async (): Promise<ImageSource> =>
      request.onTheFly
        ? imageOnTheFly(folder, opened, {
            signal: context.signal,
            changes,
          })
        : imageFile(builtPath(folder, volume.index), volume.sectors * 2048)
    const options = {
      onWritten: (done: number, files?: number) => step('writing', done, files),
      onVerified: (done: number, files?: number) => step('verifying', done, files),
      onStart: (pipe: RunningPipe | null) => this.#pausable(pipe),
    }
    let written: Written
    try {
      if (target.kind !== 'folder') {
        written = await this.#discs.write({ volume: opened, expected, openSource, ...options })
      } else {
        const { again, verify } = request
        const more = {
          notes: catalog,
          again,
          isReplaceable: (path: string) =>
            isReplaceable(path, volume, folder.plan, catalog.events(folder.plan.id)),
          verify,
          bufferBytes: this.#bufferBytes,
          context,
          ...options,
        }
        written =
          folder.plan.medium.kind === 'image'
            ? await writeImageTo(target.path, opened, expected, openSource, more)
            : await writeFolderTo(target.path, folder, opened, expected, more)
      }
    } finally {
      this.#pausable(null)
    }
    if ('failures' in written) return { end: written.failures, sectors: null, volume }
    const endedWallMs = context.clock.wallMs()
    const done = { end: 'done' as const, sectors: volume.sectors, volume: made.volume, skipped }
    return { ...done, written: { ...written, endedWallMs } }
  }

  /**
   * The differences of a disc that is made on the fly from its plan: it cannot be begun again, so
   * all sources are read before. Nothing where a source that changed is to fail it.
   * @throws AppError `changed`, `vanished`, … where nothing of it would be left, `cancelled`
   */
  async #changes(opened: SizedVolume): Promise<ChangedSources | undefined> {
    const { request, context, record } = this.#run
    if (!request.onTheFly || request.changed !== 'skip') return undefined
    const sources = new VolumeSources(opened, context.signal)
    await sources.look()
    await sources.read()
    const nothing = sources.nothingLeft
    if (nothing) throw nothing
    for (const text of sources.outcome.notes ?? []) record.note(text)
    return sources.changes
  }

  /**
   * Reads back what an earlier run wrote to a folder: somebody may have cut or changed it since
   * then.
   * @returns the files that were left out of it
   * @throws AppError `verification-failed`, `cancelled`
   */
  async #readBack(volume: PlanVolume, at: number): Promise<readonly SkippedFile[]> {
    const { context, folder, target } = this.#run
    await context.safePoint()
    const step = this.#progress(at)
    step('verifying', 0)
    const parity = isParity(folder, volume) ? await parityTree(folder, volume) : null
    const opened = parity?.opened ?? (await readPlannedVolume(folder, volume, context.signal))
    const checking = {
      signal: context.signal,
      onBytes: (done: number, files?: number) => step('verifying', done, files),
    }
    const kind = folder.plan.medium.kind
    const place = placeIn(target.path, volume.label, kind)
    const written = await openedImage(kind === 'image' ? place : null)
    const { expected, skipped } = parity
      ? { expected: parity.expected, skipped: [] }
      : await asBuilt(folder.directory, opened, written)
    const { differences } = await readBackWritten(
      place,
      { kind, volume: opened, expected, sha256: null },
      checking,
    )
    if (differences.length > 0) throw notAsWritten(place, volume, differences)
    return skipped
  }

  /** Claims a volume that no other run has or has written meanwhile. */
  async #isMine({ index, label }: PlanVolume): Promise<boolean> {
    const { pool, folder, target, catalog, request, record, startedAt } = this.#run
    const claim = await pool.claim(index)
    if (claim === 'elsewhere') record.note(said`${label} is left to another run, which is writing it`)
    if (claim !== 'mine') return false
    const written = (await writtenVolumes(folder, target, catalog)).get(index)
    return written === undefined || (request.again && written <= startedAt)
  }

  #isToBeBuilt(volume: PlanVolume): boolean {
    const { request, folder } = this.#run
    return !request.onTheFly && !isBuilt(folder, volume)
  }

  async #build(
    { label, index }: PlanVolume,
    onShare: (share: number, filesDone: number) => void,
  ): Promise<void> {
    const { request, folder, context, catalog } = this.#run
    if (!request.build) {
      const message = said`cannot write ${label}: it is not built yet`
      throw new AppError('not-found', message, { path: builtPath(folder, index) })
    }
    const stream = folder.plan.packing?.streamed === true
    await built(catalog, { ...request, volumes: [index], stream }, context, onShare)
  }

  /** Where packed volumes are made one after another, their sizes are known only then. */
  async #current(): Promise<PlanFolder> {
    const { planned, folder } = this.#run
    if (!folder.plan.packing?.streamed) return folder
    return currentPlan(planned)
  }

  /**
   * A disc that is being burned is not paused, nor the file that stands in for one: it ends before
   * the job rests.
   */
  #pausable(pipe: RunningPipe | null): void {
    const { context, target } = this.#run
    if (target.kind !== 'folder') return
    if (pipe === null) context.pausable(null)
    else context.pausable({ pause: () => pipe.pause(true), resume: () => pipe.pause(false) })
  }
}

/** The image at a path; null where there is no path, or no such image. */
async function openedImage(path: string | null): Promise<Volume | null> {
  return path === null ? null : openImage(path).catch(() => null)
}

function isParity({ plan: { parity = [] } }: PlanFolder, { index }: PlanVolume): boolean {
  return parity.some((disc) => disc.index === index)
}

function notAsWritten(path: string, { label, index }: PlanVolume, [first]: readonly Difference[]): AppError {
  const why = first === undefined ? said`it differs` : locatedText(first)
  const replace = said`remove it to write it again (--volume ${index} --again replaces it)`
  const message = said`verification of ${label} failed: ${pathForDisplay(path)} is not as it was written: ${why}; ${replace}`
  return new AppError('verification-failed', message, { path })
}

function bytesOf({ plan }: PlanFolder, { sectors, bytes }: PlanVolume): number {
  return plan.medium.kind === 'image' ? sectors * 2048 : bytes
}

/** @throws AppError `usage` unless exactly one place is given */
function targetOf(request: WriteRequest): WriteTarget {
  const { drive, file, folder, onTheFly, speed, burner, copy, place } = request
  const given = [
    ...(drive === null ? [] : [{ kind: 'drive' as const, path: drive }]),
    ...(file === null ? [] : [{ kind: 'file' as const, path: file }]),
    ...(folder === null ? [] : [{ kind: 'folder' as const, path: folder }]),
  ]
  const [one] = given
  if (one === undefined || given.length > 1)
    throw new AppError('usage', said`exactly one drive, file or folder to write to must be given`)
  if (one.kind === 'folder' && (speed !== null || burner !== null))
    throw new AppError('usage', said`a speed and a burner are for discs, not for folders`)
  return { ...one, tool: burner, speed, onTheFly, copy, ...(place !== null && { place }) }
}

/** @throws AppError `refused` for a plan that cannot be written there or in that way */
function requireWritable({ plan, directory }: PlanFolder, target: WriteTarget): void {
  const refuse = (because: string): never => {
    throw cannot('refused', 'write', directory, because)
  }
  if (target.kind === 'drive' && process.platform === 'win32')
    refuse(
      said`Stowage burns no discs on Windows; burn-windows.cmd in the plan folder burns an image that is built`,
    )
  if (plan.medium.kind === 'folder' && target.kind !== 'folder')
    refuse(said`its volumes are folders, which are written to a folder or disk, not burned`)
  if (target.onTheFly && plan.medium.kind === 'folder') refuse(said`folders are not made on the fly`)
  if (target.onTheFly && plan.parity)
    refuse(said`its parity discs are made from the images of all others; write without --on-the-fly`)
  if (target.onTheFly && plan.packing)
    refuse(said`its archives must be packed first, so its images cannot be made on the fly`)
}

/**
 * The plan whose volumes are written; a packed one is packed and built as a whole first where that
 * was not done.
 */
async function builtFolder(
  planned: PlanFolder,
  catalog: WriteCatalog,
  request: WriteRequest,
  context: JobContext,
): Promise<PlanFolder> {
  const current = await currentPlan(planned)
  if (current.isPacked) return current
  if (!request.build) {
    throw cannot('not-found', 'write', planned.directory, said`it is not built yet`)
  }
  await built(catalog, { ...request, stream: false }, context)
  return currentPlan(planned)
}

/**
 * Builds volumes as `stowage build` does, with a run of its own on record; another build of the
 * plan is waited for.
 * @param onShare takes the share of the work on the volume that is done; without it the progress of
 *   the build is that of the job
 * @throws AppError as that run failed
 */
async function built(
  catalog: WriteCatalog,
  {
    directory,
    volumes,
    stream,
    changed,
    password,
  }: Pick<WriteRequest, 'directory' | 'volumes' | 'changed' | 'password'> & { stream: boolean },
  context: JobContext,
  onShare?: (share: number, filesDone: number) => void,
): Promise<void> {
  await afterOtherBuilds(directory, context.signal, async () => {
    const request = { directory, volumes, stream, changed, password, force: false }
    const result = await buildJob({ catalog }, request, { waits: true }).run({
      ...context,
      pausable: () => undefined,
      progress: (update) =>
        onShare
          ? onShare(update.bytesDone / Math.max(1, update.bytesTotal ?? 0), update.filesDone)
          : context.progress(update),
    })
    if (result !== null && typeof result === 'object' && 'error' in result) throw result.error
  })
}

/**
 * In the order in which drives of this process ask: one that only looks now and then would never
 * have its turn next to one that builds the next at once.
 * @throws AppError `cancelled`, and those of `work`
 */
async function afterOtherBuilds(
  directory: string,
  signal: AbortSignal,
  work: () => Promise<void>,
): Promise<void> {
  const before = BUILDS.get(directory)
  const stopped = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  const begun = Promise.race([before, stopped]).then(() => {
    throwIfAborted(signal)
    return work()
  })
  BUILDS.set(
    directory,
    Promise.allSettled([before, begun]).then(() => undefined),
  )
  await begun
}
