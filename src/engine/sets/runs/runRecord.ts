/**
 * The room `runs` records what was done with volumes: built, verified, written.
 * How: a run is a document that grows with each volume and compares forecast and actual; it is
 * stored in the catalog and, where there is one, in the folder of the plan.
 * Not here: the work itself (`building`, `verify`, `write`).
 */

import type { PlanDocument, PlanVolume } from '../../../contract/dto/plan'
import { RUN_SCHEMA, type RunDocument, type RunVolume, type VolumeWrite } from '../../../contract/dto/run'
import type { FileSystemIdentity } from '../../../domain/sets/copies/fileSystemIdentity'
import type { SkippedFile } from '../../../domain/sets/skippedFile'
import { type PackedWhen, runTimes } from '../../../domain/sets/times/runTimes'
import { AppError, type AppErrorCode } from '../../../primitives/appError'
import { said } from '../../../primitives/said'
import type { Catalog } from '../../catalog/catalog'
import { joinPath } from '../../files/fileSystem'
import { fileSystems } from '../../files/fileSystems'
import { replaceFile } from '../../files/place'
import type { PlaceNotes } from '../../files/scratch'
import { ensureFolder } from '../../files/write'
import type { JobContext, JobResult } from '../../jobs/jobContext'
import { setIdOf } from '../volume/planned/planFolder'
import { inTurn } from './inTurn'

type RunCatalog = Pick<Catalog, 'saveRun'> & PlaceNotes
type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** The note on plans that were exported before plans had digests of their lists. */
const UNBOUND_LISTS = 'an older version exported this plan, so its lists cannot be checked; export it again'

/** More failures of one volume than this are counted, not listed. */
const LISTED_ERRORS = 100

/**
 * The outcome of one volume: done, kept, or its errors; with its actual size once there is one.
 */
export interface VolumeWork {
  readonly end: 'done' | 'kept' | readonly AppError[]
  readonly sectors: number | null
  /** Where what is on it was settled only now. */
  readonly volume?: Pick<PlanVolume, 'files' | 'bytes'>
  /** Files that were left out of it. */
  readonly skipped?: readonly SkippedFile[] | undefined
  /** Notes for a person on how it was made. */
  readonly notes?: readonly string[] | undefined
  /** How it got to its medium. */
  readonly written?: VolumeWrite | undefined
  /** True where it was written before, and read back now. */
  readonly isReadBack?: boolean
  readonly damagedFolders?: RunVolume['damagedFolders']
  readonly verdict?: RunVolume['verdict']
  readonly recovery?: RunVolume['recovery']
}

/** The facts of a run that are known before its volumes are done. */
interface RunFacts {
  readonly id: string
  readonly kind: RunDocument['kind']
  readonly directory: string
  readonly plan: PlanDocument
  /** The volumes as they were planned, where they were settled later. */
  readonly forecast?: readonly PlanVolume[] | undefined
  /** The plan as it was exported, which has the times; `plan` where that is the same. */
  readonly planned?: PlanDocument
  readonly packing?: PackedWhen
  /** Notes for a person on how the run was done. */
  readonly notes?: readonly string[]
  /** The programs that read the volumes. */
  readonly readers?: readonly string[]
  /** On the job's clock, when it began before its volumes were known. */
  readonly startedMs?: number
  /**
   * The target of a run that writes to media. Such a run is saved after every volume, before the
   * next is begun: one that cannot be saved ends.
   */
  readonly target?: RunDocument['target']
  /** It may end before all of its volumes: those that it did not begin are not on record. */
  readonly isPart?: boolean
}

/** Failures of one volume that say nothing against writing the next one. */
const OF_ONE_VOLUME: ReadonlySet<AppErrorCode> = new Set([
  'changed',
  'vanished',
  'not-found',
  'verification-failed',
])

/**
 * A run while it goes on: what becomes of each volume, and the document that is kept in the end.
 */
export class RunRecord {
  readonly #planned: readonly PlanVolume[]
  readonly #volumes: Mutable<RunVolume>[]
  readonly #left = new Set<RunVolume>()
  readonly #startedWallMs: number
  readonly #startedMs: number
  readonly #about: RunFacts
  readonly #context: JobContext
  readonly #notes = new Set<string>()
  #fileSystem: FileSystemIdentity | null = null

