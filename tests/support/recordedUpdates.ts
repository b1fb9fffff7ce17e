import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { PlanRequest } from '../../src/contract/dto/plan'
import type { RestoreDocument } from '../../src/contract/dto/restore'
import { type RunRequest, writeRequestSchema } from '../../src/contract/dto/run'
import { openCatalog } from '../../src/engine/catalog/openCatalog'
import type { Job, ProgressUpdate } from '../../src/engine/jobs/jobContext'
import { jobRunner } from '../../src/engine/jobs/jobRunner'
import { KeptResults } from '../../src/engine/jobs/keptResults'
import { newId } from '../../src/engine/jobs/newId'
import { buildJob } from '../../src/engine/sets/building/buildJob'
import { exportJob } from '../../src/engine/sets/export/exportJob'
import { planJob } from '../../src/engine/sets/plan/planJob'
import { restoreJob } from '../../src/engine/sets/restore/restoreJob'
import { verifyJob } from '../../src/engine/sets/verify/verifyJob'
import { writeJob } from '../../src/engine/sets/write/writeJob'
import { sketchFolder } from '../../src/engine/survey/sketchFolder'
import { surveyJob } from '../../src/engine/survey/surveyJob'
import { systemClock } from '../../src/primitives/clock'
import { noNotes } from './noNotes'
import { makePhotosAndNotes } from './recordedChain'

/** All that a job reported, each with the milliseconds since it began, and how long it took. */
export interface RecordedUpdates {
  readonly name: string
  readonly tookMs: number
  readonly updates: readonly { readonly atMs: number; readonly update: ProgressUpdate }[]
}

/** At most so many updates are kept of a job: what passes within less is never shown. */
const MOST_UPDATES = 400

/**
 * Runs jobs of seven kinds on photos and notes, and records what they report.
 * @param bytes of the source; a sixtieth of it where recovery data or archives are made
 */
export async function recordJobs(folder: string, bytes: number): Promise<RecordedUpdates[]> {
  const catalog = openCatalog(join(folder, 'data'))
  const recorded: RecordedUpdates[] = []
  const run = async (job: Job, name?: string): Promise<string> => {
    const { result, ...record } = await recordedJob(job)
    if (name !== undefined) recorded.push({ name, ...record })
    return result
  }
  const sketches = sketchFolder(join(folder, 'data'))
  const survey = (name: string, size: number): Promise<string> => {
    const source = join(folder, name)
    makePhotosAndNotes(source, size)
    const wanted = { paths: [source], sha256: true, samples: 'fast', blocksFrom512: false } as const
    const deps = { catalog, sketches, checkpointMs: 30_000 }
    return run(surveyJob({ ...wanted, paths: [source], maxMemoryBytes: 64 << 20 }, deps))
  }
  const exported = async (name: string, how: PlanRequest): Promise<RunRequest> => {
    const directory = join(folder, name)
    const planId = await run(planJob({ catalog }, { labelPrefix: 'SET', ...how }))
    await run(exportJob({ catalog }, { planId, directory, force: false }))
    return { directory, volumes: [], force: false, stream: false, changed: 'fail', password: null }
  }
  const discs = (size: number): string => `custom:${Math.ceil(size / 1e6)}MB`
  try {
    const large = await survey('large', bytes)
    const plain = await exported('plain', { surveyId: large, mediumId: discs(bytes / 2.5) })
    await run(buildJob({ catalog }, plain), 'build plain')
    await run(verifyJob({ catalog }, plain), 'verify')
    const copies = join(folder, 'copies')
    mkdirSync(copies)
    const write = writeRequestSchema.parse({ directory: plain.directory, folder: copies, verify: true })
    await run(writeJob({ catalog }, write), 'write and read back')
    rmSync(copies, { recursive: true })
    const results = new KeptResults<RestoreDocument>('restore')
    const restore = { files: [], force: false, trust: false, originalNames: false, password: null }
    const to = join(folder, 'restored')
    await run(
      restoreJob({ results, notes: noNotes, catalog }, { ...restore, volumes: [plain.directory], to }),
      'restore',
    )
    rmSync(to, { recursive: true })
    const small = await survey('small', bytes / 60)
    const protectedDiscs = {
      surveyId: small,
      mediumId: discs(bytes / 240),
      protection: 30,
      protectionMemoryBytes: Math.ceil(bytes / 2400),
    }
    const safe = await exported('protected', protectedDiscs)
    await run(buildJob({ catalog }, safe), 'build protected')
    const unbuilt = await exported('unbuilt', protectedDiscs)
    const targets = join(folder, 'discs')
    mkdirSync(targets)
    const burn = writeRequestSchema.parse({ directory: unbuilt.directory, folder: targets, verify: true })
    await run(writeJob({ catalog }, burn), 'write what is not built')
    const recipe = '7z-solid-4m-path'
    const packed = await exported('packed', { surveyId: small, mediumId: 'disk', recipe })
    await run(buildJob({ catalog }, packed), 'build packed')
  } finally {
    catalog.close()
  }
  return recorded
}

async function recordedJob(job: Job): Promise<Omit<RecordedUpdates, 'name'> & { readonly result: string }> {
  const nothing = (): void => undefined
  const listener = { progress: nothing, live: nothing, measured: nothing, swept: nothing, ended: nothing }
  const updates: { atMs: number; update: ProgressUpdate }[] = []
  const startedMs = systemClock.monotonicMs()
  const end = await jobRunner(systemClock, listener, newId).start({
    ...job,
    run: (context) =>
      job.run({
        ...context,
        progress(update) {
          updates.push({ atMs: Math.round(systemClock.monotonicMs() - startedMs), update })
          context.progress(update)
        },
      }),
  }).finished
  if (end.error) throw new Error(`${job.title}: ${end.error.message}`)
  return {
    tookMs: Math.round(end.elapsedMs),
    updates: thinned(updates, end.elapsedMs / MOST_UPDATES),
    result: end.resultId ?? '',
  }
}

/** The last update of each stretch of time, and of each phase. */
function thinned<Update extends { readonly atMs: number; readonly update: ProgressUpdate }>(
  updates: readonly Update[],
  stretchMs: number,
): Update[] {
  const placeOf = ({ atMs, update }: Update): string =>
    `${Math.floor(atMs / stretchMs)} ${update.phase.index}`
  return updates.filter((each, at) => {
    const next = updates[at + 1]
    return next === undefined || placeOf(next) !== placeOf(each)
  })
}
