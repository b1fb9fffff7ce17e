import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { z } from 'zod'
import type { SetAside, WaitAnswer, WaitingFor } from '../../src/contract/dto/job'
import type { PlanDocument, PlanRequest } from '../../src/contract/dto/plan'
import { type RunDocument, writeRequestSchema } from '../../src/contract/dto/run'
import type { ChangedPolicy } from '../../src/domain/sets/skippedFile'
import type { Catalog } from '../../src/engine/catalog/catalog'
import { openCatalog } from '../../src/engine/catalog/openCatalog'
import type { Job, JobContext, ProgressUpdate } from '../../src/engine/jobs/jobContext'
import { type NewId, newId } from '../../src/engine/jobs/newId'
import { buildJob } from '../../src/engine/sets/building/buildJob'
import { exportJob } from '../../src/engine/sets/export/exportJob'
import { planJob } from '../../src/engine/sets/plan/planJob'
import { verifyJob } from '../../src/engine/sets/verify/verifyJob'
import type { StallLimits } from '../../src/engine/sets/write/burnDisc'
import { writeJob } from '../../src/engine/sets/write/writeJob'
import { sketchFolder } from '../../src/engine/survey/sketchFolder'
import { surveyJob } from '../../src/engine/survey/surveyJob'
import { AppError } from '../../src/primitives/appError'
import { type Clock, systemClock } from '../../src/primitives/clock'

/** A folder that is gone after `dispose`. */
export function temporaryFolder(name: string): { path: string; dispose(): void } {
  const path = mkdtempSync(join(tmpdir(), `stowage-${name}-`))
  return { path, dispose: () => rmSync(path, { recursive: true, force: true }) }
}

export interface Bench {
  readonly catalog: Catalog
  survey(
    paths: readonly string[],
    options?: { sha256?: boolean; samples?: 'none' | 'fast'; full?: boolean },
  ): Promise<string>
  plan(surveyId: string, mediumId: string, packing?: Packing): Promise<PlanDocument>
  /** Returns the folder of the plan that was replaced. */
  export(planId: string, directory: string, force?: boolean): Promise<SetAside | null>
  /** Rejects when there was nothing to begin with; so does `verify`. */
  build(directory: string, options?: RunOptions): Promise<RunOutcome>
  verify(directory: string, options?: RunOptions): Promise<RunOutcome>
  /** Asks are answered at once unless the options say otherwise. */
  write(request: z.input<typeof writeRequestSchema>, options?: RunOptions): Promise<RunOutcome>
  close(): void
}

/** What a plan's request may have besides its survey and medium. */
type Packing = Pick<
  PlanRequest,
  'labelPrefix' | 'recipe' | 'encryption' | 'joined' | 'addTo' | 'addToFolder' | 'placement' | 'recordNames'
>

export interface RunOptions {
  readonly volumes?: number[]
  readonly force?: boolean
  readonly stream?: boolean
  readonly changed?: ChangedPolicy
  readonly password?: Uint8Array
  readonly signal?: AbortSignal
  readonly onProgress?: (update: ProgressUpdate) => void
  /** What the person does when the job waits for them. */
  readonly onWait?: (what: WaitingFor) => WaitAnswer | void | Promise<WaitAnswer | void>
  readonly onPipe?: JobContext['piped']
  readonly pausable?: JobContext['pausable']
  readonly onWriting?: JobContext['writing']
  readonly onPausesAfter?: JobContext['pausesAfter']
  readonly onSafePoint?: () => void | Promise<void>
  readonly limits?: StallLimits
  readonly clock?: Clock
  readonly newId?: NewId
}

/** How a build or verification that was begun ended: its document, and the failure the job threw. */
export interface RunOutcome {
  readonly run: RunDocument
  readonly error: AppError | null
}

/** The engine's jobs on a catalog of their own, run one at a time as the command line runs them. */
export function openBench(dataDir: string): Bench {
  const catalog = openCatalog(dataDir)
  const sketches = sketchFolder(dataDir)
  const runToEnd = async (job: Job, options: RunOptions): Promise<RunOutcome> => {
    const result = await runJob(job, options)
    if (result === null) throw new AppError('internal', 'a run without a record')
    return typeof result === 'object' && 'kept' in result
      ? { run: catalog.run(result.kept), error: result.error }
      : { run: catalog.run(idOf(result)), error: null }
  }
  const request = (
    directory: string,
    { volumes = [], force = false, stream = false, changed = 'fail', password }: RunOptions,
  ) => ({
    directory,
    volumes,
    force,
    stream,
    changed,
    password: password ?? null,
  })
  return {
    catalog,
    async survey(paths, { sha256 = false, samples = 'none', full = false } = {}) {
      const wanted = {
        paths: [...paths],
        sha256,
        samples,
        full,
        blocksFrom512: false,
        maxMemoryBytes: 64 * 1024 * 1024,
      }
      return idOf(await runJob(surveyJob(wanted, { catalog, sketches, checkpointMs: 30_000 })))
    },
    async plan(surveyId, mediumId, packing = {}) {
      const wanted = { surveyId, mediumId, ...packing }
      return catalog.plan(idOf(await runJob(planJob({ catalog }, wanted))))
    },
    async export(planId, directory, force = false) {
      const result = await runJob(exportJob({ catalog }, { planId, directory, force }))
      return typeof result === 'object' && result !== null && 'setAside' in result ? result.setAside : null
    },
    build: (directory, options = {}) => runToEnd(buildJob({ catalog }, request(directory, options)), options),
    verify: (directory, options = {}) =>
      runToEnd(verifyJob({ catalog }, request(directory, options)), options),
    write: (given, options = {}) =>
      runToEnd(writeJob({ catalog }, writeRequestSchema.parse(given), options.limits), options),
    close: () => catalog.close(),
  }
}

/** Runs a job to its end, with the system's clock and random IDs if the options have no others. */
export function runJob(job: Job, options: RunOptions = {}): ReturnType<Job['run']> {
  const context: JobContext = {
    jobId: 'j-1',
    clock: options.clock ?? systemClock,
    newId: options.newId ?? newId,
    signal: options.signal ?? new AbortController().signal,
    progress: (update) => options.onProgress?.(update),
    live: () => undefined,
    measured: () => undefined,
    swept: () => undefined,
    pausable: (hooks) => options.pausable?.(hooks),
    waitFor: async (what) => (await options.onWait?.(what)) ?? null,
    piped: (figures) => options.onPipe?.(figures),
    writing: (where) => options.onWriting?.(where),
    pausesAfter: (what) => options.onPausesAfter?.(what),
    safePoint: async () => options.onSafePoint?.(),
  }
  return job.run(context)
}

function idOf(result: Awaited<ReturnType<Job['run']>>): string {
  if (typeof result !== 'string') throw new Error('the job made nothing')
  return result
}