  constructor(about: RunFacts, volumes: readonly PlanVolume[], context: JobContext) {
    this.#about = about
    this.#context = context
    this.#startedMs = about.startedMs ?? context.clock.monotonicMs()
    this.#startedWallMs = context.clock.wallMs() - (context.clock.monotonicMs() - this.#startedMs)
    this.#planned = volumes
    const forecasts = new Map(about.forecast?.map(({ index, sectors }) => [index, sectors]))
    this.#volumes = volumes.map(({ index, label, sectors, files, bytes }) => ({
      index,
      label,
      state: 'pending',
      // A packed plan may have come out with more volumes than were forecast.
      forecastSectors: about.forecast ? (forecasts.get(index) ?? 0) : sectors,
      actualSectors: null,
      files,
      bytes,
      elapsedMs: null,
      errors: [],
    }))
  }

  /** Adds what a person should know of how it was done; the same is noted once. */
  note(text: string): void {
    this.#notes.add(text)
  }

  /**
   * Works on the volumes one after the other. A volume's failure is noted and the next one is
   * begun; cancelling and a full disk end the run. A volume that is left to another run is tried
   * once more in the end, and is not on record. The record is saved whatever happens.
   * @param work gets a volume of the plan and its place among those of this run; null leaves the
   *   volume to another run
   * @returns the job's result: the run's id, with the first failure if there was one; null where
   *   every volume was left to others
   * @throws the first failure when the run could not be saved either
   */
  async carryOut(
    catalog: RunCatalog,
    work: (volume: PlanVolume, at: number) => Promise<VolumeWork | null>,
  ): Promise<JobResult> {
    await this.#saveSoFar(catalog)
    const first = await inTurn(
      this.#planned,
      this.#context.clock,
      async (planned, at) => {
        const done = await work(planned, at)
        if (done === null) this.#left.add(this.#volumes[at] as RunVolume)
        return done
      },
      async (done, at, elapsedMs) => {
        const failures = this.#note(at, done, elapsedMs)
        if (failures.some(({ code }) => this.#endsRun(code))) return { failures, goesOn: false }
        const saved = await this.#saveSoFar(catalog)
        return { failures: saved ? [...failures, saved] : failures, goesOn: saved === null }
      },
    )
    if (this.#left.size > 0 && this.#left.size === this.#volumes.length) return null
    const isKept = await this.#save(catalog, first)
    if (first && !isKept) throw first
    return first ? { kept: this.#about.id, error: first } : this.#about.id
  }

  /** @returns the failures of the volume */
  #note(at: number, done: VolumeWork | AppError, elapsedMs: number): readonly AppError[] {
    const volume = this.#volumes[at] as Mutable<RunVolume>
    this.#left.delete(volume)
    volume.elapsedMs = elapsedMs
    if (done instanceof AppError) {
      volume.state = done.code === 'cancelled' ? 'cancelled' : 'failed'
      volume.errors = [wireOf(done)]
      return [done]
    }
    const { end, sectors, written, isReadBack = false, damagedFolders, verdict, recovery } = done
    const { files, bytes } = done.volume ?? volume
    Object.assign(volume, { files, bytes, actualSectors: sectors })
    if (written) volume.written = written
    if (isReadBack) volume.readBack = true
    if (damagedFolders) volume.damagedFolders = damagedFolders
    if (verdict) volume.verdict = verdict
    if (recovery) volume.recovery = recovery
    if (done.skipped && done.skipped.length > 0) volume.skipped = [...done.skipped]
    for (const text of done.notes ?? []) this.note(text)
    const failures = typeof end === 'string' ? [] : end
    volume.state = typeof end === 'string' ? end : 'failed'
    volume.errors = listed(failures).map((error) => wireOf(error))
    return failures
  }

  /**
   * Ends a run whose volumes could not be begun: the failure is recorded with the first of them.
   * @throws the failure when the run could not be saved
   */
  async endBefore(catalog: RunCatalog, failure: AppError): Promise<JobResult> {
    const elapsedMs = this.#context.clock.monotonicMs() - this.#startedMs
    if (this.#volumes.length > 0) this.#note(0, failure, elapsedMs)
    if (!(await this.#save(catalog, failure))) throw failure
    return { kept: this.#about.id, error: failure }
  }

  /**
   * Saves a build or a write as it would be had it ended here, for the case that the process does.
   * @returns how the next volume cannot be begun before the last one is on record; null when it can
   */
  async #saveSoFar(catalog: RunCatalog): Promise<AppError | null> {
    const { kind, target } = this.#about
    const isBegun = this.#volumes.some(({ state }) => state !== 'pending')
    if (kind === 'verify' || (target && !isBegun)) return null
    try {
      await this.#save(catalog, null, 'interrupted')
      return null
    } catch (thrown) {
      // The end of a build is saved all the same, and its images are there.
      return target ? AppError.from(thrown) : null
    }
  }

  /** The file system that the run writes to, or reads from; a folder may be made only now. */
  async #where(): Promise<Pick<RunDocument, 'fileSystem'>> {
    const { target, directory } = this.#about
    const path = target === undefined ? directory : target.kind === 'folder' ? target.path : null
    this.#fileSystem ??= path === null ? null : await fileSystems.of(path)
    return this.#fileSystem ? { fileSystem: this.#fileSystem } : {}
  }

  #endsRun(code: AppErrorCode): boolean {
    if (code === 'cancelled' || code === 'no-space') return true
    return this.#about.target !== undefined && !OF_ONE_VOLUME.has(code)
  }

  /** @returns whether the run is in the catalog */
  async #save(
    catalog: RunCatalog,
    first: AppError | null,
    outcome: RunDocument['outcome'] = outcomeOf(first),
  ): Promise<boolean> {
    const { id, kind, directory, plan } = this.#about
    const notes = [
      ...(this.#about.notes ?? []),
      ...this.#notes,
      ...(plan.lists === undefined ? [UNBOUND_LISTS] : []),
    ]
    const setId = setIdOf(plan)
    const elapsedMs = this.#context.clock.monotonicMs() - this.#startedMs
    const { planned = plan, packing, isPart = false, readers } = this.#about
    const isOfRun = (volume: RunVolume): boolean =>
      !(this.#left.has(volume) || (isPart && volume.state === 'pending'))
    const volumes = this.#volumes.filter((volume) => isOfRun(volume))
    const run = { kind, elapsedMs, volumes }
    const discs = plan.volumes.length + (plan.parity?.length ?? 0)
    const times = runTimes(planned.times, run, { volumes: discs, packing })
    const document: RunDocument = {
      schema: RUN_SCHEMA,
      id,
      kind,
      planId: plan.id,
      directory,
      ...(setId === undefined ? {} : { setId }),
      ...(await this.#where()),
      startedWallMs: this.#startedWallMs,
      elapsedMs,
      outcome,
      volumes,
      ...(times.length === 0 ? {} : { times }),
      ...(this.#about.target && { target: this.#about.target }),
      ...(readers && { readers: [...readers] }),
      ...(notes.length === 0 ? {} : { notes }),
    }
    let isKept = false
    const inCatalog = (): Promise<void> => {
      catalog.saveRun(document)
      isKept = true
      return Promise.resolve()
    }
    const inFolder = (): Promise<void> => writeRunFile(catalog, directory, document)
    // A run that is continued from its plan's folder is there first: the next one brings it to the catalog.
    const places = this.#about.target ? [inFolder, inCatalog] : [inCatalog, inFolder]
    for (const save of places) {
      try {
        await save()
      } catch (thrown) {
        // What hinders the saving (a full disk, say) must not hide why the run failed.
        if (first === null) throw thrown
        if (!this.#about.target) break
      }
    }
    return isKept
  }
}

/** A new id for a run, known before it begins. */
export function newRunId(kind: RunDocument['kind'], { newId }: Pick<JobContext, 'newId'>): string {
  return newId(RUN_LETTERS[kind])
}

const RUN_LETTERS = { build: 'b', verify: 'v', write: 'w' } as const

function outcomeOf(first: AppError | null): RunDocument['outcome'] {
  if (first === null) return 'done'
  return first.code === 'cancelled' ? 'cancelled' : 'failed'
}

function listed(failures: readonly AppError[]): readonly AppError[] {
  if (failures.length <= LISTED_ERRORS) return failures
  const more = failures.length - LISTED_ERRORS
  const last = new AppError(failures[0]?.code ?? 'internal', said`and ${more} more`)
  return [...failures.slice(0, LISTED_ERRORS), last]
}

/** A failure as documents have it: without its stack. */
export function wireOf(error: AppError): RunVolume['errors'][number] {
  const { code, message, path } = error
  return { code, message, ...(path === undefined ? {} : { path }) }
}

async function writeRunFile(notes: PlaceNotes, directory: string, document: RunDocument): Promise<void> {
  const folder = joinPath(directory, 'runs')
  ensureFolder(folder)
  const text = `${JSON.stringify(document, null, 2)}\n`
  await replaceFile(notes, joinPath(folder, `${document.id}.json`), true, () => [text])
}
